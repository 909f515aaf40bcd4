// Which nodes need not run again when a run is repeated from one of them on. Pure.
//
//   input ─► domain ─► company ─► hot ─► result          from company: domain is reused; company, hot and
//              └────────────────────────► result          result run
//
// A node runs if the rerun starts from it, its definition has changed, or it waits for a node that runs. Input and
// output nodes always run: they only check and assemble values.
import { actionOf, type NodeType } from '../domain/nodes/catalogue.ts';
import { dependenciesOf } from '../domain/workflow/graph.ts';
import type { WorkflowNode } from '../domain/workflow/workflow.ts';
import type { Plan } from './plan.ts';

/** Ids of the nodes of `now` whose values can be reused from a run of `before`, in the order of execution. */
export function reusableNodes(before: Plan, now: Plan, from: string): readonly string[] {
  const earlier = definitionsOf(before);
  const later = definitionsOf(now);
  const runs = new Set([from]);
  const dependencies = dependenciesOf(now.nodes);
  return now.nodes.flatMap(({ id, type }) => {
    const waitsForOne = [...(dependencies.get(id) ?? [])].some((other) => runs.has(other));
    if (waitsForOne || earlier.get(id) !== later.get(id)) runs.add(id);
    return runs.has(id) || type === 'input' || type === 'output' ? [] : [id];
  });
}

/** Keys of a plan's own settings; the other keys, `tables` and `workflows`, hold the content of other files. */
const ownKeys = new Set([
  'workflowId',
  'concurrency',
  'onRowError',
  'tokenBudget',
  'onBudget',
  'mayWait',
  'reachesOut',
]);

/** Definitions of all nodes, for comparison. The line in the file does not count; mocks, variables and content of other files do. */
function definitionsOf({ nodes, mocks, vars, ...rest }: Plan): ReadonlyMap<string, string> {
  const mockOf = new Map(mocks);
  const workflows = rest.workflows.map((part) => ({ ...part, nodes: part.nodes.map(withoutLine) }));
  const otherContent = JSON.stringify(
    Object.entries({ ...rest, workflows }).filter(([key]) => !ownKeys.has(key)),
  );
  const definition = (node: WorkflowNode): string => {
    const own = JSON.stringify(withoutLine(node));
    return JSON.stringify([
      own,
      mockOf.get(node.id),
      readsOtherFiles(node.type) ? otherContent : '',
      // A variable that the node does not read may make it run again, too.
      own.includes('vars') ? vars : '',
    ]);
  };
  return new Map(nodes.map((node) => [node.id, definition(node)]));
}

const withoutLine = (node: WorkflowNode): WorkflowNode => ({ ...node, line: 0 });

const readsOtherFiles = (type: NodeType): boolean => ['lookup', 'workflow'].includes(actionOf(type) ?? '');
