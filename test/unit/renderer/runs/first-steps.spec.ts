import { describe, expect, it } from 'vitest';
import type { KeyView, RunView, WorkflowView } from '../../../../src-main/contract/index.ts';
import { firstSteps } from '../../../../src-renderer/state/runs/first-steps.ts';
import { runView } from '../../../builders/run-view.ts';
import { storedSettings } from '../../../builders/stored-settings.ts';

type Known = Parameters<typeof firstSteps>[0];

const sample = { id: 'score-leads' } as WorkflowView;
const key = (fields: Partial<KeyView>) =>
  ({ name: 'First key', calls: 0, revokedAt: null, ...fields }) as KeyView;
const run = (fields: Partial<RunView>): RunView =>
  runView({
    runId: 'r1',
    workflowId: 'score-leads',
    origin: 'app',
    status: 'completed',
    rows: 5,
    rowsDone: 5,
    ...fields,
  });

const state = (fields: Partial<Known> = {}): Known => ({
  settings: storedSettings(),
  keys: [key({})],
  runs: [],
  workflows: [sample],
  ...fields,
});
const done = (fields: Partial<Known>): readonly boolean[] | undefined => {
  const steps = firstSteps(state(fields));
  return steps === undefined ? undefined : [steps.hasKey, steps.hasRun, steps.isFixed];
};

describe('the first steps', () => {
  it('the key of the first start counts, and a revoked key does not', () => {
    expect(done({})).toEqual([true, false, false]);
    expect(done({ keys: [] })?.[0]).toBe(false);
    expect(done({ keys: [key({ revokedAt: '2026-01-01' })] })?.[0]).toBe(false);
  });

  it('a run counts once it has ended with a failed row to look at', () => {
    const failed = run({ rowsFailed: 1, rowsDone: 4 });
    expect(done({ runs: [failed] })).toEqual([true, true, false]);
    expect(firstSteps(state({ runs: [failed] }))?.failed).toBe(failed);
    expect(done({ runs: [run({ rows: 1, rowsDone: 1 })] })?.[1]).toBe(false);
    expect(done({ runs: [run({ status: 'running', rowsFailed: 1 })] })?.[1]).toBe(false);
    expect(done({ runs: [run({ rowsFailed: 1, workflowId: 'other' })] })?.[1]).toBe(false);
  });

  it('a run that a script or the command line started does not count', () => {
    for (const origin of ['my script', 'cli'])
      expect(done({ runs: [run({ rowsFailed: 1, rowsDone: 4, origin })] })?.[1]).toBe(false);
  });

  it('a rerun of the sample in which nothing failed is the last step', () => {
    const failed = run({ rowsFailed: 1, rowsDone: 4 });
    expect(done({ runs: [run({ runId: 'r2', rerunOf: 'r1', rowsFailed: 1 }), failed] })?.[2]).toBe(false);
    const fixed = run({ runId: 'r2', rerunOf: 'r1', rows: 1, rowsDone: 1 });
    expect(done({ runs: [fixed, failed] })?.[2]).toBe(true);
    expect(done({ runs: [fixed] })).toEqual([true, true, true]);
  });

  it('dismissed steps are not shown, nor any without the sample', () => {
    expect(done({ settings: storedSettings({ firstSteps: 'dismissed' }) })).toBeUndefined();
    expect(done({ workflows: [] })).toBeUndefined();
  });
});
