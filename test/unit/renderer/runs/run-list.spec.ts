import type { RunView } from '#contract';
import { describe, expect, it } from 'vitest';
import {
  countActive,
  countByChoice,
  countByMark,
  filterRuns,
  shareOf,
} from '../../../../src-renderer/state/runs/run-list.ts';
import { fitFor, mayDo } from '../../../../src-renderer/state/run/run-verbs.ts';
import { runView } from '../../../builders/run-view.ts';

const failed = runView({ runId: 'r3', status: 'failed', error: 'HTTP 500 from GET', rowsDone: 2 });
const running = runView({ runId: 'r2', status: 'running', workflowId: 'score-leads', finishedAt: null });
const done = runView({ runId: 'r1', origin: 'nightly' });
const runs = [failed, running, done];
const chainsOf = (chains: readonly RunView[]) => chains.map((run) => ({ attempts: [run] }));
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

  it.each([
    ['the whole id, as it is copied', '019A0C3E-1B2F-7500-8500-4d5001500e77', true],
    ['its beginning', '019a0c3e', true],
    ['its last part, with which the ids of its rows begin', '4d5001500e77', true],
    ['what a row shows of it', '…01500e77', true],
    ['the same, typed', '01500', true],
    ['nothing that is in its id by chance', '500', false],
  ])('finds a run by %s', (_, text, isFound) => {
    const run = runView({ runId: '019a0c3e-1b2f-7500-8500-4d5001500e77', status: 'completed' });
    expect(ids(filterRuns([run], { text }))).toEqual(isFound ? [run.runId] : []);
  });

  it('finds a run by the name of its workflow', () => {
    const nameOf = (id: string): string => (id === 'score-leads' ? 'Rank contacts' : id);
    expect(ids(filterRuns(runs, { text: 'contacts' }, nameOf))).toEqual(['r2']);
  });

  it('finds runs with failed rows by a choice of their own, and by words of their outcome', () => {
    const some = runView({ runId: 'r5', rowsDone: 9, rowsFailed: 1 });
    const all = runView({ runId: 'r4', rowsDone: 0, rowsFailed: 10 });
    const more = [some, all, ...runs];
    expect(ids(filterRuns(more, { text: '', status: 'with-failures' }))).toEqual(['r5', 'r4']);
    expect(ids(filterRuns(more, { text: '', status: 'completed' }))).toEqual(['r5', 'r4', 'r1']);
    expect(ids(filterRuns(more, { text: 'all rows failed' }))).toEqual(['r4']);
    expect(countByChoice(chainsOf(more)).get('with-failures')).toBe(2);
    expect(countByChoice(chainsOf(runs)).has('with-failures')).toBe(false);
  });

  it('finds runs that were recorded, replayed, mocked or had a scenario, by a choice and by words', () => {
    const replayed = runView({ runId: 'r6', mode: 'replay', scenario: 'fail-row=1' });
    const mocked = runView({ runId: 'r5', mocks: { company: 'large' } });
    const recorded = runView({ runId: 'r4', mode: 'record' });
    const more = [replayed, mocked, recorded, ...runs];
    expect(ids(filterRuns(more, { text: '', mark: 'replay' }))).toEqual(['r6']);
    expect(ids(filterRuns(more, { text: '', mark: 'mocks' }))).toEqual(['r5']);
    expect(ids(filterRuns(more, { text: 'recorded' }))).toEqual(['r4']);
    expect(ids(filterRuns(more, { text: '', mark: 'scenario', status: 'failed' }))).toEqual([]);
    expect([...countByMark(chainsOf(more))]).toEqual([
      ['replay', 1],
      ['scenario', 1],
      ['mocks', 1],
      ['record', 1],
    ]);
  });

  it('finds runs by their pin, and by name, note and tags', () => {
    const pinned = runView({ runId: 'r6', labels: { isPinned: true, tags: ['Baseline', 'v2'] } });
    const named = runView({ runId: 'r5', labels: { name: 'Before the new prompt', note: 'Asked by Ada' } });
    const more = [pinned, named, ...runs];
    expect(ids(filterRuns(more, { text: '', isPinned: true }))).toEqual(['r6']);
    expect(ids(filterRuns(more, { text: '', tag: 'v2' }))).toEqual(['r6']);
    expect(ids(filterRuns(more, { text: '', tag: 'v' }))).toEqual([]);
    expect(ids(filterRuns(more, { text: 'baseline' }))).toEqual(['r6']);
    expect(ids(filterRuns(more, { text: 'new prompt ada' }))).toEqual(['r5']);
  });

  it('counts by status, and those that work', () => {
    expect(countByChoice(chainsOf(runs)).get('failed')).toBe(1);
    expect(countActive([...runs, runView({ status: 'queued' }), runView({ status: 'paused' })])).toBe(2);
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

  it('pins a run that is not pinned, and unpins the others', () => {
    const pinned = runView({ runId: 'r6', labels: { isPinned: true } });
    expect(ids(fitFor('pin', [pinned, done]))).toEqual(['r1']);
    expect(ids(fitFor('unpin', [pinned, done]))).toEqual(['r6']);
  });

  it('repeats failed rows only of ended runs that have some', () => {
    expect([
      mayDo('rerun-failed', failed),
      mayDo('rerun-failed', running),
      mayDo('rerun-failed', done),
    ]).toEqual([true, false, false]);
  });
});
