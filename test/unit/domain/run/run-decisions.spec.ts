// The decisions on the life of a run that a server alone and a team make alike.
import { describe, expect, it } from 'vitest';
import {
  completedRun,
  completesWith,
  limitMove,
  resumedRun,
  settledRun,
} from '../../../../src-main/domain/run/run-decisions.ts';
import { moveRun, runSchema, type Run } from '../../../../src-main/domain/run/run.ts';
import { runStatuses } from '../../../../src-main/domain/run/run-status.ts';
import { queuedRun } from '../../../builders/run-record.ts';

const data = { at: '2026-01-01T00:00:05.000Z', counts: { rowsDone: 4, rowsFailed: 0 } };
const spentBudget = { used: 120, tokens: 100 };

const running = (changes: Partial<Run> = {}): Run =>
  moveRun({ ...queuedRun(), ...changes } as Run, 'start', data);
const pausing = (changes?: Partial<Run>): Run => moveRun(running(changes), 'pause', data);
const paused = (changes?: Partial<Run>): Run => moveRun(pausing(changes), 'settle', data);

describe('a limit of a run', () => {
  const scenario = { 'pause-at': { row: 2 }, 'cancel-at': { row: 3 } } as const;
  const run = running({ rows: 4, scenario });

  it('pauses or cancels the run at the row of its scenario, and nowhere else', () => {
    expect(limitMove(run, { committedRows: 1 })).toBeUndefined();
    expect(limitMove(run, { committedRows: 2 })).toEqual({
      move: 'pause',
      from: { ...run, pausedByScenario: true },
    });
    expect(limitMove(run, { committedRows: 3 })).toEqual({ move: 'cancel' });
    expect(limitMove(run, { committedRows: 4 })).toBeUndefined();
  });

  it('pauses a run for its scenario once', () => {
    expect(limitMove({ ...run, pausedByScenario: true }, { committedRows: 2 })).toBeUndefined();
  });

  it('pauses the run when its budget is spent, whatever its scenario says', () => {
    expect(limitMove(run, { committedRows: 3, spentBudget })).toEqual({
      move: 'pause',
      from: { ...run, spentBudget },
    });
  });

  it.each(runStatuses.filter((status) => status !== 'running' && status !== 'queued'))(
    'never pauses a run that is %s',
    (status) => {
      expect(limitMove({ ...run, status } as Run, { committedRows: 2 })).toBeUndefined();
      expect(limitMove({ ...run, status } as Run, { committedRows: 2, spentBudget })).toBeUndefined();
    },
  );
});

describe('a pause', () => {
  it('is settled with the tokens that rows in flight have used since', () => {
    const run = settledRun(pausing({ spentBudget }), data, 150);
    expect(run).toMatchObject({ status: 'paused', spentBudget: { used: 150, tokens: 100 } });
    expect(settledRun(pausing({ spentBudget }), data)).toMatchObject({ spentBudget });
  });

  it('is settled without a budget if none is spent', () => {
    expect(settledRun(pausing(), data, 150)).not.toHaveProperty('spentBudget');
  });
});

describe('a resumed run', () => {
  it('may use as many tokens again as its budget has', () => {
    const run = resumedRun(paused({ spentBudget }), data);
    expect(run).toMatchObject({ status: 'queued', tokensAllowed: 220 });
    expect(run).not.toHaveProperty('spentBudget');
  });

  it('keeps its budget if that is not spent', () => {
    expect(resumedRun(paused(), data)).not.toHaveProperty('tokensAllowed');
  });

  it('goes on at once while it is pausing', () => {
    expect(resumedRun(pausing({ spentBudget }), data)).toMatchObject({
      status: 'running',
      tokensAllowed: 220,
    });
  });
});

describe('a completed run', () => {
  it.each([
    { was: 'running', run: running() },
    { was: 'pausing', run: pausing() },
    { was: 'resumed', run: resumedRun(paused(), data) },
  ])('was $was when its last row ended', ({ run }) => {
    const completed = completedRun(run, data);
    expect(completed).toMatchObject({ status: 'completed', counts: data.counts, finishedAt: data.at });
    expect(runSchema.parse(completed)).toEqual(completed);
  });

  it('no longer waits for its budget', () => {
    expect(completedRun(pausing({ spentBudget }), data)).not.toHaveProperty('spentBudget');
  });

  it('was not paused', () => {
    expect(() => completedRun(paused(), data)).toThrow('A paused run cannot be completed');
  });

  it('has a result of every row, and no failure that ends it', () => {
    const run = running({ rows: 4 });
    expect(completesWith(run, { rowsDone: 4, rowsFailed: 0 }, { onRowError: 'fail' })).toBe(true);
    expect(completesWith(run, { rowsDone: 3, rowsFailed: 0 }, { onRowError: 'skip' })).toBe(false);
    expect(completesWith(run, { rowsDone: 3, rowsFailed: 1 }, { onRowError: 'skip' })).toBe(true);
    expect(completesWith(run, { rowsDone: 3, rowsFailed: 1 }, { onRowError: 'fail' })).toBe(false);
    expect(completesWith(run, { rowsDone: 3, rowsFailed: 0, rowsUnfinished: 1 }, {})).toBe(false);
  });
});
