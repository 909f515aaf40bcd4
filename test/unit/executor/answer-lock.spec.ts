import { expect, it } from 'vitest';
import { AnswerLock } from '../../../src-main/executor/run/answer-call.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('an answer lock is granted to one caller at a time, in the order of the requests', async () => {
  const lock = new AnswerLock();
  const order: string[] = [];
  const ends: (() => void)[] = [];
  for (const name of ['a', 'b', 'c']) {
    void lock.acquire(never).then((end) => {
      order.push(name);
      ends.push(end);
    });
  }
  for (const soFar of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await settled();
    expect(order).toEqual(soFar);
    ends.shift()?.();
  }
});

it('a call that is over while it waits is passed by', async () => {
  const lock = new AnswerLock();
  const endFirst = await lock.acquire(never);
  const controller = new AbortController();
  const waiting = lock.acquire(controller.signal);
  const last = lock.acquire(never);
  controller.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(lock.acquire(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  endFirst();
  expect(await last).toBeTypeOf('function');
});
