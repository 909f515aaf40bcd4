import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { Mutex } from '../../../src-main/base/mutex.ts';

it('a mutex runs one action at a time, in order, and goes on after a failure', async () => {
  const mutex = new Mutex();
  const log: string[] = [];
  const gate = deferred();
  const first = mutex.run(async () => {
    log.push('first starts');
    await gate.promise;
    throw new Error('no');
  });
  const second = mutex.run(async () => log.push('second runs'));
  expect(mutex.isLocked).toBe(true);
  gate.resolve();
  await expect(first).rejects.toThrow('no');
  await expect(second).resolves.toBe(2);
  await mutex.settled();
  expect(log).toEqual(['first starts', 'second runs']);
  expect(mutex.isLocked).toBe(false);
});
