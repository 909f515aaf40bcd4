import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  card,
  edgePath,
  layoutGraph,
  type GraphEdge,
} from '../../../../../src-renderer/state/workflow/graph/graph-layout.ts';
import { walkGraph, type GraphKey } from '../../../../../src-renderer/state/workflow/graph/graph-walk.ts';
import { spreadApart } from '../../../../../src-renderer/state/workflow/graph/spread-apart.ts';
import { computingMs } from '../../../../builders/cpu-ratio.ts';

const edge = (arrow: string): GraphEdge => {
  const [from = '', to = ''] = arrow.split('>');
  return { from, to };
};
const layout = (ids: string, ...arrows: readonly string[]) => layoutGraph([...ids], arrows.map(edge));
const layers = (ids: string, ...arrows: readonly string[]) =>
  layout(ids, ...arrows)
    .nodes.map(({ id, layer }) => `${id}${layer}`)
    .join(' ');

/** Any graph without a cycle: edges lead on in the order of the ids. */
const acyclic = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 90 }).map((pairs) => ({
    ids: Array.from({ length: count }, (_, at) => `n${at}`),
    edges: pairs
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => ({ from: `n${Math.min(one, other)}`, to: `n${Math.max(one, other)}` })),
  })),
);

function assertNoOverlap(nodes: ReturnType<typeof layout>['nodes']): void {
  for (const [at, one] of nodes.entries()) {
    for (const other of nodes.slice(at + 1)) {
      if (one.layer !== other.layer) continue;
      expect(Math.abs(one.y - other.y)).toBeGreaterThanOrEqual(card.height + card.gapY - 1);
    }
  }
}

describe('the layout of a graph', () => {
  //  a ─► b ─► d
  //  └──► c ──┘   (a also reads d's place directly: it passes the middle layer)
  it('puts each node one layer behind the last that it follows', () => {
    expect(layers('abcd', 'a>b', 'a>c', 'b>d', 'c>d', 'a>d')).toBe('a0 b1 c1 d2');
    expect(layers('dcba', 'a>b', 'b>c', 'c>d', 'a>d')).toBe('d3 c2 b1 a0');
  });

  it('draws what it can of a file that goes round, and leaves out what leads nowhere', () => {
    const { nodes, edges } = layout('abc', 'a>b', 'b>c', 'c>a', 'a>a', 'a>x', 'x>b');
    expect(nodes.map(({ layer }) => layer)).toEqual([0, 1, 2]);
    expect(edges.map(({ edge: { from, to } }) => from + to)).toEqual(['ab', 'bc']);
  });

  it('uncrosses what stands crossed in the file', () => {
    const { nodes } = layout('abcd', 'a>d', 'b>c');
    const y = new Map(nodes.map((node) => [node.id, node.y]));
    expect((y.get('d') ?? 0) < (y.get('c') ?? 0)).toBe(true);
  });

  it('stands in a straight line where the graph is one, and in the middle of what it joins', () => {
    expect(new Set(layout('abc', 'a>b', 'b>c').nodes.map(({ y }) => y)).size).toBe(1);
    const [a, b, c, d] = layout('abcd', 'a>b', 'a>c', 'b>d', 'c>d').nodes;
    expect(a?.y).toBe(d?.y);
    expect(((b?.y ?? 0) + (c?.y ?? 0)) / 2).toBe(a?.y);
  });

  it('never lays one card over another, and every edge leads forward', () => {
    fc.assert(
      fc.property(acyclic, ({ ids, edges }) => {
        const made = layoutGraph(ids, edges);
        assertNoOverlap(made.nodes);
        expect(made.nodes.map(({ id }) => id)).toEqual(ids);
        expect(made.edges).toHaveLength(edges.length);
        for (const { points } of made.edges) {
          for (const [at, [x]] of points.slice(1).entries()) expect(x).toBeGreaterThan(points[at]?.[0] ?? 0);
        }
        for (const { x, y } of made.nodes) {
          expect(x >= 0 && y >= 0 && x + card.width <= made.width && y + card.height <= made.height + 1).toBe(
            true,
          );
        }
        expect(layoutGraph(ids, edges)).toEqual(made);
      }),
    );
  });

  it.each([
    ['a chain', (n: number) => [n - 1]],
    ['all read all before them', (n: number) => [n - 1, n - 2, n - 3, 0]],
    ['a tree', (n: number) => [Math.floor((n - 1) / 3)]],
    ['a fan', () => [0]],
  ])('lays out 500 nodes quickly: %s', (_, reads) => {
    const ids = Array.from({ length: 500 }, (__, n) => `n${n}`);
    const edges = ids
      .slice(1)
      .flatMap((to, at) =>
        [...new Set(reads(at + 1))].filter((n) => n >= 0 && n <= at).map((n) => ({ from: `n${n}`, to })),
      );
    layoutGraph(ids, edges);
    const took = [1, 2, 3].map(() => computingMs(() => layoutGraph(ids, edges)));
    // 50 ms on a quiet machine; a collection of garbage makes a turn dearer, never cheaper.
    expect(Math.min(...took)).toBeLessThan(150);
  });

  it('bends an edge between layers and leads it straight through its lane', () => {
    expect(
      edgePath([
        [200, 32],
        [264, 90],
        [464, 90],
        [528, 32],
      ]),
    ).toBe('M200 32 C232 32 232 90 264 90 L464 90 C496 90 496 32 528 32');
  });
});

describe('the arrow keys', () => {
  //  a ─► b ─► d
  //  └──► c
  const graph = layout('abcd', 'a>b', 'a>c', 'b>d');
  it.each([
    [undefined, 'ArrowRight', 'a'],
    [undefined, 'End', 'd'],
    ['a', 'ArrowRight', 'b'],
    ['b', 'ArrowDown', 'c'],
    ['c', 'ArrowDown', 'c'],
    ['c', 'ArrowRight', 'c'],
    ['c', 'ArrowLeft', 'a'],
    ['a', 'End', 'd'],
    ['d', 'Home', 'a'],
    ['d', 'ArrowLeft', 'b'],
  ] as const)('lead from %s by %s to %s', (from, key, to) => {
    expect(walkGraph(graph, from, key)).toBe(to);
  });

  it('stay where they are in a graph without nodes', () => {
    expect(walkGraph(layout(''), undefined, 'ArrowUp' satisfies GraphKey)).toBeUndefined();
  });
});

describe('things that are spread apart', () => {
  it('stay where they want to be if there is room, and share the way if there is none', () => {
    expect(
      spreadApart(
        [
          { target: 0, size: 10 },
          { target: 50, size: 10 },
        ],
        5,
      ),
    ).toEqual([0, 50]);
    expect(
      spreadApart(
        [
          { target: 10, size: 10 },
          { target: 10, size: 10 },
        ],
        5,
      ),
    ).toEqual([2.5, 17.5]);
  });
});
