import { invariant } from '../base/invariant.ts';
import { mocksInvalid, variablesUnset } from '../domain/workflow-errors.ts';
import { actionOf, nodeTypes } from '../domain/nodes/catalogue.ts';
import { noDependencies, type LoadedDependencies, type CalledWorkflow } from '../domain/sources/needs.ts';
import { chooseMocks, type MockChoice } from '../domain/workflow/choose-mocks.ts';
import { orderNodes } from '../domain/workflow/graph.ts';
import type { Workflow, WorkflowNode } from '../domain/workflow/workflow.ts';
import type { Plan, PlanNode, PlanPart } from './plan.ts';

/**
 * The plan of a validated workflow. Pure. Throws `invalid_input` for a chosen mock that does not exist, and
 * `workflow_invalid` for variables without a value.
 * @param choice the nodes that answer from a mock
 * @param dependencies tables and called workflows that the workflow needs with this choice
 */
export function planRun(
  workflow: Workflow,
  choice: MockChoice = {},
  dependencies: LoadedDependencies = noDependencies,
): Plan {
  const own = planPart({ workflow, choice, tables: dependencies.tables });
  const workflows = dependencies.workflows.map(planPart);
  const running = [own, ...workflows].flatMap(runningNodes);
  const callsOut = running.some(({ action }) => action === 'call');
  return {
    ...own,
    workflows,
    concurrency: workflow.concurrency,
    onRowError: workflow.onRowError,
    ...(workflow.tokenBudget === undefined ? {} : { tokenBudget: workflow.tokenBudget }),
    ...(workflow.onBudget === undefined ? {} : { onBudget: workflow.onBudget }),
    mayWait:
      callsOut ||
      running.some(({ action }) => action === 'wait') ||
      [own, ...workflows].some(pausesForRetries),
    reachesOut: callsOut,
  };
}

function planPart({ workflow, choice, tables }: CalledWorkflow): PlanPart {
  const { mocks, problems } = chooseMocks(workflow, choice);
  if (problems.length > 0) throw mocksInvalid(workflow.id, problems);
  const unset = workflow.vars.filter(({ value }) => value === null);
  if (unset.length > 0) throw variablesUnset(workflow.id, unset);
  const nodes = orderNodes(workflow.nodes).map(planNode);
  invariant(
    nodes.some(({ type }) => type === 'output'),
    'a validated workflow has an output node',
  );
  const vars = workflow.vars.map(({ name, value }) => [name, value] as const);
  return { workflowId: workflow.id, vars, nodes, mocks, tables };
}

const runningNodes = ({ nodes, mocks }: PlanPart): readonly PlanNode[] =>
  nodes.filter(({ id }) => !mocks.some(([mocked]) => mocked === id));

const pausesForRetries = ({ nodes }: PlanPart): boolean => nodes.some(pausesForRetry);

/** Removes the mocks of a node: workers need only the chosen ones, and recorded answers can be large. */
function planNode(node: WorkflowNode): PlanNode {
  const { mock: _, ...others } = node;
  return {
    ...(others as WorkflowNode),
    action: actionOf(node.type),
    isBarrier: nodeTypes[node.type].isBarrier,
  };
}

const pausesForRetry = ({ retry }: WorkflowNode): boolean =>
  retry !== undefined && retry.attempts > 1 && retry.delayMs > 0;
