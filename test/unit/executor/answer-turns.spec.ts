import { expect, it } from 'vitest';
import { AnswerTurns } from '../../../src-main/executor/run/answer-turns.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('turns come one at a time, in the order in which they were asked for', async () => {
  const turns = new AnswerTurns();
  const order: string[] = [];
  const ends: (() => void)[] = [];
  for (const name of ['a', 'b', 'c']) {
    void turns.take(never).then((end) => {
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
  const turns = new AnswerTurns();
  const endFirst = await turns.take(never);
  const controller = new AbortController();
  const waiting = turns.take(controller.signal);
  const last = turns.take(never);
  controller.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(turns.take(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  endFirst();
  expect(await last).toBeTypeOf('function');
});
