import { describe, expect, it } from 'vitest';
import type { WorkflowView } from '../../../../src-main/contract/index.ts';
import { curlSnippet, runnableOf } from '../../../../src-renderer/state/keys/curl-snippet.ts';

const broken: WorkflowView = {
  id: 'broken',
  name: 'Broken',
  file: '/broken.workflow.yaml',
  nodes: 0,
  issues: [],
  trust: 'own',
  network: [],
};

const workflow = (fields: Partial<WorkflowView>): WorkflowView => ({
  ...broken,
  id: 'flow',
  sampleRow: { n: 1 },
  ...fields,
});

describe('the line that starts a run', () => {
  it('holds a row that fits the workflow, quoted for a shell', () => {
    const row = { name: "Conan O'Brien $HOME `x`" };
    const text = curlSnippet({ url: 'http://h', workflow: workflow({ sampleRow: row }), key: 'rbk_x' });
    expect(text).toContain('http://h/api/v1/workflows/flow/runs/async \\\n');
    expect(text).toContain(`-d '{"rows":[{"name":"Conan O'\\''Brien $HOME \`x\`"}]}'`);
  });

  it('is of a workflow that can run and that the key opens, and of the sample only where there is no other', () => {
    const all = [
      broken,
      workflow({ id: 'foreign', trust: 'untrusted' }),
      workflow({ id: 'a' }),
      workflow({ id: 'b' }),
    ];
    expect(runnableOf(all)?.id).toBe('a');
    expect(runnableOf(all, ['b', 'broken'])?.id).toBe('b');
    const sample = workflow({ id: 'score-leads' });
    expect(runnableOf([sample, workflow({ id: 'z' })])?.id).toBe('z');
    expect(runnableOf([broken, sample])?.id).toBe('score-leads');
    expect(runnableOf(all, ['broken'])).toBeUndefined();
  });
});
