import { describe, expect, it } from 'vitest';
import {
  countActive,
  countByStatus,
  filterRuns,
  holdOrder,
  shareOf,
} from '../../../src-renderer/state/run-list.ts';
import { fitFor, mayDo } from '../../../src-renderer/state/run-verbs.ts';
import { runView } from '../../builders/run-view.ts';

const failed = runView({ runId: 'r3', status: 'failed', error: 'HTTP 500 from GET', rowsDone: 2 });
const running = runView({ runId: 'r2', status: 'running', workflowId: 'score-leads', finishedAt: null });
const done = runView({ runId: 'r1', origin: 'nightly' });
const runs = [failed, running, done];
const ids = (shown: readonly { runId: string }[]) => shown.map(({ runId }) => runId);

describe('the list of runs', () => {
  it.each([
    [{ text: '' }, ['r3', 'r2', 'r1']],
    [{ text: 'http 500' }, ['r3']],
    [{ text: '  SCORE ' }, ['r2']],
    [{ text: 'nightly r1' }, ['r1']],
    [{ text: 'nightly r2' }, []],
    [{ text: '', status: 'failed' as const }, ['r3']],
    [{ text: 'score', status: 'failed' as const }, []],
  ])('shows for %j the runs %j', (filter, shown) => {
    expect(ids(filterRuns(runs, filter))).toEqual(shown);
  });

  it('counts by status, and those that work', () => {
    expect(countByStatus(runs).get('failed')).toBe(1);
    expect(countActive([...runs, runView({ status: 'queued' }), runView({ status: 'paused' })])).toBe(2);
  });

  it('lets newcomers wait while it is held, and shows the newest of those it has', () => {
    const newcomer = runView({ runId: 'r4' });
    expect(holdOrder(['r3'], [newcomer, ...runs])).toEqual({ runs, waiting: 1 });
    expect(holdOrder([], [newcomer, ...runs])).toEqual({ runs: [newcomer, ...runs], waiting: 0 });
  });

  it('tells shares, also of no rows and of more than there are', () => {
    expect([shareOf(5, done), shareOf(0, runView({ rows: 0 })), shareOf(11, done)]).toEqual([0.5, 0, 1]);
  });
});

describe('a verb', () => {
  it('fits the runs that the status table lets it', () => {
    expect(ids(fitFor('pause', runs))).toEqual(['r2']);
    expect(ids(fitFor('cancel', runs))).toEqual(['r2']);
    expect(ids(fitFor('resume', [runView({ runId: 'p', status: 'paused' }), ...runs]))).toEqual(['p']);
    expect(ids(fitFor('rerun', runs))).toEqual(['r3', 'r2', 'r1']);
  });

  it('repeats failed rows only of ended runs that have some', () => {
    expect([
      mayDo('rerun-failed', failed),
      mayDo('rerun-failed', running),
      mayDo('rerun-failed', done),
    ]).toEqual([true, false, false]);
  });
});
