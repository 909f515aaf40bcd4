// Bodies of nodes in the graph: the body of the selected node is drawn in place of the file's own nodes.
import { innerId, type WorkflowEdit, type WorkflowSource } from '#contract';

type OutlineNodeView = WorkflowSource['nodes'][number];
type GraphView = Pick<WorkflowSource, 'nodes' | 'edges' | 'edgesLeftOut'>;

/** The id of a node in its own list. */
export const idInList = (id: string): string => id.split('/').at(-1) ?? id;

/** The id of the node that has the body around a node; undefined for a node of the file. */
export const ownerOfNode = (id: string | undefined): string | undefined =>
  id?.includes('/') === true ? id.split('/')[0] : undefined;

/** The nodes that are drawn while that node is selected. */
export const graphAround = (graph: GraphView, selected: string | undefined): GraphView => {
  const owner = ownerOfNode(selected);
  return graph.nodes.find(({ id }) => id === owner)?.body ?? graph;
};

export const nodeWithId = (
  nodes: readonly OutlineNodeView[],
  nodeId: string | undefined,
): OutlineNodeView | undefined => withBodies(nodes).find(({ id }) => id === nodeId);

/** The innermost node at a line, from 1. */
export const nodeAtLine = (nodes: readonly OutlineNodeView[], line: number): OutlineNodeView | undefined =>
  withBodies(nodes).findLast(({ first, last }) => line >= first && line <= last);

const withBodies = (nodes: readonly OutlineNodeView[]): readonly OutlineNodeView[] =>
  nodes.flatMap((node) => [node, ...(node.body?.nodes ?? [])]);

/** Ids of nodes with errors; a node has those of its body, too. */
export const nodesWithErrors = (
  issues: readonly { readonly severity: string; readonly nodeId?: string | undefined }[],
): ReadonlySet<string> =>
  new Set(
    issues.flatMap(({ severity, nodeId }) =>
      severity === 'error' && nodeId !== undefined ? [nodeId, ownerOfNode(nodeId) ?? nodeId] : [],
    ),
  );

/** The edits of a graph of these nodes: in a body, new nodes go there, and their ids are named as from outside. */
export function editsIn(
  nodes: readonly OutlineNodeView[],
  edits: readonly WorkflowEdit[],
): readonly WorkflowEdit[] {
  const within = ownerOfNode(nodes[0]?.id);
  return within === undefined ? edits : edits.map((edit) => editWithin(edit, within));
}

function editWithin(edit: WorkflowEdit, within: string): WorkflowEdit {
  const named = (id: string): string => nameWithin(id, within);
  switch (edit.kind) {
    case 'addNode':
    case 'pasteNodes':
      return { ...edit, within };
    case 'connect':
      return { ...edit, from: named(edit.from), to: named(edit.to) };
    case 'rewire':
      return { ...edit, node: named(edit.node), from: named(edit.from), to: named(edit.to) };
    default:
      return edit;
  }
}

/** The id of a new node, as it is named outside of its body. */
export const nameWithin = (id: string, within: string | undefined): string =>
  within === undefined || id.includes('/') ? id : innerId(within, id);
