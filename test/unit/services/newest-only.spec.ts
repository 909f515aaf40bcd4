import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { NewestOnly } from '../../../src-main/services/newest-only.ts';

it('NewestOnly runs the first request and the newest of those that wait, and skips the others', async () => {
  const requests = new NewestOnly<number>();
  const started: number[] = [];
  const first = deferred();
  const run = (number: number, until: Promise<void> = Promise.resolve()) =>
    requests.run('leads', async () => {
      started.push(number);
      await until;
      return number;
    });
  const answers = [run(1, first.promise), run(2), run(3)];
  const other = requests.run('other', async () => 4);
  expect(await other).toBe(4);
  first.resolve();
  expect(await Promise.all(answers)).toEqual([1, undefined, 3]);
  expect(started).toEqual([1, 3]);
});

it('NewestOnly runs the next request after one that failed', async () => {
  const requests = new NewestOnly<number>();
  const failed = requests.run('leads', () => Promise.reject(new Error('No')));
  const next = requests.run('leads', async () => 2);
  await expect(failed).rejects.toThrow('No');
  expect(await next).toBe(2);
});
