import { expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { Query } from '../../../src-renderer/state/query.svelte.ts';

it('a query shows the answer to its newest request, even if an older answer arrives later', async () => {
  const query = new Query<string>();
  const [older, newer] = [deferred<string>(), deferred<string>()];
  const first = query.load(() => older.promise);
  const second = query.load(() => newer.promise);
  newer.resolve('new');
  expect(await second).toBe('new');
  older.resolve('old');
  expect(await first).toBeUndefined();
  expect(query.value).toBe('new');
});

it('a query ignores the error of an outdated request', async () => {
  const query = new Query<string>();
  const older = deferred<string>();
  const first = query.load(() => older.promise);
  await query.load(() => Promise.resolve('new'));
  older.reject(new Error('away'));
  await first;
  expect([query.value, query.problem]).toEqual(['new', undefined]);
});

it('a query keeps its value beside an error, and a retry repeats the request', async () => {
  const query = new Query<number>();
  const away = new Error('away');
  let count = 0;
  const request = (): Promise<number> => ((count += 1) === 2 ? Promise.reject(away) : Promise.resolve(count));
  await query.load(request);
  await query.load(request);
  expect([query.value, query.problem]).toEqual([1, away]);
  await query.retry();
  expect([query.value, query.problem]).toEqual([3, undefined]);
});

it('a query is loading until its newest request has ended', async () => {
  const query = new Query<string>();
  const [older, newer] = [deferred<string>(), deferred<string>()];
  const first = query.load(() => older.promise);
  const second = query.load(() => newer.promise);
  older.resolve('old');
  await first;
  expect(query.isLoading).toBe(true);
  newer.resolve('new');
  await second;
  expect(query.isLoading).toBe(false);
});

it('a query that was reset ignores the request under way', async () => {
  const query = new Query<string>();
  const older = deferred<string>();
  const first = query.load(() => older.promise);
  query.reset();
  older.resolve('old');
  await first;
  expect([query.value, query.isLoading]).toEqual([undefined, false]);
});

it('an update changes a known answer alone', async () => {
  const query = new Query<number>();
  query.update((value) => value + 1);
  expect(query.value).toBeUndefined();
  await query.load(() => Promise.resolve(1));
  query.update((value) => value + 1);
  expect(query.value).toBe(2);
});
