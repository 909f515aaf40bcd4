import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src-main/domain/workflow/parse-workflow.ts';
import { planRun } from '../../../src-main/executor/plan-run.ts';
import type { Plan } from '../../../src-main/executor/plan.ts';

const planOf = (nodes: string): Plan => {
  const { workflow, issues } = parseWorkflow(
    `rowbench: 1\nid: w\nconcurrency: 4\nonRowError: skip\nnodes:\n${nodes}`,
  );
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (workflow === undefined) throw new Error('a workflow is wanted');
  return planRun(workflow);
};

const order = (nodes: string): string[] => planOf(nodes).nodes.map(({ id }) => id);

describe('planRun', () => {
  // input ─► a ─► b ─► out
  it('puts every node after all that it reads, whatever the order in the file', () => {
    expect(
      order(`
  - { id: out, type: output, fields: { x: "=nodes.b.x" } }
  - { id: b, type: set, values: { x: "=nodes.a.x" } }
  - { id: a, type: set, values: { x: "=row.x" } }
  - { id: input, type: input }`),
    ).toEqual(['input', 'a', 'b', 'out']);
  });

  //        ┌─► b ─┐
  // input ─┤      ├─► out
  //        └─► a ─┘
  it('keeps the order of the file where nothing decides', () => {
    expect(
      order(`
  - { id: input, type: input }
  - { id: b, type: set, values: { x: 1 } }
  - { id: a, type: set, values: { x: 2 } }
  - { id: out, type: output, fields: { x: "=nodes.a.x + nodes.b.x" } }`),
    ).toEqual(['input', 'b', 'a', 'out']);
  });

  // input ─► late ┄after┄► early ─► out
  it('follows `after`, which is for order alone', () => {
    expect(
      order(`
  - { id: input, type: input }
  - { id: early, type: set, after: late, values: { x: 1 } }
  - { id: late, type: set, values: { x: 2 } }
  - { id: out, type: output, fields: { x: "=nodes.early.x" } }`),
    ).toEqual(['input', 'late', 'early', 'out']);
  });

  it('carries what holds for the whole run', () => {
    const plan = planOf(`
  - { id: input, type: input }
  - { id: out, type: output, fields: { x: 1 } }`);
    expect(plan).toMatchObject({ workflowId: 'w', concurrency: 4, onRowError: 'skip', mayWait: false });
  });

  it.each([
    ['a delay', '{ id: x, type: delay, for: 1s }', true],
    [
      'a retry with a pause',
      '{ id: x, type: set, values: { y: 1 }, retry: { attempts: 2, delay: 1s } }',
      true,
    ],
    ['a single attempt', '{ id: x, type: set, values: { y: 1 }, retry: { attempts: 1, delay: 1s } }', false],
    ['a retry at once', '{ id: x, type: set, values: { y: 1 }, retry: { attempts: 2, delay: 0ms } }', false],
  ])('%s says whether rows may wait', (_, node, mayWait) => {
    const plan = planOf(`
  - { id: input, type: input }
  - ${node}
  - { id: out, type: output, fields: { x: "=nodes.x" } }`);
    expect(plan.mayWait).toBe(mayWait);
  });
});
