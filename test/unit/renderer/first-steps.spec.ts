import { describe, expect, it } from 'vitest';
import type { KeyView, RunView, WorkflowView } from '../../../src-main/contract/index.ts';
import { firstSteps } from '../../../src-renderer/state/runs/first-steps.ts';
import { runView } from '../../builders/run-view.ts';
import { storedSettings } from '../../builders/stored-settings.ts';

type Known = Parameters<typeof firstSteps>[0];

const sample = { id: 'score-leads' } as WorkflowView;
const key = (given: Partial<KeyView>) =>
  ({ name: 'First key', calls: 0, revokedAt: null, ...given }) as KeyView;
const run = (given: Partial<RunView>): RunView =>
  runView({ runId: 'r1', workflowId: 'score-leads', status: 'completed', rows: 5, rowsDone: 5, ...given });

const state = (given: Partial<Known> = {}): Known => ({
  settings: storedSettings(),
  keys: [key({})],
  runs: [],
  workflows: [sample],
  ...given,
});
const done = (given: Partial<Known>): readonly boolean[] | undefined => {
  const steps = firstSteps(state(given));
  return steps === undefined ? undefined : [steps.hasKey, steps.hasRun, steps.isFixed];
};

describe('the first steps', () => {
  it('begin with none done, for the key of the first start was made by nobody', () => {
    expect(done({})).toEqual([false, false, false]);
  });

  it('take a key that was made, or one that was used, and no revoked one', () => {
    expect(done({ keys: [key({}), key({ name: 'mine' })] })?.[0]).toBe(true);
    expect(done({ keys: [key({ calls: 1 })] })?.[0]).toBe(true);
    expect(done({ keys: [key({ name: 'mine', revokedAt: '2026-01-01' })] })?.[0]).toBe(false);
  });

  it('take any run of the sample, and no run of another workflow', () => {
    expect(done({ runs: [run({})] })).toEqual([false, true, false]);
    expect(done({ runs: [run({ workflowId: 'other' })] })).toEqual([false, false, false]);
  });

  it('take a rerun of the sample in which nothing failed', () => {
    const failed = run({ rowsFailed: 1, rowsDone: 4 });
    expect(done({ runs: [run({ runId: 'r2', rerunOf: 'r1', rowsFailed: 1 }), failed] })?.[2]).toBe(false);
    expect(done({ runs: [run({ runId: 'r2', rerunOf: 'r1', rows: 1, rowsDone: 1 }), failed] })?.[2]).toBe(
      true,
    );
  });

  it('know the run that has rows to mend, once it has ended', () => {
    const failed = run({ rowsFailed: 1 });
    expect(firstSteps(state({ runs: [failed] }))?.failed).toBe(failed);
    expect(firstSteps(state({ runs: [run({ status: 'running', rowsFailed: 1 })] }))?.failed).toBeUndefined();
  });

  it('are not shown once they were put away, nor without the sample', () => {
    expect(done({ settings: storedSettings({ firstSteps: 'dismissed' }) })).toBeUndefined();
    expect(done({ workflows: [] })).toBeUndefined();
  });
});
