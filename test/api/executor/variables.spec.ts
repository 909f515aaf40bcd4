import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../src-main/executor/plan-run.ts';
import type { Workflow } from '../../../src-main/domain/workflow/workflow.ts';
import { testExecution, testPool } from '../../builders/execution-rig.ts';

function workflowOf(head: string, nodes: string): Workflow {
  const { workflow, issues } = parseWorkflow(
    `rowbench: 1\n${head}\nnodes:\n  - { id: input, type: input }\n${nodes}`,
  );
  if (workflow === undefined) throw new Error(issues.map(({ message }) => message).join('; '));
  return workflow;
}

const own = workflowOf(
  `id: own
onRowError: skip
vars: { rate: 2, names: { DE: Germany }, text: "a, \\"b\\"" }`,
  `  - { id: below, type: workflow, workflow: called, row: { n: =row.n } }
  - { id: code, type: code, code: "vars.names.DE = 'changed'; return 1;", onError: { value: =vars.names.DE } }
  - { id: out, type: output, fields: { own: =row.n * vars.rate, text: '{{ vars.text }}', below: =nodes.below, code: =nodes.code } }`,
);
const called = workflowOf(
  'id: called\nvars: { rate: 30 }',
  '  - { id: out, type: output, fields: { got: =row.n * vars.rate } }',
);

describe('variables', () => {
  it('have the same frozen values in every row, and in each workflow its own', async () => {
    const plan = planRun(own, {}, { tables: [], workflows: [{ workflow: called, tables: [] }] });
    const { execution, sink } = testExecution(plan, { pool: testPool(), rows: [{ n: 1 }, { n: 2 }] });
    await execution.run();
    const each = { text: 'a, "b"', code: 'Germany' };
    expect(sink.outputs).toEqual([
      { own: 2, below: { got: 30 }, ...each },
      { own: 4, below: { got: 60 }, ...each },
    ]);
  });

  it('without a value refuse a run, with their lines', () => {
    const unset = workflowOf(
      'id: unset\nvars:\n  base: null',
      '  - { id: out, type: output, fields: { got: =vars.base } }',
    );
    expect(() => planRun(unset)).toThrow('line 4: the variable "base" has no value');
  });
});
