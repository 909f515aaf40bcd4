// Moves through a graph with arrow keys: left and right along its edges, up and down within a layer.
import type { GraphEdge, LaidOutNode } from './graph-layout.ts';

type Graph = {
  readonly nodes: readonly LaidOutNode[];
  readonly edges: readonly { readonly edge: GraphEdge }[];
};

export type GraphKey = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export const isGraphKey = (key: string): key is GraphKey =>
  ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);

/** Id of the node that a key moves to; the same node if there is none in that direction. From no node, to the first or last. */
export function walkGraph(
  { nodes, edges }: Graph,
  id: string | undefined,
  key: GraphKey,
): string | undefined {
  const ordered = [...nodes].sort((one, other) => one.layer - other.layer || one.y - other.y);
  const here = nodes.find((node) => node.id === id);
  if (key === 'End') return ordered.at(-1)?.id;
  if (here === undefined || key === 'Home') return ordered[0]?.id;
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const layer = ordered.filter((node) => node.layer === here.layer);
    const at = layer.indexOf(here) + (key === 'ArrowDown' ? 1 : -1);
    return (layer[at] ?? here).id;
  }
  const joined = new Set(
    edges.flatMap(({ edge: { from, to } }) => {
      if (key === 'ArrowRight') return from === id ? [to] : [];
      return to === id ? [from] : [];
    }),
  );
  const distance = (node: LaidOutNode): number =>
    Math.abs(node.layer - here.layer) * 10_000 + Math.abs(node.y - here.y);
  const [nearest] = nodes
    .filter((node) => joined.has(node.id))
    .sort((one, other) => distance(one) - distance(other) || one.y - other.y);
  return (nearest ?? here).id;
}
