import { invariant } from '../base/invariant.ts';
import { orderNodes } from '../domain/workflow/graph.ts';
import type { Workflow, WorkflowNode } from '../domain/workflow/workflow.ts';
import type { Plan } from './plan.ts';

/** The work order of a validated workflow. Pure. */
export function planRun(workflow: Workflow): Plan {
  const nodes = orderNodes(workflow.nodes);
  invariant(
    nodes.some(({ type }) => type === 'output'),
    'a validated workflow has an output node',
  );
  return {
    workflowId: workflow.id,
    nodes,
    concurrency: workflow.concurrency,
    onRowError: workflow.onRowError,
    mayWait: nodes.some(mayWait),
  };
}

const mayWait = ({ type, retry }: WorkflowNode): boolean =>
  type === 'delay' || (retry !== undefined && retry.attempts > 1 && retry.delayMs > 0);
