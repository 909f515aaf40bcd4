import { expect, it } from 'vitest';
import { moveRun } from '../../../src-main/domain/run/run.ts';
import { pastBounds } from '../../../src-main/services/retention.ts';
import { queuedRun } from '../../builders/run-record.ts';

const counts = { rowsDone: 1, rowsFailed: 0 };
const day = 24 * 60 * 60 * 1000;

function finishedAt(time: number) {
  const at = new Date(time).toISOString();
  const run = moveRun(queuedRun({ runId: `run-${time / day}`, acceptedAt: at, startedAt: at }), 'start', {
    at,
    counts,
  });
  return { run: moveRun(run, 'complete', { at, counts }), counts };
}

const ids = (records: ReturnType<typeof pastBounds>): string[] => records.map(({ run }) => run.runId);

it('keeps the newest runs up to the number', () => {
  const records = [1, 2, 3, 4].map((days) => finishedAt(days * day));
  expect(ids(pastBounds(records, { runs: 2, days: 30 }, 5 * day))).toEqual(['run-2', 'run-1']);
});

it('lets go of runs past the age, however few there are', () => {
  const records = [1, 40].map((days) => finishedAt(days * day));
  expect(ids(pastBounds(records, { runs: 100, days: 30 }, 41 * day))).toEqual(['run-1']);
});

it('keeps all within both bounds', () => {
  expect(pastBounds([finishedAt(day)], { runs: 1, days: 1 }, 2 * day)).toEqual([]);
});

it('gives what is past the age newest first, within the number and beyond it', () => {
  const records = [3, 1, 2, 50].map((days) => finishedAt(days * day));
  expect(ids(pastBounds(records, { runs: 4, days: 30 }, 51 * day))).toEqual(['run-3', 'run-2', 'run-1']);
  expect(ids(pastBounds(records, { runs: 3, days: 30 }, 51 * day))).toEqual(['run-3', 'run-2', 'run-1']);
});
