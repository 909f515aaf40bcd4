// Paths of nodes in a workflow file, and of the list of nodes that each is in.
import type { PathStep } from './file-problem.ts';

/** The path of a node or of something in it. */
export type NodePath = readonly PathStep[];

/** The path of a list of nodes. */
export type NodesPath = readonly PathStep[];

/** The list of nodes of the file itself. */
export const fileNodes: NodesPath = ['nodes'];

/** The path of the node that a path leads to or into; undefined for one that leads elsewhere. */
export const nodePathOf = (path: readonly PathStep[]): NodePath | undefined =>
  path[0] === 'nodes' && typeof path[1] === 'number' ? path.slice(0, 2) : undefined;

/** The list of nodes around a path; for one that leads into none, the list of the file. */
export const nodesAt = (path: readonly PathStep[]): NodesPath => nodePathOf(path)?.slice(0, -1) ?? fileNodes;
