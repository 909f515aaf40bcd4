// Edits of a workflow file by its nodes and edges, as lists of replaced ranges. Who calls: the editor's graph, forms and
// quick fixes. References are found by the syntax tree, never by search.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { isJsonObject } from '../../base/json-value.ts';
import { nodeId } from '../nodes/node-keys.ts';
import { describePath, type Path } from './editable-file.ts';
import { editResult, EditSession, type EditResult } from './edit-text.ts';
import type { FileEdit } from './file-edit.ts';
import type { TextChange } from './text-changes.ts';
import { afterEntries, codeKindAt, referencesIn, writtenNodes, type WrittenNode } from './workflow-nodes.ts';

export type WorkflowEdit =
  | FileEdit
  /** Adds a node at the index, or at the end. */
  | { readonly kind: 'addNode'; readonly node: JsonObject; readonly index?: number }
  /** Copies a node behind itself, comments included. */
  | { readonly kind: 'duplicateNode'; readonly id: string; readonly newId: string }
  /** Refused while other nodes read it, unless `force` is true. */
  | { readonly kind: 'deleteNode'; readonly id: string; readonly force?: boolean }
  | { readonly kind: 'moveNode'; readonly id: string; readonly to: number }
  /** Renames a node and every reference to it in this file; see rename-node.ts for the files beside it. */
  | { readonly kind: 'renameNode'; readonly id: string; readonly newId: string }
  /** Lets the node `to` wait for `from`: by `after`, or by a reference in a field of `to` at an offset of its text. */
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
  | { readonly kind: 'rewire'; readonly node: string; readonly from: string; readonly to: string };

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
      return addNode(session, edit.node, edit.index);
    case 'duplicateNode': {
      const { index } = nodeOf(session, edit.id);
      checkNewId(session, edit.newId);
      session.edit({ kind: 'copyItem', path: ['nodes', index], to: index + 1 });
      return session.edit({ kind: 'setValue', path: ['nodes', index + 1, 'id'], value: edit.newId });
    }
    case 'deleteNode':
      return deleteNode(session, edit.id, edit.force === true);
    case 'moveNode':
      return session.edit({ kind: 'moveItem', path: ['nodes', nodeOf(session, edit.id).index], to: edit.to });
    case 'renameNode':
      return renameNode(session, edit.id, edit.newId);
    case 'connect':
      return connect(session, edit);
    case 'disconnect':
      return disconnect(session, edit);
    case 'rewire':
      return rewire(session, edit);
    default:
      return session.edit(edit);
  }
}

/** The node with this id. Throws a RefusedEdit if there is none, or more than one. */
function nodeOf(session: EditSession, id: string): WrittenNode {
  const [node, second] = writtenNodes(session.file).filter((each) => each.id === id);
  if (second !== undefined)
    session.file.refuse(
      `There are two nodes ${JSON.stringify(id)}`,
      session.file.offsetOf(['nodes', second.index]),
    );
  return node ?? session.file.refuse(`There is no node ${JSON.stringify(id)}`);
}

function checkNewId(session: EditSession, id: unknown): void {
  const { file } = session;
  const checked = nodeId.safeParse(id);
  if (!checked.success) file.refuse(checked.error.issues[0]?.message ?? 'This cannot be a node id');
  const taken = writtenNodes(file).find((node) => node.id === id);
  if (taken)
    file.refuse(`There is a node ${JSON.stringify(id)} already`, file.offsetOf(['nodes', taken.index]));
}

function addNode(session: EditSession, node: JsonObject, index: number | undefined): void {
  checkNewId(session, node['id']);
  const end = (): number => session.file.collectionAt(['nodes']).collection.entries.length;
  const isEmpty = session.file.jsonAt(['nodes']) === null;
  session.edit({ kind: 'insertItem', path: ['nodes'], index: index ?? (isEmpty ? 0 : end()), value: node });
}

function deleteNode(session: EditSession, id: string, force: boolean): void {
  const { index } = nodeOf(session, id);
  const readers = readersOf(session, id);
  if (readers.length > 0 && !force) {
    const names = readers.join(', ');
    session.file.refuse(`Other nodes read it: ${names}`, session.file.offsetOf(['nodes', index]), readers);
  }
  session.edit({ kind: 'removeItem', path: ['nodes', index] });
}

/** Ids of other nodes that read the node or wait for it. */
function readersOf(session: EditSession, id: string): string[] {
  const nodes = writtenNodes(session.file);
  const reading = nodes.filter((node) => node.id !== id && dependenciesIn(node).has(id));
  return reading.map((node) => node.id);
}

const dependenciesIn = (node: WrittenNode): ReadonlySet<string> =>
  new Set([
    ...afterEntries(node).map(({ id }) => id),
    ...referencesIn([node]).flatMap(({ references }) => references.map(({ id }) => id)),
  ]);

function renameNode(session: EditSession, id: string, newId: string): void {
  if (id === newId) return;
  const node = nodeOf(session, id);
  checkNewId(session, newId);
  changeReferences(session, writtenNodes(session.file), { from: id, to: newId });
  session.edit({ kind: 'setValue', path: ['nodes', node.index, 'id'], value: newId });
}

type Ids = { readonly from: string; readonly to: string };

/** Lets all references of these nodes to one node name another. */
function changeReferences(session: EditSession, nodes: readonly WrittenNode[], { from, to }: Ids): void {
  const inCode = referencesIn(nodes).map(({ path, references }) => ({
    path,
    changes: references
      .filter(({ id }) => id === from)
      .map((reference): TextChange => {
        if (!reference.isShorthand) return { from: reference.from, to: reference.to, insert: to };
        // The local variable keeps its name.
        return { from: reference.from, to: reference.from, insert: `${to}: ` };
      }),
  }));
  const inAfter = nodes.flatMap(afterEntries).filter(({ id }) => id === from);
  const texts = [
    ...inCode.filter(({ changes }) => changes.length > 0),
    ...inAfter.map(({ path }) => ({ path, changes: [{ from: 0, to: from.length, insert: to }] })),
  ];
  if (texts.length > 0) session.edit({ kind: 'changeTexts', texts });
}

function rewire(session: EditSession, { node: id, from, to }: Ids & { readonly node: string }): void {
  const node = nodeOf(session, id);
  nodeOf(session, to);
  if (!dependenciesIn(node).has(from)) session.file.refuse(`${id} does not read ${from}`);
  refuseCycle(session, { from: to, to: id });
  changeReferences(session, [node], { from, to });
}

/** Throws a RefusedEdit if `from` already waits for `to`, directly or over others. */
function refuseCycle(session: EditSession, { from, to }: Ids): void {
  const nodes = new Map(writtenNodes(session.file).map((node) => [node.id, node]));
  const seen = new Set<string>();
  const pathTo = (id: string): string[] | undefined => {
    if (id === to) return [id];
    const node = nodes.get(id);
    if (node === undefined || seen.has(id)) return undefined;
    seen.add(id);
    for (const other of dependenciesIn(node)) {
      const path = pathTo(other);
      if (path !== undefined) return [id, ...path];
    }
    return undefined;
  };
  const path = pathTo(from);
  if (path !== undefined)
    session.file.refuse(`These nodes would wait for each other: ${[to, ...path].join(' -> ')}`);
}

type Connection = Ids & { readonly field?: Path; readonly offset?: number };

function connect(session: EditSession, { from, to, field, offset }: Connection): void {
  const node = nodeOf(session, to);
  nodeOf(session, from);
  refuseCycle(session, { from, to });
  if (field !== undefined) session.edit(referenceEdit(session, node, { from, field, offset }));
  else if (!dependenciesIn(node).has(from)) session.edit(afterEdit(node, from));
}

function afterEdit({ json, index }: WrittenNode, from: string): FileEdit {
  const path = ['nodes', index];
  const { after } = json;
  if (after === undefined) return { kind: 'insertKey', path, key: 'after', value: from };
  if (Array.isArray(after))
    return { kind: 'insertItem', path: [...path, 'after'], index: after.length, value: from };
  return { kind: 'setValue', path: [...path, 'after'], value: after === null ? from : [after, from] };
}

/** Puts a reference into a field: at the offset of its text, or as its whole value. */
function referenceEdit(
  session: EditSession,
  { json, index }: WrittenNode,
  {
    from,
    field,
    offset,
  }: { readonly from: string; readonly field: Path; readonly offset: number | undefined },
): FileEdit {
  const kind = codeKindAt(withValue(json, field, 'x') as JsonObject, field);
  if (kind === undefined) session.file.refuse(`${describePath(field)} cannot hold a reference`);
  const path = ['nodes', index, ...field];
  const reference = `nodes.${from}`;
  const old = field.reduce<JsonValue | undefined>((value, step) => memberAt(value, step), json);
  if (typeof old === 'string' && old !== '') {
    const at = offset ?? old.length;
    const isInCode = kind !== 'text' || old.startsWith('=') || isInPlaceholder(old, at);
    const insert = isInCode ? reference : `{{ ${reference} }}`;
    return { kind: 'changeTexts', texts: [{ path, changes: [{ from: at, to: at, insert }] }] };
  }
  const value = kind === 'text' ? `=${reference}` : kind === 'body' ? `return ${reference};` : reference;
  if (old !== undefined) return { kind: 'setValue', path, value };
  return { kind: 'insertKey', path: path.slice(0, -1), key: String(field.at(-1)), value };
}

const isInPlaceholder = (text: string, offset: number): boolean =>
  text.lastIndexOf('{{', offset - 1) > text.lastIndexOf('}}', offset - 1);

function memberAt(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as { readonly [key: string]: JsonValue })[step];
}

/** A copy of the value in which the path leads to `leaf`. */
function withValue(value: JsonValue | undefined, [step, ...rest]: Path, leaf: JsonValue): JsonValue {
  if (step === undefined) return leaf;
  const inner = withValue(memberAt(value, step), rest, leaf);
  if (Array.isArray(value))
    return (value as JsonValue[]).map((item, index) => (index === step ? inner : item));
  return { ...(isJsonObject(value) ? value : {}), [step]: inner };
}

function disconnect(session: EditSession, { from, to }: Ids): void {
  const node = nodeOf(session, to);
  const reading = referencesIn([node]).filter(({ references }) => references.some(({ id }) => id === from));
  const [first] = reading;
  if (first !== undefined) {
    const fields = reading.map(({ path }) => describePath(path.slice(2))).join(', ');
    session.file.refuse(
      `${to} reads ${from} in ${fields}: change it there`,
      session.file.offsetOf(first.path),
    );
  }
  const entries = afterEntries(node).filter(({ id }) => id === from);
  if (entries.length === 0)
    session.file.refuse(`${to} does not wait for ${from}`, session.file.offsetOf(['nodes', node.index]));
  const isAll = entries.length === afterEntries(node).length;
  const paths = isAll ? [['nodes', node.index, 'after']] : entries.map(({ path }) => path).reverse();
  for (const path of paths) session.edit({ kind: 'removeItem', path });
}
