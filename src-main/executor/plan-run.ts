import { invariant } from '../base/invariant.ts';
import { mocksInvalid } from '../domain/errors.ts';
import { reachesOut } from '../domain/nodes/catalogue.ts';
import { nothingBeside, type Beside } from '../domain/sources/beside.ts';
import { needsOf } from '../domain/sources/needs.ts';
import { chooseMocks, type MockChoice } from '../domain/workflow/choose-mocks.ts';
import { orderNodes } from '../domain/workflow/graph.ts';
import type { Workflow, WorkflowNode } from '../domain/workflow/workflow.ts';
import type { Plan } from './plan.ts';

/**
 * The work order of a validated workflow. Pure.
 * @param beside what `needsOf` says that the workflow needs with that choice
 * @param choice the nodes that answer from a mock; throws `invalid_input` when one of them has no such mock
 */
export function planRun(workflow: Workflow, choice: MockChoice = {}, beside: Beside = nothingBeside): Plan {
  const { mocks, problems } = chooseMocks(workflow, choice);
  if (problems.length > 0) throw mocksInvalid(workflow.id, problems);
  const nodes = orderNodes(workflow.nodes).map(withoutMocks);
  invariant(
    nodes.some(({ type }) => type === 'output'),
    'a validated workflow has an output node',
  );
  const mocked = new Set(mocks.map(([nodeId]) => nodeId));
  const running = nodes.filter(({ id }) => !mocked.has(id));
  const callsOut = running.some(({ type }) => reachesOut(type));
  const tables = needsOf(workflow, choice).tables.map(({ path }) => path);
  return {
    workflowId: workflow.id,
    nodes,
    mocks,
    tables: beside.tables.filter(({ path }) => tables.includes(path)),
    concurrency: workflow.concurrency,
    onRowError: workflow.onRowError,
    mayWait: callsOut || nodes.some(pausesForRetry) || running.some(({ type }) => type === 'delay'),
    reachesOut: callsOut,
  };
}

/** Workers need the chosen mocks alone, and canned answers can be large. */
const withoutMocks = (node: WorkflowNode): WorkflowNode =>
  Object.fromEntries(Object.entries(node).filter(([key]) => key !== 'mock')) as WorkflowNode;

const pausesForRetry = ({ retry }: WorkflowNode): boolean =>
  retry !== undefined && retry.attempts > 1 && retry.delayMs > 0;
