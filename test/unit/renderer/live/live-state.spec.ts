import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeyView, LiveChange, LiveMessage, RunView } from '../../../../src-main/contract/index.ts';
import {
  addOlderRuns,
  applyMessage,
  runOf,
  type LiveState,
} from '../../../../src-renderer/state/live/live-state.ts';
import { runView } from '../../../builders/run-view.ts';
import { storedSettings } from '../../../builders/stored-settings.ts';

const server = { version: '1', url: 'u', dataDir: 'd', limits: 'off', startedAt: '' } as const;

const snapshot = (runs: readonly RunView[] = [], sequence = 1): LiveMessage => ({
  type: 'snapshot',
  sequence,
  snapshot: {
    server,
    settings: storedSettings(),
    runs,
    keys: [],
    workflows: [],
    removed: null,
    newestCall: 0,
  },
});
const changes = (sequence: number, ...all: readonly LiveChange[]): LiveMessage => ({
  type: 'changes',
  sequence,
  changes: all,
});
const runChanged = (run: RunView): LiveChange => ({ type: 'run-changed', run });
const key = (id: string, calls = 0) => ({ id, calls }) as KeyView;

const after = (...messages: readonly LiveMessage[]): LiveState | undefined =>
  messages.reduce<LiveState | undefined>(applyMessage, undefined);
const idsOf = (state: LiveState | undefined): readonly string[] =>
  state?.runs.map(({ runId }) => runId) ?? [];

describe('the live state', () => {
  it('is a snapshot, and a later one replaces all of it', () => {
    const state = after(snapshot([runView({ runId: 'r1' })]), snapshot([runView({ runId: 'r9' })], 7));
    expect(state).toMatchObject({ sequence: 7, server, runs: [{ runId: 'r9' }] });
  });

  it('knows nothing before a snapshot', () => {
    expect(after(changes(1, runChanged(runView())))).toBeUndefined();
  });

  it('has the newest counts of each chain that it has heard of since the last snapshot', () => {
    const counts = (chainId: string, done: number) =>
      ({ chainId, rows: 9, done, failed: 0, notRun: 9 - done, open: 9 - done, attempts: 2 }) as const;
    const changed = (chainId: string, done: number): LiveChange => ({
      type: 'chain-changed',
      counts: counts(chainId, done),
    });
    const messages = [snapshot(), changes(2, changed('a', 1), changed('b', 2)), changes(3, changed('a', 5))];
    expect([...(after(...messages)?.chains ?? [])]).toEqual([
      ['a', counts('a', 5)],
      ['b', counts('b', 2)],
    ]);
    expect(after(...messages, snapshot([], 4))?.chains.size).toBe(0);
  });

  it('takes a run that changed, came and went in its place, newest first', () => {
    const state = after(
      snapshot([runView({ runId: 'r5' }), runView({ runId: 'r3' })]),
      changes(2, runChanged(runView({ runId: 'r3', rowsDone: 4 })), runChanged(runView({ runId: 'r4' }))),
      changes(3, { type: 'run-removed', runId: 'r5' }, { type: 'run-removed', runId: 'unknown' }),
    );
    expect(idsOf(state)).toEqual(['r4', 'r3']);
    expect(state?.runs[1]?.rowsDone).toBe(4);
  });

  it('makes lists of runs anew only where a run changed, and reads few of them for it', () => {
    const reads: string[] = [];
    const counted = (runId: string): RunView => {
      const run = runView({ runId });
      return Object.defineProperty({ ...run }, 'runId', {
        get: () => {
          reads.push(runId);
          return runId;
        },
      });
    };
    const runs = Array.from({ length: 10_000 }, (_, n) => counted(`r${String(99_999 - n)}`));
    const before = after(snapshot(runs));
    const called = applyMessage(before, changes(2, { type: 'calls-changed', newest: 5 }));
    expect(called?.newestCall).toBe(5);
    expect(called?.runs).toBe(before?.runs);
    const moved = applyMessage(called, changes(3, runChanged(runView({ runId: 'r95000', rowsDone: 1 }))));
    expect(runOf(moved?.runs ?? [], 'r95000')?.rowsDone).toBe(1);
    expect(runOf(moved?.runs ?? [], 'r12')).toBeUndefined();
    expect(reads.length).toBeLessThan(100);
  });

  it('ignores what it has heard already', () => {
    const late = changes(1, { type: 'run-removed', runId: 'r1' });
    expect(idsOf(after(snapshot([runView()], 2), late))).toEqual(['r1']);
  });

  it('takes keys in their order and workflows as a whole', () => {
    const state = after(
      snapshot(),
      changes(2, { type: 'key-changed', key: key('a') }, { type: 'key-changed', key: key('b') }),
      changes(3, { type: 'key-changed', key: key('a', 5) }, { type: 'workflows-changed', workflows: [] }),
    );
    expect(state?.keys).toEqual([key('a', 5), key('b')]);
  });

  it('keeps the run of the feed when an older answer has it too', () => {
    const state = after(snapshot([runView({ runId: 'r5', rowsDone: 9 })]));
    const added = addOlderRuns(state!, [runView({ runId: 'r5', rowsDone: 1 }), runView({ runId: 'r2' })]);
    expect([idsOf(added), added.runs[0]?.rowsDone]).toEqual([['r5', 'r2'], 9]);
  });

  it('holds each run once, newest first, whatever comes', () => {
    const id = fc.integer({ min: 0, max: 20 }).map((n) => `r${String(n).padStart(2, '0')}`);
    const change = fc.oneof(
      id.map((runId) => runChanged(runView({ runId }))),
      id.map((runId): LiveChange => ({ type: 'run-removed', runId })),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (all) => {
        const known = new Set<string>();
        for (const each of all) {
          if (each.type === 'run-changed') known.add(each.run.runId);
          else if (each.type === 'run-removed') known.delete(each.runId);
        }
        const messages = all.map((each, index) => changes(index + 2, each));
        expect(idsOf(after(snapshot(), ...messages))).toEqual([...known].sort().reverse());
      }),
    );
  });

  it('takes changed settings and what of the server changes with them', () => {
    const settings = storedSettings({ limits: 'off' });
    const state = after(
      snapshot(),
      changes(2, { type: 'settings-changed', settings, server: { ...server, limits: 'published' } }),
    );
    expect([state?.settings, state?.server.limits]).toEqual([settings, 'published']);
  });
});
