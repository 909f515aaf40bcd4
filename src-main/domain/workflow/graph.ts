// The order of a workflow's nodes follows from what they read. Pure functions over ids; a workflow has at most a
// thousand nodes, so plain loops will do.
import { invariant } from '../../base/invariant.ts';
import { nodeReads } from './node-reads.ts';
import type { WorkflowNode } from './workflow.ts';

/** For each node, in file order, the nodes that must have run before it. */
export type Dependencies = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The nodes that each node waits for: those that it reads, those that it names in `after`, and the input node, which
 * checks the row before any other node uses it. Ids of nodes that do not exist are left out.
 */
export function dependenciesOf(nodes: readonly WorkflowNode[]): Dependencies {
  const ids = new Set(nodes.map((node) => node.id));
  const inputs = nodes.filter((node) => node.type === 'input').map((node) => node.id);
  return new Map(
    nodes.map((node) => {
      const implied = node.type === 'input' ? [] : inputs;
      const before = [...implied, ...nodeReads(node), ...node.after];
      return [node.id, new Set(before.filter((id) => ids.has(id)))];
    }),
  );
}

/** The nodes, each after all that it waits for; otherwise in file order. The nodes must be free of cycles. */
export function orderNodes(nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const order = orderIds(dependenciesOf(nodes));
  invariant(order.length === nodes.length, 'a valid workflow has no cycle');
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return order.flatMap((id) => byId.get(id) ?? []);
}

/**
 * Cycles, each as a path of what waits for what (`a` waits for `b`, `b` for `a`: [a, b]), beginning with the node
 * that is first in the file. No node is in two of them; mending one may show another.
 *
 *  1. Leave out whatever can be ordered: each node left waits for another one that is left.
 *  2. Walk along the waits, leaving out where an earlier walk has been; where a walk meets itself is a cycle.
 */
export function findCycles(dependencies: Dependencies): string[][] {
  const ordered = new Set(orderIds(dependencies));
  const left = [...dependencies.keys()].filter((id) => !ordered.has(id));
  const walked = new Set<string>();
  const cycles: string[][] = [];
  for (const start of left) {
    const path: string[] = [];
    let at: string | undefined = walked.has(start) ? undefined : start;
    while (at !== undefined && !path.includes(at)) {
      path.push(at);
      at = [...(dependencies.get(at) ?? [])].find((id) => !ordered.has(id) && !walked.has(id));
    }
    if (at !== undefined) cycles.push(fromFirst(path.slice(path.indexOf(at)), left));
    for (const id of path) walked.add(id);
  }
  return cycles;
}

/** Always takes the first node in the file of which all dependencies are done; leaves out cycles and what waits for them. */
function orderIds(dependencies: Dependencies): string[] {
  const done = new Set<string>();
  const isReady = ([id, before]: readonly [string, ReadonlySet<string>]): boolean =>
    !done.has(id) && [...before].every((other) => done.has(other));
  const entries = [...dependencies];
  for (let next = entries.find(isReady); next !== undefined; next = entries.find(isReady)) done.add(next[0]);
  return [...done];
}

function fromFirst(cycle: readonly string[], fileOrder: readonly string[]): string[] {
  const first = Math.min(...cycle.map((id) => fileOrder.indexOf(id)));
  const at = cycle.indexOf(fileOrder[first] ?? '');
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
