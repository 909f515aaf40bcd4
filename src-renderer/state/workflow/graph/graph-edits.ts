// Edits of a workflow's text that stand for a change in its graph.
import type { FormNames, NodeTypeView, WorkflowEdit, WorkflowSource } from '#contract';

export type OutlineNodeView = WorkflowSource['nodes'][number];
export type OutlineEdgeView = WorkflowSource['edges'][number];

export type EdgeEnds = Pick<OutlineEdgeView, 'from' | 'to'>;

export type NewNode = Pick<NodeTypeView, 'type' | 'newKeys' | 'firstField'> & { readonly id: string };

/** Test rows, such as those of a new workflow from pasted rows: they are seldom a table. */
const testRowsFile = /\.rows\.\w+$/;

/** The type of a node whose new keys name the only table, with a column of it, or the only workflow. */
export function withOnlyNames(type: NodeTypeView, { tables, workflowIds }: FormNames): NodeTypeView {
  const { newKeys } = type;
  const [table, ...otherTables] = tables.filter(({ path }) => !testRowsFile.test(path));
  const [workflow, ...otherWorkflows] = workflowIds;
  if ('workflow' in newKeys && workflow !== undefined && otherWorkflows.length === 0)
    return { ...type, newKeys: { ...newKeys, workflow } };
  if (!('table' in newKeys) || table === undefined || otherTables.length > 0) return type;
  const key = table.columns.find((column) => column === newKeys['key']) ?? table.columns[0];
  return { ...type, newKeys: { ...newKeys, table: table.path, ...(key === undefined ? {} : { key }) } };
}

/** Adds the node behind another one, or at the end. */
export const addNodeEdits = (node: NewNode, before: OutlineNodeView | undefined): readonly WorkflowEdit[] => [
  addition(node, before && before.index + 1),
];

type Insertion = {
  readonly edge: OutlineEdgeView;
  /** The node that the edge leads to. */
  readonly target: OutlineNodeView;
  /** True if the target is to read the new node instead. */
  readonly isRewired: boolean;
};

/** Adds the node in front of the edge's target, after the edge's source. */
export function insertNodeEdits(
  node: NewNode,
  { edge, target, isRewired }: Insertion,
): readonly WorkflowEdit[] {
  const { from, to, kind } = edge;
  const { id } = node;
  const field = fieldReading(node, from);
  const rewired: WorkflowEdit =
    kind === 'row' ? { kind: 'connect', from: id, to } : { kind: 'rewire', node: to, from, to: id };
  return [
    addition(node, target.index),
    // Every node follows the input anyway.
    ...(kind === 'row'
      ? []
      : [{ kind: 'connect' as const, from, to: id, ...(field && { field: [...field] }) }]),
    ...(isRewired ? [rewired] : []),
  ];
}

const addition = ({ id, type, newKeys }: NewNode, index: number | undefined): WorkflowEdit => ({
  kind: 'addNode',
  node: { id, type, ...newKeys },
  ...(index === undefined ? {} : { index }),
});

/** Field in which a new node reads the one before it; undefined: it waits for it. */
function fieldReading({ firstField, newKeys }: NewNode, from: string): readonly string[] | undefined {
  if (firstField === null) return undefined;
  return typeof newKeys[firstField] === 'object' ? [firstField, from] : [firstField];
}

/** A line of a file before and after a rename. */
export type RenamedLine = {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
};

type Change = { readonly from: number; readonly to: number; readonly insert: string };

/** The lines that changes without line breaks alter, in order. */
export function linesOfChanges(
  file: string,
  text: string,
  changes: readonly Change[],
): readonly RenamedLine[] {
  const changed = new Map<number, Change[]>();
  for (const change of changes) {
    const start = text.lastIndexOf('\n', change.from - 1) + 1;
    changed.set(start, [...(changed.get(start) ?? []), change]);
  }
  return [...changed].map(([start, inLine]) => {
    const end = text.indexOf('\n', start);
    const before = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
    const after = inLine.reduceRight(
      (line, { from, to, insert }) => line.slice(0, from - start) + insert + line.slice(to - start),
      before,
    );
    return {
      file,
      line: text.slice(0, start).split('\n').length,
      before: before.trim(),
      after: after.trim(),
    };
  });
}

/** The nodes from one to another along the edges, both included; undefined if no edges lead there. */
export function pathAlong(
  edges: readonly OutlineEdgeView[],
  from: string,
  to: string,
): readonly string[] | undefined {
  const before = new Map<string, string>();
  const queue = [from];
  for (const id of queue) {
    if (id === to) break;
    for (const edge of edges) {
      if (edge.from !== id || edge.to === from || before.has(edge.to)) continue;
      before.set(edge.to, id);
      queue.push(edge.to);
    }
  }
  if (from !== to && !before.has(to)) return undefined;
  const path = [to];
  for (let id = before.get(to); id !== undefined; id = before.get(id)) path.unshift(id);
  return path;
}
