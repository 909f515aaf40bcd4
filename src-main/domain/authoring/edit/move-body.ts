// Moves the nodes of a body into a workflow of their own, which the node then calls, and back. Who calls: the editor's graph.
// INVARIANT: a row gives the same output afterwards, and no comment is lost: the file of a called workflow stays as it is.
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '../../../base/json-value.ts';
import { codeRegions } from '../../expressions/find-references.ts';
import { freeNodeId } from '../../nodes/free-node-id.ts';
import { fileNodes, ownerOf } from '../../workflow/node-path.ts';
import { valueAt } from '../../workflow/value-at.ts';
import { workflowIdPattern } from '../../workflow/workflow-keys.ts';
import { entryBodies } from './block-entries.ts';
import { type EditableFile, type EditRefusal, type Path, RefusedEdit } from './editable-file.ts';
import { editResult, EditSession } from './edit-text.ts';
import type { FileEdit } from './file-edit.ts';
import type { TextChange } from './text-changes.ts';
import { listOf, listWithin, nodeOf, readsOf, referencesIn, writtenNodes } from './workflow-nodes.ts';

type Refused = { readonly refusal: EditRefusal };

export type MovedOut =
  | {
      readonly changes: readonly TextChange[];
      /** Text of the new workflow. */
      readonly text: string;
      readonly refusal?: undefined;
    }
  | Refused;

export type MovedIn =
  | {
      readonly changes: readonly TextChange[];
      /** Checks of the called workflow's input node, such as `mail: string, required`. A body has no input node. */
      readonly unchecked: readonly string[];
      readonly refusal?: undefined;
    }
  | Refused;

/** Makes a workflow `newId` of the body of the node `id`, and lets the node call it. */
export function moveBodyOut(
  source: string,
  { id, newId }: { readonly id: string; readonly newId: string },
): MovedOut {
  let text = '';
  const result = editResult(() => {
    const session = new EditSession(source);
    const { file } = session;
    const list = listWithin(file, id);
    if (!workflowIdPattern.test(newId))
      file.refuse('A workflow id is 1 to 64 letters, digits, "_" and "-"', file.offsetOf(list));
    if (valueAt(file.jsonAt([]), ['id']) === newId)
      file.refuse('This workflow has that id itself', file.offsetOf(['id']));
    text = workflowOf(file, { id, newId });
    session.edit({ kind: 'setValue', path: list, value: newId });
    session.edit({ kind: 'renameKey', path: list, key: 'workflow' });
    return session.changes();
  });
  return result.changes === undefined ? result : { changes: result.changes, text };
}

/** The text of a workflow of the nodes in a body. */
function workflowOf(
  file: EditableFile,
  { id, newId }: { readonly id: string; readonly newId: string },
): string {
  const list = listWithin(file, id);
  const nodes = file.jsonAt(list);
  if (!Array.isArray(nodes)) return file.refuse('An alias (*name) stands in the way', file.offsetOf(list));
  const session = new EditSession(`rowbench: 1\nid: ${newId}\n\nnodes:${listText(file, list)}\n`);
  if (file.isJson) session.edit({ kind: 'setValue', path: fileNodes, value: nodes as JsonValue });
  if (!isSameJson(session.file.jsonAt(fileNodes), nodes))
    file.refuse('These nodes cannot be written in another file as they are', file.offsetOf(list));
  // An id of digits only needs quotes.
  session.edit({ kind: 'setValue', path: ['id'], value: newId });
  const inner = writtenNodes(session.file);
  const input = freeNodeId(
    'input',
    inner.map((node) => node.id),
  );
  const fields = fieldsOf(nodeOf(file, id).json['row']);
  const value = { id: input, type: 'input', ...(fields === undefined ? {} : { fields }) };
  session.edit({ kind: 'insertItem', path: fileNodes, index: 0, value });
  const vars = Object.entries(varsOf(file)).filter(([name]) => readsVariable(session.file, name));
  if (vars.length > 0)
    session.edit({
      kind: 'insertKey',
      path: [],
      key: 'vars',
      value: Object.fromEntries(vars),
      before: 'nodes',
    });
  return session.file.text;
}

/** The list behind the key `nodes` of a file, with all of its comments. */
function listText(file: EditableFile, list: Path): string {
  if (file.isJson) return ' []';
  const lines = linesOf(file, list);
  const { entry } = file.locate(list);
  return lines === undefined
    ? ` ${file.text.slice(entry.valueStart, entry.end)}`
    : `\n${lines}`.replaceAll(/\n(?!\n|$)/g, '\n  ');
}

/** A list in lines with all of its comments, its dashes in the first column; undefined for one in brackets. */
function linesOf(file: EditableFile, list: Path): string | undefined {
  const { collection } = file.collectionAt(list);
  if (collection.isFlow) return undefined;
  const start = file.lineEnd(file.locate(list).entry.valueFrom);
  const lines = file.text.slice(start, entryBodies(collection).at(-1)?.to).replaceAll('\r\n', '\n');
  const margin = file.column(collection.entries[0]?.start ?? 0);
  return lines.replaceAll(new RegExp(`\\n {0,${margin}}`, 'g'), '\n').slice(1);
}

/** Fields of the input: the names that the row is made of; undefined for a row of an expression. */
function fieldsOf(row: JsonValue | undefined): JsonObject | undefined {
  const names = isJsonObject(row) ? Object.keys(row) : [];
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, {}]));
}

function varsOf(file: EditableFile): JsonObject {
  const vars = valueAt(file.jsonAt([]), ['vars']);
  return isJsonObject(vars) ? vars : {};
}

/** True if an expression of the file's own nodes names the variable: `vars` has no other use. */
const readsVariable = (file: EditableFile, name: string): boolean =>
  referencesIn(writtenNodes(file)).some(({ kind, text }) =>
    codeRegions(kind, text).some(({ code }) => new RegExp(`\\bvars\\s*\\??\\.\\s*${name}\\b`).test(code)),
  );

/** Lets the node `id` have the nodes of the workflow that it calls as its body. @param called that workflow */
export function moveBodyIn(
  text: string,
  id: string,
  called: { readonly id: string; readonly text: string },
): MovedIn {
  let unchecked: readonly string[] = [];
  const result = editResult(() => {
    const session = new EditSession(text);
    const { file } = session;
    const node = nodeOf(file, id);
    if (ownerOf(listOf(node)) !== undefined)
      file.refuse('A body has no bodies of its own', file.offsetOf(node.path));
    const body = nodesOf(called, (reason) => file.refuse(reason, file.offsetOf(node.path)));
    unchecked = body.unchecked;
    const { nodes: value, written } = body;
    session.edit({ kind: 'renameKey', path: [...node.path, 'workflow'], key: 'nodes' });
    session.edit({
      ...{ kind: 'setValue', path: [...node.path, 'nodes'], value },
      ...(written === undefined ? {} : { written }),
    });
    for (const edit of variableEdits(file, body.vars, called.id)) session.edit(edit);
    return session.changes();
  });
  return result.changes === undefined ? result : { changes: result.changes, unchecked };
}

type CalledNodes = {
  /** Without the input node. */
  readonly nodes: JsonValue;
  /** The nodes in lines; undefined for those in brackets. */
  readonly written: string | undefined;
  readonly vars: JsonObject;
  readonly unchecked: readonly string[];
};

function nodesOf(
  { id, text }: { readonly id: string; readonly text: string },
  refuse: (reason: string) => never,
): CalledNodes {
  const session = openCalled(text) ?? refuse(`Fix the errors of ${id} first`);
  const nodes = writtenNodes(session.file);
  const input = nodes.find(({ json }) => json['type'] === 'input') ?? refuse(`Fix the errors of ${id} first`);
  const nested = nodes.find(({ json }) => json['type'] === 'workflow' && Array.isArray(json['nodes']));
  if (nested !== undefined) refuse(`${nested.id} in ${id} has a body, and a body has no bodies of its own`);
  const [read] = readsOf(session.file, nodes, input.id);
  if (read !== undefined)
    refuse(
      `${read.id} in ${id} names the node ${input.id}, which no body has: write "row" there (line ${read.line})`,
    );
  const vars = Object.entries(varsOf(session.file)).filter(([name]) => readsVariable(session.file, name));
  session.edit({ kind: 'removeItem', path: input.path });
  return {
    nodes: session.file.jsonAt(fileNodes) ?? refuse(`An alias (*name) stands in the way in ${id}`),
    written: linesOf(session.file, fileNodes),
    vars: Object.fromEntries(vars),
    unchecked: checksOf(input.json['fields']),
  };
}

function openCalled(text: string): EditSession | undefined {
  try {
    return new EditSession(text);
  } catch (error) {
    if (error instanceof RefusedEdit) return undefined;
    throw error;
  }
}

/** Checks of the fields of an input node. */
const checksOf = (fields: JsonValue | undefined): readonly string[] =>
  Object.entries(isJsonObject(fields) ? fields : {}).flatMap(([name, field]) => {
    const type = valueAt(field, ['type']);
    const checks = [
      ...(typeof type === 'string' && type !== 'any' ? [type] : []),
      ...(valueAt(field, ['required']) === true ? ['required'] : []),
    ];
    return checks.length === 0 ? [] : [`${name}: ${checks.join(', ')}`];
  });

/** Adds the variables that the nodes read. Throws a RefusedEdit for one that has another value here. */
function variableEdits(file: EditableFile, vars: JsonObject, calledId: string): readonly FileEdit[] {
  const own = varsOf(file);
  const other = Object.keys(vars).find(
    (name) => Object.hasOwn(own, name) && !isSameJson(own[name], vars[name]),
  );
  if (other !== undefined)
    file.refuse(`The variable ${other} has another value in ${calledId}: rename one of them first`);
  const added = Object.entries(vars).filter(([name]) => !Object.hasOwn(own, name));
  if (added.length === 0) return [];
  return valueAt(file.jsonAt([]), ['vars']) === undefined
    ? [{ kind: 'insertKey', path: [], key: 'vars', value: Object.fromEntries(added), before: 'nodes' }]
    : added.map(([key, value]) => ({ kind: 'insertKey' as const, path: ['vars'], key, value }));
}
