// Edges between the nodes of a workflow: made, cut, and led to other nodes.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { isJsonObject, isSameJson } from '../../../base/json-value.ts';
import { findReferences, type CodeKind } from '../../expressions/find-references.ts';
import { valueAt } from '../../workflow/value-at.ts';
import { describePath, type Path } from './editable-file.ts';
import type { EditSession } from './edit-text.ts';
import type { FileEdit } from './file-edit.ts';
import type { TextChange } from './text-changes.ts';
import {
  afterEntries,
  codeKindAt,
  dependenciesIn,
  listOf,
  nodeOf,
  nodesAround,
  readsOf,
  referencesIn,
  type WrittenNode,
} from './workflow-nodes.ts';

type Ids = { readonly from: string; readonly to: string };

/** Lets all references of these nodes to one node name another. */
export function changeReferences(
  session: EditSession,
  nodes: readonly WrittenNode[],
  { from, to }: Ids,
): void {
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

export function rewire(session: EditSession, { node: id, ...ids }: Ids & { readonly node: string }): void {
  const { from, to: node } = pairOf(session, { from: ids.to, to: id });
  const before = ids.from.split('/').at(-1) ?? '';
  if (!dependenciesIn(node).has(before)) session.file.refuse(`${node.id} does not read ${before}`);
  refuseCycle(session, { from, to: node });
  changeReferences(session, [node], { from: before, to: from.id });
}

type Pair = { readonly from: WrittenNode; readonly to: WrittenNode };

/** The nodes with these ids. Throws a RefusedEdit for nodes of different lists, which cannot read each other. */
export function pairOf({ file }: EditSession, ids: Ids): Pair {
  const pair = { to: nodeOf(file, ids.to), from: nodeOf(file, ids.from) };
  if (!isSameJson(listOf(pair.from), listOf(pair.to)))
    file.refuse(`${ids.to} cannot read ${ids.from}: a body reads only its own nodes and its row`);
  return pair;
}

/** Throws a RefusedEdit if `from` already waits for `to`, directly or over others. */
export function refuseCycle(session: EditSession, pair: Pair): void {
  const nodes = new Map(nodesAround(session.file, pair.to).map((node) => [node.id, node]));
  const [from, to] = [pair.from.id, pair.to.id];
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

export function connect(session: EditSession, { field, offset, ...ids }: Connection): void {
  const pair = pairOf(session, ids);
  refuseCycle(session, pair);
  const node = pair.to;
  const from = pair.from.id;
  if (field !== undefined) session.edit(referenceEdit(session, node, { from, field, offset }));
  else if (!dependenciesIn(node).has(from)) session.edit(afterEdit(node, from));
}

function afterEdit({ json, path }: WrittenNode, from: string): FileEdit {
  const { after } = json;
  if (after === undefined) return { kind: 'insertKey', path, key: 'after', value: from };
  if (Array.isArray(after))
    return { kind: 'insertItem', path: [...path, 'after'], index: after.length, value: from };
  return { kind: 'setValue', path: [...path, 'after'], value: after === null ? from : [after, from] };
}

/** Puts a reference into a field: into its text, or as its whole value. */
function referenceEdit(session: EditSession, node: WrittenNode, reference: InsertedReference): FileEdit {
  const { field } = reference;
  const written =
    fieldWithReference(node, reference) ??
    session.file.refuse(`${describePath(field)} cannot hold a reference`);
  const path = [...node.path, ...field];
  if (written.insertedAt !== undefined)
    return {
      kind: 'changeTexts',
      texts: [
        { path, changes: [{ from: written.insertedAt, to: written.insertedAt, insert: written.insert }] },
      ],
    };
  if (written.before !== undefined) return { kind: 'setValue', path, value: written.insert };
  return { kind: 'insertKey', path: path.slice(0, -1), key: String(field.at(-1)), value: written.insert };
}

export type InsertedReference = {
  readonly from: string;
  readonly field: Path;
  /** Offset in the field's text; undefined: where it keeps the text valid. */
  readonly offset?: number | undefined;
};

type FieldWithReference = {
  /** Value of the field; undefined: the node does not have it yet. */
  readonly before: JsonValue | undefined;
  readonly insert: string;
  /** Offset at which `insert` goes into the text; undefined: it replaces the value. */
  readonly insertedAt?: number;
};

/** Undefined if the field cannot hold code. */
export function fieldWithReference(
  { json }: WrittenNode,
  { from, field, offset }: InsertedReference,
): FieldWithReference | undefined {
  const kind = kindOfField(json, field);
  if (kind === undefined) return undefined;
  const reference = `nodes.${from}`;
  const before = valueAt(json, field);
  const whole = kind === 'text' ? `=${reference}` : kind === 'body' ? `return ${reference};` : reference;
  if (typeof before !== 'string' || before === '') return { before, insert: whole };
  const isCode = kind !== 'text' || before.startsWith('=');
  if (offset !== undefined) {
    const isInCode = isCode || isInPlaceholder(before, offset);
    return { before, insert: isInCode ? reference : `{{ ${reference} }}`, insertedAt: offset };
  }
  const change = usualInsertion(before, kind, from);
  if (isValid(kind, insertedInto(before, change))) return { before, ...change };
  return { before, insert: before.startsWith('=') ? `=${reference}` : whole };
}

/** Kind of code that the field can hold; undefined within an expression that stands in place of names with values. */
const kindOfField = (json: JsonObject, field: Path): CodeKind | undefined =>
  field.slice(0, -1).some((_, at) => typeof valueAt(json, field.slice(0, at + 1)) === 'string')
    ? undefined
    : codeKindAt(withValue(json, field, 'x') as JsonObject, field);

const insertedInto = (text: string, { insert, insertedAt }: Insertion): string =>
  text.slice(0, insertedAt) + insert + text.slice(insertedAt);

const isValid = (kind: CodeKind, text: string): boolean => !findReferences(kind, text).hasUnclearReads;

type Insertion = { readonly insert: string; readonly insertedAt: number };

/** Behind a text or an expression that ends with an operator; as a variable in front of code. */
function usualInsertion(text: string, kind: CodeKind, from: string): Insertion {
  if (kind === 'body') return { insert: `const ${from} = nodes.${from};\n`, insertedAt: 0 };
  const blank = /\s$/.test(text) ? '' : ' ';
  const isCode = kind === 'expression' || text.startsWith('=');
  return { insert: blank + (isCode ? `nodes.${from}` : `{{ nodes.${from} }}`), insertedAt: text.length };
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

export function disconnect(session: EditSession, ids: Ids): void {
  const node = nodeOf(session.file, ids.to);
  const [from = '', to] = [ids.from.split('/').at(-1), node.id];
  const reading = referencesIn([node]).filter(({ references }) => references.some(({ id }) => id === from));
  const [first] = reading;
  if (first !== undefined) {
    const fields = reading.map(({ path }) => describePath(path.slice(node.path.length))).join(', ');
    session.file.refuse(
      `${to} reads ${from} in ${fields}: change it there`,
      session.file.offsetOf(first.path),
      readsOf(session.file, [node], from),
    );
  }
  const entries = afterEntries(node).filter(({ id }) => id === from);
  if (entries.length === 0)
    session.file.refuse(`${to} does not wait for ${from}`, session.file.offsetOf(node.path));
  const isAll = entries.length === afterEntries(node).length;
  const paths = isAll ? [[...node.path, 'after']] : entries.map(({ path }) => path).reverse();
  for (const path of paths) session.edit({ kind: 'removeItem', path });
}
