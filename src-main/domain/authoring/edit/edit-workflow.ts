// Edits of a workflow file by its nodes and edges, as lists of replaced ranges. Who calls: the editor's graph, forms and
// quick fixes. References are found by the syntax tree, never by search.
import { type JsonObject, isJsonObject, isSameJson } from '../../../base/json-value.ts';
import { nodeId } from '../../nodes/node-keys.ts';
import { changeReferences, connect, disconnect, rewire } from './connect-nodes.ts';
import { type Path, RefusedEdit } from './editable-file.ts';
import { extract, type Extraction } from './extract-expression.ts';
import { inlineNode } from './inline-node.ts';
import { editResult, EditSession, type EditResult } from './edit-text.ts';
import type { FileEdit } from './file-edit.ts';
import { fileNodes, type NodesPath } from '../../workflow/node-path.ts';
import { listIn } from '../../workflow/value-at.ts';
import { listOf, listWithin, nodeOf, nodesAround, readsOf, writtenNodes } from './workflow-nodes.ts';
import { freeNodeId } from '../../nodes/free-node-id.ts';
import { textOfEntry } from './block-entries.ts';

/** Ids name nodes as `nodeOf` finds them; new ids are those in their list. */
export type WorkflowEdit =
  | FileEdit
  /** Adds a node at the index, or at the end. `within`: to the body of that node. */
  | { readonly kind: 'addNode'; readonly node: JsonObject; readonly index?: number; readonly within?: string }
  /**
   * Adds the nodes of a text, such as a part of another file, at the index or at the end. Ids that are taken become free
   * ones, and references within the text follow.
   */
  | { readonly kind: 'pasteNodes'; readonly text: string; readonly index?: number; readonly within?: string }
  /** Copies a node behind itself, comments included. */
  | { readonly kind: 'duplicateNode'; readonly id: string; readonly newId: string }
  /** Refused while other nodes read one of them, unless `force` is true. */
  | { readonly kind: 'deleteNodes'; readonly ids: readonly string[]; readonly force?: boolean }
  | { readonly kind: 'moveNode'; readonly id: string; readonly to: number }
  /** Renames a node and every reference to it in this file; see rename-node.ts for the files beside it. */
  | { readonly kind: 'renameNode'; readonly id: string; readonly newId: string }
  /**
   * Lets the node `to` wait for `from`: by `after`, or by a reference in a field of `to`. The reference stands at the offset
   * of the field's text; without an offset where it keeps the text valid, else in place of the text.
   */
  | {
      readonly kind: 'connect';
      readonly from: string;
      readonly to: string;
      readonly field?: Path;
      readonly offset?: number;
    }
  /** Removes an entry of `after`. An edge of data is not cut: the refusal names its places. */
  | { readonly kind: 'disconnect'; readonly from: string; readonly to: string }
  /** Lets a node read, and wait for, the node `to` instead of `from`. */
  | { readonly kind: 'rewire'; readonly node: string; readonly from: string; readonly to: string }
  | Extraction
  /** Puts the values of a `set` node into the expressions that read them, and removes the node. */
  | { readonly kind: 'inline'; readonly id: string };

/** Makes the edits in order; all are made, or none. */
export const editWorkflow = (text: string, edits: WorkflowEdit | readonly WorkflowEdit[]): EditResult =>
  editResult(() => {
    const session = new EditSession(text);
    for (const edit of [edits].flat()) makeEdit(session, edit);
    return session.changes();
  });

function makeEdit(session: EditSession, edit: WorkflowEdit): void {
  switch (edit.kind) {
    case 'addNode':
      return addNode(session, edit.node, { list: listWithin(session.file, edit.within), index: edit.index });
    case 'duplicateNode':
      return duplicateNode(session, edit.id, edit.newId);
    case 'pasteNodes':
      return pasteNodes(session, edit.text, {
        list: listWithin(session.file, edit.within),
        index: edit.index,
      });
    case 'deleteNodes':
      return deleteNodes(session, edit.ids, edit.force === true);
    case 'moveNode':
      return moveNode(session, edit.id, edit.to);
    case 'renameNode':
      return renameNode(session, edit.id, edit.newId);
    case 'connect':
      return connect(session, edit);
    case 'disconnect':
      return disconnect(session, edit);
    case 'rewire':
      return rewire(session, edit);
    case 'extract':
      return extractNode(session, edit);
    case 'inline':
      return inlineNode(session, edit.id);
    default:
      return session.edit(edit);
  }
}

function checkNewId({ file }: EditSession, id: unknown, list: NodesPath): void {
  const checked = nodeId.safeParse(id);
  if (!checked.success) file.refuse(checked.error.issues[0]?.message ?? 'This cannot be a node id');
  const taken = writtenNodes(file, list).find((node) => node.id === id);
  if (taken) file.refuse(`There is a node ${JSON.stringify(id)} already`, file.offsetOf(taken.path));
}

/** A list of nodes, and the index of a new one; undefined: behind the last one. */
type ListIndex = { readonly list: NodesPath; readonly index?: number | undefined };

const indexIn = ({ file }: EditSession, { list, index }: ListIndex): number =>
  index ?? (file.jsonAt(list) === null ? 0 : file.collectionAt(list).collection.entries.length);

function addNode(session: EditSession, node: JsonObject, at: ListIndex): void {
  checkNewId(session, node['id'], at.list);
  session.edit({ kind: 'insertItem', path: at.list, index: indexIn(session, at), value: node });
}

function extractNode(session: EditSession, extraction: Extraction): void {
  extract(session, extraction, (node, at) => {
    addNode(session, node, { list: at.slice(0, -1), index: Number(at.at(-1)) });
  });
}

function duplicateNode(session: EditSession, id: string, newId: string): void {
  const node = nodeOf(session.file, id);
  const { index, path } = node;
  checkNewId(session, newId, listOf(node));
  session.edit({ kind: 'copyItem', path, to: index + 1 });
  session.edit({ kind: 'setValue', path: [...listOf(node), index + 1, 'id'], value: newId });
}

const moveNode = (session: EditSession, id: string, to: number): void =>
  session.edit({ kind: 'moveItem', path: nodeOf(session.file, id).path, to });

function deleteNodes(session: EditSession, ids: readonly string[], force: boolean): void {
  const { file } = session;
  const deleted = ids.map((id) => nodeOf(file, id));
  const [node] = deleted;
  if (node === undefined) return;
  const list = listOf(node);
  if (deleted.some((each) => !isSameJson(listOf(each), list)))
    file.refuse('These nodes are not in the same list: delete them one after the other');
  const nodes = new Map(deleted.map(({ index, path }) => [index, path]));
  const others = writtenNodes(file, list).filter(({ index }) => !nodes.has(index));
  const reads = deleted.flatMap(({ id }) => readsOf(file, others, id));
  if (reads.length > 0 && !force) {
    const names = [...new Set(reads.map((read) => read.id))].join(', ');
    const reason = `Other nodes read ${nodes.size === 1 ? 'it' : 'them'}: ${names}`;
    file.refuse(reason, file.offsetOf(node.path), reads);
  }
  // From the last one on, so that the other indexes stay.
  for (const [, path] of [...nodes].sort(([one], [other]) => other - one))
    session.edit({ kind: 'removeItem', path });
}

function renameNode(session: EditSession, id: string, newId: string): void {
  const node = nodeOf(session.file, id);
  if (node.id === newId) return;
  checkNewId(session, newId, listOf(node));
  changeReferences(session, nodesAround(session.file, node), { from: node.id, to: newId });
  session.edit({ kind: 'setValue', path: [...node.path, 'id'], value: newId });
}

// Pastes nodes from a text: a part of a workflow file, with or without its indentation, or a whole one.

/** `written`: the node with its comments, its dash in the first column; absent: it is written anew. */
type PastedNode = { readonly value: JsonObject; readonly written?: string };

function pasteNodes(session: EditSession, text: string, at: ListIndex): void {
  const source = readPasted(text) ?? session.file.refuse('The clipboard has no nodes');
  const taken = idsIn(session, at.list);
  for (const { id, path } of writtenNodes(source.file)) {
    if (!taken.includes(id)) continue;
    const newId = freeNodeId(id, [...taken, ...idsIn(source)]);
    changeReferences(source, writtenNodes(source.file), { from: id, to: newId });
    source.edit({ kind: 'setValue', path: [...path, 'id'], value: newId });
  }
  const first = indexIn(session, at);
  for (const [offset, node] of pastedNodes(source).entries())
    session.edit({ kind: 'insertItem', path: at.list, index: first + offset, ...node });
}

const idsIn = ({ file }: EditSession, list: NodesPath = fileNodes): string[] =>
  writtenNodes(file, list).map(({ id }) => id);

/** The pasted text as a workflow of its nodes; undefined if it has none, or if a node has no id or that of another one. */
function readPasted(pasted: string): EditSession | undefined {
  const text = pasted.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const candidates = [text, asItems(text), asItems(alignFirstLine(text)), asItems(`- ${indented(text)}`)];
  for (const candidate of candidates) {
    const session = openText(candidate);
    const { length } = listIn(session?.file.jsonAt([]), fileNodes);
    if (session !== undefined && length > 0 && new Set(idsIn(session)).size === length) return session;
  }
  return undefined;
}

const indented = (text: string): string => text.replaceAll(/\n(?!\n|$)/g, '\n  ');

const asItems = (text: string): string => `nodes:\n${indented(`\n${text}`).slice(1)}`;

/** A selection that begins behind the indentation of its first line has less there than in the other lines. */
function alignFirstLine(text: string): string {
  const first = /^[ \t]*/.exec(text)?.[0].length ?? 0;
  const others = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '');
  const indents = others.map((line) => line.search(/\S/));
  const dash = others.findIndex((line) => /^\s*- id:/.test(line));
  const column = indents[dash] ?? Math.min(...indents) - 2;
  return Number.isFinite(column) && column > first ? ' '.repeat(column - first) + text : text;
}

function openText(text: string): EditSession | undefined {
  try {
    return new EditSession(text);
  } catch (error) {
    if (error instanceof RefusedEdit) return undefined;
    throw error;
  }
}

function pastedNodes({ file }: EditSession): PastedNode[] {
  const { collection } = file.collectionAt(fileNodes);
  return collection.entries.map(({ start }, index) => {
    const json = file.jsonAt([...fileNodes, index]);
    const value = isJsonObject(json) ? json : file.refuse('An alias (*name) stands in the way', start);
    if (collection.isFlow) return { value };
    const column = file.column(start);
    const written = textOfEntry(collection, index).replaceAll(`\n${' '.repeat(column)}`, '\n');
    return { value, written };
  });
}
