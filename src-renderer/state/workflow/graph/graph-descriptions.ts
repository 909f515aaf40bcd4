import type { GraphEdge } from './graph-layout.ts';

/** Text alternative of the graph for screen readers: for each node, the nodes before and after it. */
export function graphDescriptions(
  ids: readonly string[],
  edges: readonly GraphEdge[],
): ReadonlyMap<string, string> {
  const before = new Map<string, string[]>(ids.map((id) => [id, []]));
  const behind = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of edges) {
    before.get(to)?.push(from);
    behind.get(from)?.push(to);
  }
  const list = (others: readonly string[] = []): string =>
    others.length === 0 ? 'nothing' : others.join(', ');
  return new Map(ids.map((id) => [id, `After ${list(before.get(id))}; before ${list(behind.get(id))}.`]));
}
