import { describe, expect, it } from 'vitest';
import { card, type GraphEdge } from '../../../../../src-renderer/state/workflow/graph/graph-layout.ts';
import { StableLayout } from '../../../../../src-renderer/state/workflow/graph/stable-layout.ts';
import { seededRandom } from '../../../../builders/seeded-random.ts';

/** 60 nodes in ten layers; each reads one or two of the layer before. */
function largeGraph(): { ids: string[]; edges: GraphEdge[] } {
  const random = seededRandom(7);
  const ids = ['input', ...Array.from({ length: 59 }, (_, at) => `n${at}`)];
  const edges = ids.slice(1).flatMap((to, at): GraphEdge[] => {
    const layer = Math.floor(at / 6);
    if (layer === 0) return [{ from: 'input', to }];
    const before = ids.slice(1 + (layer - 1) * 6, 1 + layer * 6);
    const froms = new Set([before[at % 6], ...(random() < 0.3 ? [before[Math.floor(random() * 6)]] : [])]);
    return [...froms].flatMap((from) => (from === undefined ? [] : [{ from, to }]));
  });
  return { ids, edges };
}

const withNode = ({ ids, edges }: ReturnType<typeof largeGraph>, { from, to }: GraphEdge) => ({
  ids: ids.toSpliced(ids.indexOf(to), 0, 'fresh'),
  edges: [
    ...edges.filter((edge) => edge.from !== from || edge.to !== to),
    { from, to: 'fresh' },
    { from: 'fresh', to },
  ],
});

/** Nodes that follow a node, and the node. */
function nodesBehind(start: string, edges: readonly GraphEdge[]): ReadonlySet<string> {
  const behind = new Set([start]);
  for (const id of behind) for (const { from, to } of edges) if (from === id) behind.add(to);
  return behind;
}

describe('the layout of a graph that is edited', () => {
  const graph = largeGraph();

  it('moves few cards up or down when a node is inserted on any edge, and only those behind it to the right', () => {
    for (const edge of graph.edges) {
      const layouts = new StableLayout();
      const before = new Map(layouts.layoutOf(graph.ids, graph.edges).nodes.map((node) => [node.id, node]));
      const changed = withNode(graph, edge);
      const after = layouts.layoutOf(changed.ids, changed.edges).nodes.filter(({ id }) => before.has(id));
      const moved = (axis: 'x' | 'y') =>
        after.filter((node) => Math.abs(node[axis] - (before.get(node.id)?.[axis] ?? 0)) > card.height);
      expect(moved('y').length, `${edge.from} ${edge.to}`).toBeLessThanOrEqual(6);
      const behind = nodesBehind(edge.to, graph.edges);
      expect(moved('x').filter(({ id }) => !behind.has(id))).toEqual([]);
    }
  });

  it('is the same for the same graph, also after an undo', () => {
    const layouts = new StableLayout();
    const first = layouts.layoutOf(graph.ids, graph.edges);
    const changed = withNode(graph, { from: 'input', to: 'n0' });
    layouts.layoutOf(changed.ids, changed.edges);
    expect(layouts.layoutOf([...graph.ids], [...graph.edges])).toBe(first);
  });

  it('keeps the cards apart over many edits', () => {
    const layouts = new StableLayout();
    let current = graph;
    layouts.layoutOf(current.ids, current.edges);
    for (let count = 0; count < 20; count += 1) {
      const edge = current.edges[(count * 7) % current.edges.length] ?? { from: 'input', to: 'n0' };
      const next = withNode(current, edge);
      const rename = (id: string): string => (id === 'fresh' ? `fresh${count}` : id);
      current = {
        ids: next.ids.map(rename),
        edges: next.edges.map(({ from, to }) => ({ from: rename(from), to: rename(to) })),
      };
      const { nodes } = layouts.layoutOf(current.ids, current.edges);
      for (const one of nodes)
        for (const other of nodes)
          if (one.id < other.id && one.layer === other.layer)
            expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(card.height + card.gapY - 1);
    }
  });
});
