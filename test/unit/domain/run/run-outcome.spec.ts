import { describe, expect, it } from 'vitest';
import { outcomeText, runOutcome } from '../../../../src-main/domain/run/run-outcome.ts';
import { runStatuses } from '../../../../src-main/domain/run/run-status.ts';
import { runView } from '../../../builders/run-view.ts';

describe('the outcome of a run', () => {
  it.each([
    ['completed', 10, 0, 'completed', 'Completed'],
    ['completed', 9, 1, 'with-failures', 'Completed, 1 failed'],
    ['completed', 4_919, 1_081, 'with-failures', 'Completed, 1,081 failed'],
    ['completed', 0, 2, 'all-failed', 'All rows failed'],
    ['completed', 0, 0, 'completed', 'Completed'],
    ['failed', 9, 1, 'failed', 'Failed'],
    ['failed', 9, 81, 'failed', 'Failed, 81 rows failed'],
    ['failed', 0, 0, 'failed', 'Failed'],
    ['running', 0, 3, 'running', 'Running, 3 failed'],
    ['cancelled', 1, 3, 'cancelled', 'Cancelled, 3 failed'],
  ] as const)('%s with %i done and %i failed rows is %s: %s', (status, rowsDone, rowsFailed, kind, text) => {
    const run = runView({ status, rowsDone, rowsFailed });
    expect(runOutcome(run).kind).toBe(kind);
    expect(outcomeText(run)).toBe(text);
  });

  it.each(runStatuses)('%s without failed rows is shown as the status alone', (status) => {
    expect(outcomeText(runView({ status })).toLowerCase()).toBe(status);
  });
});
