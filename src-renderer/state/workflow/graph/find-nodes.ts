// Finds nodes of a workflow by their names, types, keys and texts.
import type { OutlineNodeView } from './graph-edits.ts';

export type FoundNode = {
  readonly node: OutlineNodeView;
  /** The line of its text that has the words; absent where its name or type has them. */
  readonly line?: string;
};

const maxFound = 20;

/** Nodes that have the query, names first. @param text of the file that the nodes are in */
export function findNodes(
  nodes: readonly OutlineNodeView[],
  text: string,
  query: string,
): readonly FoundNode[] {
  const words = query.trim().toLowerCase();
  if (words === '') return [];
  const has = (part: string): boolean => part.toLowerCase().includes(words);
  const lines = text.split(/\r?\n/);
  const ranked = nodes.flatMap((node): readonly (FoundNode & { readonly rank: number })[] => {
    if (node.id.toLowerCase() === words) return [{ node, rank: 0 }];
    if (node.id.toLowerCase().startsWith(words)) return [{ node, rank: 1 }];
    if (has(node.id)) return [{ node, rank: 2 }];
    if (has(node.title) || has(node.type)) return [{ node, rank: 3 }];
    const line = lines.slice(node.first - 1, node.last).find(has);
    return line === undefined ? [] : [{ node, line: line.trim(), rank: 4 }];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxFound)
    .map(({ rank: _, ...found }) => found);
}
