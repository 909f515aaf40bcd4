// Edits of a workflow's text that stand for a change in its graph.
import {
  callKeys,
  parseCurl,
  type FormNames,
  type NodeEntry,
  type WorkflowEdit,
  type WorkflowSource,
} from '#contract';
import { idInList } from './open-body.ts';

export type OutlineNodeView = WorkflowSource['nodes'][number];
export type OutlineEdgeView = WorkflowSource['edges'][number];

export type EdgeEnds = Pick<OutlineEdgeView, 'from' | 'to'>;

export type NewNode = Pick<Extract<NodeEntry, { kind: 'node' }>, 'type' | 'newKeys' | 'firstField'> & {
  readonly id: string;
};

/** Test rows, such as those of a new workflow from pasted rows: they are seldom a table. */
const testRowsFile = /\.rows\.\w+$/;

/** An entry whose new keys name the only table, with a column of it, or the only workflow. */
export function withOnlyNames(entry: NodeEntry, { tables, workflowIds }: FormNames): NodeEntry {
  if (entry.kind !== 'node') return entry;
  const { newKeys } = entry;
  const [table, ...otherTables] = tables.filter(({ path }) => !testRowsFile.test(path));
  const [workflow, ...otherWorkflows] = workflowIds;
  if ('workflow' in newKeys && workflow !== undefined && otherWorkflows.length === 0)
    return { ...entry, newKeys: { ...newKeys, workflow } };
  if (!('table' in newKeys) || table === undefined || otherTables.length > 0) return entry;
  const key = table.columns.find((column) => column === newKeys['key']) ?? table.columns[0];
  return { ...entry, newKeys: { ...newKeys, table: table.path, ...(key === undefined ? {} : { key }) } };
}

/** The entry for a curl command, or why there is none; undefined for another text. */
export function curlEntry(
  text: string,
): { readonly entry: NodeEntry } | { readonly problem: string } | undefined {
  if (!/^\s*curl(?:\.exe)?\s/i.test(text)) return undefined;
  const parsed = parseCurl(text.trim());
  if ('problem' in parsed) return parsed;
  const { secret, url } = parsed.call;
  const summary =
    secret === undefined ? url : `${url}. Its credential is not written: store it as ${secret.name}`;
  const shown = { title: 'HTTP request of the curl command', summary, keywords: '' };
  return {
    entry: { kind: 'node', type: 'http', newKeys: callKeys(parsed.call), firstField: null, ...shown },
  };
}

/** The nodes that get the key of an entry. */
export const nodesWithKey = (
  { excluded }: Extract<NodeEntry, { kind: 'key' }>,
  chosen: readonly OutlineNodeView[],
): readonly OutlineNodeView[] => chosen.filter(({ type }) => !excluded.includes(type));

type Neighbours = {
  readonly behind: OutlineNodeView | undefined;
  readonly chosen: readonly OutlineNodeView[];
};

/** Adds an entry behind a node, or at the end. A key goes to the chosen nodes; without one, to a new node. */
export function entryEdits(
  entry: NodeEntry,
  id: string,
  { behind, chosen }: Neighbours,
): readonly WorkflowEdit[] {
  const index = behind && behind.index + 1;
  const after = waitedFor(behind);
  if (entry.kind === 'node') return [addition({ ...entry, id }, index, after)];
  if (entry.kind === 'template')
    return [{ kind: 'pasteNodes', text: entry.text, ...(index === undefined ? {} : { index }) }];
  const { key, value } = entry;
  const nodes = nodesWithKey(entry, chosen);
  if (nodes.length === 0)
    return [
      addition({ id, type: 'set', newKeys: { [key]: value, values: {} }, firstField: null }, index, after),
    ];
  return nodes
    .filter((node) => node[key] === undefined)
    .map((node) => ({ kind: 'insertKey', path: [...node.path], key, value }));
}

/** Lines of a file without the margin that they have in common; the first one may lack it already. */
export function withoutMargin(lines: string): string {
  const [first = '', ...others] = lines.replaceAll(/^\s*\n|\s+$/g, '').split('\n');
  const start = first.trimStart();
  // Keys of an item stand two columns behind its dash.
  const isItem =
    start.startsWith('- ') &&
    !others.some((line) => line.search(/\S/) === marginOf(others) && /^ *- /.test(line));
  const removed = Math.max(0, marginOf(others) - (isItem ? 2 : 0));
  return [start, ...others.map((line) => line.slice(removed))].join('\n');
}

const marginOf = (lines: readonly string[]): number =>
  Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));

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

/** The node that one added behind it waits for. All nodes follow the input anyway, and the outputs are the end. */
export const waitedFor = (behind: OutlineNodeView | undefined): string | undefined =>
  behind === undefined || behind.type === 'input' || behind.type === 'output'
    ? undefined
    : idInList(behind.id);

const addition = (
  { id, type, newKeys }: NewNode,
  index: number | undefined,
  after?: string,
): WorkflowEdit => ({
  kind: 'addNode',
  node: { id, type, ...(after === undefined || type === 'input' ? {} : { after }), ...newKeys },
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
