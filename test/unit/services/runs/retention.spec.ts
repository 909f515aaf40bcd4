// The store's choice of finished runs that are past the retention limits.
import { expect, it } from 'vitest';
import type { Run } from '../../../../src-main/domain/run/run.ts';
import { RunQueries } from '../../../../src-main/storage/sqlite/queries/run-queries.ts';
import { StoreWriter } from '../../../../src-main/storage/sqlite/store-writer.ts';
import { queuedRun } from '../../../builders/run-record.ts';
import { memoryDatabase } from '../../../builders/store-thread-double.ts';
import { runIdOf } from '../../../builders/stored-rows.ts';

const day = 24 * 60 * 60 * 1000;
const megabyte = 1_000_000;
const noBound = Number.MAX_SAFE_INTEGER;

/** The run that was accepted as the nth, with rows of a megabyte, and ended after so many days of the retention clock. */
function endedRun(nth: number, days: number): Run {
  const at = new Date(days * day).toISOString();
  return {
    ...queuedRun({ runId: runIdOf(nth), rows: 1, acceptedAt: at, startedAt: at }),
    status: 'completed',
    finishedAt: at,
    retentionStamp: days * day,
    counts: { rowsDone: 1, rowsFailed: 0 },
  };
}

/** Ids of runs that go, in the order in which they ended. */
function storeOf(runs: readonly Run[]) {
  const database = memoryDatabase();
  const writer = new StoreWriter(database);
  writer.putSnapshot('a'.repeat(64), 'workflow', 'rowbench: 1');
  runs.forEach((run, index) => {
    const lines = Buffer.alloc(megabyte, 'x');
    writer.acceptRun({ owner: index + 1, batches: [{ firstRow: 1, rows: 1, lines }] }, run);
  });
  const queries = new RunQueries(database);
  const past = (bounds: { days?: number; maxBytes?: number; nowDays: number }) =>
    queries.pastBounds({
      endedBeforeMs: (bounds.nowDays - (bounds.days ?? 10_000)) * day,
      keepEndedAfterMs: (bounds.nowDays - 1) * day,
      maxBytes: bounds.maxBytes ?? noBound,
    });
  return { past, usedBytes: queries.usedBytes() };
}

it('runs past the age go, however small the store is', () => {
  const { past } = storeOf([endedRun(1, 1), endedRun(2, 40)]);
  expect(past({ days: 30, nowDays: 41 })).toMatchObject({
    byAge: [runIdOf(1)],
    bySize: [],
    newestFinishedAt: new Date(day).toISOString(),
    isAboveSize: false,
  });
});

it('runs within both bounds stay', () => {
  const { past, usedBytes } = storeOf([endedRun(1, 1)]);
  expect(past({ days: 2, maxBytes: usedBytes, nowDays: 2.5 })).toMatchObject({
    byAge: [],
    bySize: [],
    newestFinishedAt: undefined,
    isAboveSize: false,
  });
});

it('the oldest runs go until the store has its size', () => {
  const { past, usedBytes } = storeOf([1, 2, 3, 4].map((nth) => endedRun(nth, nth)));
  const bySize = (maxBytes: number) => past({ maxBytes, nowDays: 9 }).bySize;
  expect(bySize(usedBytes)).toEqual([]);
  expect(bySize(usedBytes - 1)).toEqual([runIdOf(1)]);
  expect(bySize(usedBytes - megabyte - 1)).toEqual([runIdOf(1), runIdOf(2)]);
  expect(past({ maxBytes: 0, nowDays: 9 }).bySize).toEqual([1, 2, 3, 4].map(runIdOf));
});

it('runs that go for their age count for the size', () => {
  const { past, usedBytes } = storeOf([endedRun(1, 1), endedRun(2, 30), endedRun(3, 31)]);
  expect(past({ days: 20, maxBytes: usedBytes - megabyte, nowDays: 40 })).toMatchObject({
    byAge: [runIdOf(1)],
    bySize: [],
  });
});

it('a run that ended less than a day ago stays, and the store is above its size', () => {
  const { past } = storeOf([endedRun(1, 1), endedRun(2, 2.5)]);
  expect(past({ maxBytes: 0, nowDays: 3 })).toMatchObject({ bySize: [runIdOf(1)], isAboveSize: true });
  expect(past({ days: 0, maxBytes: 0, nowDays: 3 }).byAge).toEqual([runIdOf(1)]);
});

it('an unfinished run stays, however old it is', () => {
  const { past } = storeOf([queuedRun({ runId: runIdOf(1), rows: 1, status: 'paused' })]);
  expect(past({ days: 1, maxBytes: 0, nowDays: 1000 })).toMatchObject({ byAge: [], bySize: [] });
});
