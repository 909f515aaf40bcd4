import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { KeyedMutex } from '../../../src-main/base/mutex.ts';

it('a keyed mutex orders the actions of one key and lets other keys pass', async () => {
  const mutex = new KeyedMutex<string>();
  const log: string[] = [];
  const gate = deferred();
  const first = mutex.run('a', async () => {
    await gate.promise;
    log.push('a1');
    throw new Error('no');
  });
  const second = mutex.run('a', async () => log.push('a2'));
  await mutex.run('b', async () => log.push('b1'));
  gate.resolve();
  await expect(first).rejects.toThrow('no');
  await second;
  await mutex.run('a', async () => log.push('a3'));
  expect(log).toEqual(['b1', 'a1', 'a2', 'a3']);
});
