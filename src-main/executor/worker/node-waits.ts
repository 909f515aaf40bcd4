// Which nodes of a workflow a node waits for, so that nodes that call out can run beside each other. Pure.
//
//   input ─► company ─► score ─► result        company and rates call out, and neither reads the other:
//      └───► rates ────────────────┘           both calls are under way at the same time
//
// A node waits for the nodes that it reads or names in `after`. All nodes behind an `assert`, `fail` or `delay` node wait for
// it, since it may keep them from running; a `delay` waits for all nodes before it.
import type { NodeType } from '../../domain/nodes/catalogue.ts';
import { dependenciesOf } from '../../domain/workflow/graph.ts';
import type { WorkflowNode } from '../../domain/workflow/workflow.ts';

/** Types of nodes that make calls; row workers do not load the catalogue, whose schemas they do not need. */
export const callingTypes: ReadonlySet<NodeType> = new Set(['http', 'llm']);

/** Types that hold back all nodes behind them in the plan. */
const holdingTypes: ReadonlySet<NodeType> = new Set(['assert', 'fail', 'delay']);

/** For each node, by its index in the plan, the indexes of the nodes that must have ended before it begins. */
export function nodeWaits(nodes: readonly WorkflowNode[]): readonly (readonly number[])[] {
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const dependencies = dependenciesOf(nodes);
  let holding: number | undefined;
  return nodes.map(({ id, type }, index) => {
    const own = [...(dependencies.get(id) ?? [])].flatMap((other) => indexes.get(other) ?? []);
    const before = type === 'delay' ? Array.from({ length: index }, (_, other) => other) : own;
    const waits = new Set([...before, ...(holding === undefined ? [] : [holding])]);
    if (holdingTypes.has(type)) holding = index;
    return [...waits];
  });
}

/**
 * True if two of the calling nodes may run at the same time.
 * @param waits as `nodeWaits` returns them
 * @param calls true for each node that calls out, by its index
 */
export function mayCallConcurrently(
  waits: readonly (readonly number[])[],
  calls: readonly boolean[],
): boolean {
  const callsBefore: Set<number>[] = [];
  let callsSoFar = 0;
  for (const [index, before] of waits.entries()) {
    const reached = new Set(before.flatMap((other) => [...(callsBefore[other] ?? [])]));
    for (const other of before) if (calls[other] === true) reached.add(other);
    callsBefore.push(reached);
    if (calls[index] !== true) continue;
    if (reached.size < callsSoFar) return true;
    callsSoFar += 1;
  }
  return false;
}
