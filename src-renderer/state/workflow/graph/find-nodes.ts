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
  const ranked = nodes.flatMap((node): readonly (readonly [rank: number, found: FoundNode])[] => {
    if (node.id.toLowerCase() === words) return [[0, { node }]];
    if (node.id.toLowerCase().startsWith(words)) return [[1, { node }]];
    if (has(node.id)) return [[2, { node }]];
    if (has(node.title) || has(node.type)) return [[3, { node }]];
    const line = lines.slice(node.first - 1, node.last).find(has);
    return line === undefined ? [] : [[4, { node, line: line.trim() }]];
  });
  return ranked
    .sort(([one], [other]) => one - other)
    .slice(0, maxFound)
    .map(([, found]) => found);
}
