import { invariant } from '../base/invariant.ts';
import { mocksInvalid, variablesUnset } from '../domain/workflow-errors.ts';
import { actionOf, nodeTypes, targetOf } from '../domain/nodes/catalogue.ts';
import { noDependencies, type LoadedDependencies, type CalledWorkflow } from '../domain/sources/needs.ts';
import { bodiesOf, bodyId } from '../domain/workflow/body.ts';
import { chooseMocks, mocksOf, type MockChoice, type MockInputs } from '../domain/workflow/choose-mocks.ts';
import { orderNodes } from '../domain/workflow/graph.ts';
import type { Workflow, WorkflowNode } from '../domain/workflow/workflow.ts';
import { sharesWorkflow, type Plan, type PlanNode, type PlanPart } from './plan.ts';

/**
 * The plan of a validated workflow. Pure. Throws `invalid_input` for a chosen mock that does not exist, and
 * `workflow_invalid` for variables without a value.
 * @param inputs which nodes answer from a mock; the mode is that of bodies and called workflows, too
 * @param dependencies tables and called workflows that the workflow needs with these mocks
 */
export function planRun(
  workflow: Workflow,
  inputs: MockInputs = {},
  dependencies: LoadedDependencies = noDependencies,
): Plan {
  const [own, ...bodies] = planWithBodies({ workflow, tables: dependencies.tables }, inputs);
  const called = dependencies.workflows.flatMap((each) => planWithBodies(each, { mode: inputs.mode }));
  const workflows = [...bodies, ...called];
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
      running.some((node) => node.action === 'wait' || sharesWorkflow(node)) ||
      [own, ...workflows].some(pausesForRetries),
    reachesOut: callsOut,
  };
}

/** The workflow, then the bodies of its nodes. */
function planWithBodies({ workflow, tables }: CalledWorkflow, inputs: MockInputs): [PlanPart, ...PlanPart[]] {
  const choice = mocksOf(workflow, inputs);
  const bodies = bodiesOf(workflow, choice).map((body) =>
    planPart({ workflow: body.workflow, tables }, mocksOf(body.workflow, { mode: inputs.mode })),
  );
  return [planPart({ workflow, tables }, choice), ...bodies];
}

function planPart({ workflow, tables }: CalledWorkflow, choice: MockChoice): PlanPart {
  const { mocks, problems } = chooseMocks(workflow, choice);
  if (problems.length > 0) throw mocksInvalid(workflow.id, problems);
  const unset = workflow.vars.filter(({ value }) => value === null);
  if (unset.length > 0) throw variablesUnset(workflow.id, unset);
  const nodes = orderNodes(workflow.nodes).map((node) => planNode(node, workflow.id));
  invariant(
    nodes.some(({ type }) => type === 'output'),
    'a validated workflow has an output node',
  );
  const vars = workflow.vars.map(({ name, value }) => [name, value] as const);
  const paths = new Set(nodes.flatMap((node) => targetOf('lookup', node)?.path ?? []));
  return {
    workflowId: workflow.id,
    vars,
    nodes,
    mocks,
    tables: tables.filter(({ path }) => paths.has(path)),
  };
}

const runningNodes = ({ nodes, mocks }: PlanPart): readonly PlanNode[] =>
  nodes.filter(({ id }) => !mocks.some(([mocked]) => mocked === id));

const pausesForRetries = ({ nodes }: PlanPart): boolean => nodes.some(pausesForRetry);

/**
 * Removes the mocks of a node: workers need only the chosen ones, and recorded answers can be large. A body is a part of
 * the plan of its own, which the node calls.
 */
function planNode(node: WorkflowNode, workflowId: string): PlanNode {
  const { mock: _mock, body, ...others } = node;
  const called =
    body === undefined ? {} : { config: { ...node.config, workflow: bodyId(workflowId, node.id) } };
  return {
    ...({ ...others, ...called } as WorkflowNode),
    action: actionOf(node.type),
    isBarrier: nodeTypes[node.type].isBarrier,
  };
}

const pausesForRetry = ({ retry }: WorkflowNode): boolean =>
  retry !== undefined && retry.attempts > 1 && retry.delayMs > 0;
