import { expect, it } from 'vitest';
import { moveRun } from '../../../src-main/domain/run/run.ts';
import { pastBounds } from '../../../src-main/services/retention.ts';
import { queuedRun } from '../../builders/run-record.ts';

const counts = { rowsDone: 1, rowsFailed: 0 };
const day = 24 * 60 * 60 * 1000;

/** A run that was accepted as the nth, and ended after so many days of the retention clock. */
function ended(nth: number, days: number, wall = days * day) {
  const at = new Date(wall).toISOString();
  const run = moveRun(queuedRun({ runId: `run-${nth}`, acceptedAt: at, startedAt: at }), 'start', {
    at,
    counts,
  });
  return { run: { ...moveRun(run, 'complete', { at, counts }), retentionStamp: days * day }, counts };
}

const ids = (records: ReturnType<typeof pastBounds>): string[] => records.map(({ run }) => run.runId);

it('the newest runs are kept up to the number', () => {
  const records = [1, 2, 3, 4].map((days) => ended(days, days));
  expect(ids(pastBounds(records, { runs: 2, days: 30 }, 5 * day))).toEqual(['run-2', 'run-1']);
});

it('runs past the age are let go of, however few there are', () => {
  const records = [1, 40].map((days) => ended(days, days));
  expect(ids(pastBounds(records, { runs: 100, days: 30 }, 41 * day))).toEqual(['run-1']);
});

it('all runs within both bounds are kept', () => {
  expect(pastBounds([ended(1, 1)], { runs: 1, days: 1 }, 2 * day)).toEqual([]);
});

it('runs past the age come newest first, within the number and beyond it', () => {
  const records = [3, 1, 2, 5].map((nth) => ended(nth, nth === 5 ? 50 : nth));
  expect(ids(pastBounds(records, { runs: 4, days: 30 }, 51 * day))).toEqual(['run-3', 'run-2', 'run-1']);
  expect(ids(pastBounds(records, { runs: 3, days: 30 }, 51 * day))).toEqual(['run-3', 'run-2', 'run-1']);
});

it('a run that ended less than a day ago is kept beyond the number', () => {
  const records = [1, 2, 3].map((nth) => ended(nth, nth === 2 ? 1 : 1.5));
  expect(ids(pastBounds(records, { runs: 1, days: 1 }, 2.2 * day))).toEqual(['run-2']);
  expect(pastBounds(records, { runs: 1, days: 1 }, 1.9 * day)).toEqual([]);
});

it('the number counts in the order of acceptance, and the wall clock plays no part', () => {
  const records = [ended(1, 1, 400 * day), ended(2, 1, 5 * day), ended(3, 1, 1 * day)];
  expect(ids(pastBounds(records, { runs: 1, days: 30 }, 3 * day))).toEqual(['run-2', 'run-1']);
});

it('a run that was accepted early and ended late does not cost a newer one its place', () => {
  const records = [ended(1, 4.5), ended(2, 1), ended(3, 1)];
  expect(pastBounds(records, { runs: 2, days: 30 }, 5 * day)).toEqual([]);
  expect(ids(pastBounds(records, { runs: 2, days: 30 }, 6 * day))).toEqual(['run-1']);
});
