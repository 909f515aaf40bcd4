// Which nodes of a workflow a node waits for, so that nodes that call out can run beside each other. Pure.
//
//   input ─► company ─► score ─► result        company and rates call out, and neither reads the other:
//      └───► rates ────────────────┘           both calls are under way at the same time
//
// A node waits for the nodes that it reads or names in `after`. All nodes behind a barrier (`assert`, `fail`, `delay`)
// wait for it; a node that waits waits for all nodes before it.
import { dependenciesOf } from '../../domain/workflow/graph.ts';
import type { PlanNode } from '../plan.ts';

/** For each node, by its index in the plan, the indexes of the nodes that must have ended before it begins. */
export function nodeWaits(nodes: readonly PlanNode[]): readonly (readonly number[])[] {
  const indexes = new Map(nodes.map(({ id }, index) => [id, index]));
  const dependencies = dependenciesOf(nodes);
  let barrier: number | undefined;
  return nodes.map(({ id, action, isBarrier }, index) => {
    const own = [...(dependencies.get(id) ?? [])].flatMap((other) => indexes.get(other) ?? []);
    const before = action === 'wait' ? Array.from({ length: index }, (_, other) => other) : own;
    const waits = new Set([...before, ...(barrier === undefined ? [] : [barrier])]);
    if (isBarrier) barrier = index;
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
