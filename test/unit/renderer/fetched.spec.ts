import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { Fetched } from '../../../src-renderer/state/fetched.svelte.ts';

it('shows the answer to what was asked last, though an older one comes later', async () => {
  const fetched = new Fetched<string>();
  const [older, newer] = [deferred<string>(), deferred<string>()];
  const first = fetched.ask(() => older.promise);
  const second = fetched.ask(() => newer.promise);
  newer.resolve('new');
  expect(await second).toBe('new');
  older.resolve('old');
  expect(await first).toBeUndefined();
  expect(fetched.value).toBe('new');
});

it('keeps no failure of an asking that something newer has overtaken', async () => {
  const fetched = new Fetched<string>();
  const older = deferred<string>();
  const first = fetched.ask(() => older.promise);
  await fetched.ask(() => Promise.resolve('new'));
  older.reject(new Error('away'));
  await first;
  expect([fetched.value, fetched.problem]).toEqual(['new', undefined]);
});

it('keeps what it shows beside a failure, and tries the same again', async () => {
  const fetched = new Fetched<number>();
  const away = new Error('away');
  let asked = 0;
  const question = (): Promise<number> =>
    (asked += 1) === 2 ? Promise.reject(away) : Promise.resolve(asked);
  await fetched.ask(question);
  await fetched.ask(question);
  expect([fetched.value, fetched.problem]).toEqual([1, away]);
  await fetched.retry();
  expect([fetched.value, fetched.problem]).toEqual([3, undefined]);
});

it('is asking until the newest asking has ended', async () => {
  const fetched = new Fetched<string>();
  const [older, newer] = [deferred<string>(), deferred<string>()];
  const first = fetched.ask(() => older.promise);
  const second = fetched.ask(() => newer.promise);
  older.resolve('old');
  await first;
  expect(fetched.isAsking).toBe(true);
  newer.resolve('new');
  await second;
  expect(fetched.isAsking).toBe(false);
});

it('lets go of what is under way once another thing is shown', async () => {
  const fetched = new Fetched<string>();
  const older = deferred<string>();
  const first = fetched.ask(() => older.promise);
  fetched.forget();
  older.resolve('old');
  await first;
  expect([fetched.value, fetched.isAsking]).toEqual([undefined, false]);
});
