// Paths of nodes in a workflow file, and of the list of nodes that each is in.
import type { JsonValue } from '../../base/json-value.ts';
import type { PathStep } from './file-problem.ts';
import { listIn, valueAt } from './value-at.ts';

/** The path of a node or of something in it. */
export type NodePath = readonly PathStep[];

/** The path of a list of nodes. */
export type NodesPath = readonly PathStep[];

/** The list of nodes of the file itself. */
export const fileNodes: NodesPath = ['nodes'];

/** The path of the innermost node that a path leads to or into; undefined for one that leads elsewhere. */
export function nodePathOf(path: readonly PathStep[]): NodePath | undefined {
  const isNode = (at: number): boolean => path[at] === 'nodes' && typeof path[at + 1] === 'number';
  if (!isNode(0)) return undefined;
  // Bodies have no bodies.
  return path.slice(0, isNode(2) ? 4 : 2);
}

/** The path of the node whose body has the list; undefined for the list of the file. */
export const ownerOf = (nodes: NodesPath): NodePath | undefined =>
  nodes.length > fileNodes.length ? nodes.slice(0, -1) : undefined;

/** The list of nodes around a path; for one that leads into none, the list of the file. */
export const nodesAt = (path: readonly PathStep[]): NodesPath => nodePathOf(path)?.slice(0, -1) ?? fileNodes;

/** The lists of nodes of a file: its own, then those of bodies. */
export const listsIn = (data: JsonValue): readonly NodesPath[] => [
  fileNodes,
  ...listIn(data, fileNodes).flatMap((node, index) =>
    valueAt(node, ['type']) === 'workflow' && Array.isArray(valueAt(node, ['nodes']))
      ? [[...fileNodes, index, 'nodes']]
      : [],
  ),
];

/** The id by which a node of a body is named outside of it, such as in issues and edits. */
export const innerId = (nodeId: string, id: string): string => `${nodeId}/${id}`;

/** The path of the first node with that id, or with the id that `innerId` gives it; undefined if there is none. */
export function nodePathById(data: JsonValue, id: string): NodePath | undefined {
  const [first, inner] = id.split('/');
  const find = (list: NodesPath, name: string | undefined): NodePath | undefined => {
    const index = listIn(data, list).findIndex((node) => valueAt(node, ['id']) === name);
    return index < 0 ? undefined : [...list, index];
  };
  const path = find(fileNodes, first);
  return inner === undefined || path === undefined ? path : find([...path, 'nodes'], inner);
}
