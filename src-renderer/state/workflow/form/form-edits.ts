// Edits of a workflow's text that a form makes. Paths of fields begin at the node.
import { isSameJson, type NodeField, type JsonValue, type NodeForm, type WorkflowEdit } from '#contract';

export type FieldPath = NodeField['path'];

/** The value at a path of the form's node; undefined if the file has none. */
export function valueInNode(json: JsonValue, path: FieldPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as { readonly [step: string | number]: JsonValue })[step];
  }, json);
}

/**
 * Gives a field a value, with the groups around it that are missing.
 * @param value undefined: removes the key, and with its last key a group that may be absent
 */
export function fieldEdits(
  form: NodeForm,
  path: FieldPath,
  value: JsonValue | undefined,
): readonly WorkflowEdit[] {
  const present = valueInNode(form.node, path);
  if (value === undefined) return present === undefined ? [] : [removal(form, path)];
  if (form.nodeId !== undefined && path.length === 1 && path[0] === 'id' && typeof value === 'string')
    return value === form.nodeId ? [] : [{ kind: 'renameNode', id: form.nodeId, newId: value }];
  if (present === undefined) return [insertion(form, path, value)];
  if (isSameJson(present, value)) return [];
  return [{ kind: 'setValue', path: inFile(form, path), value }];
}

/** Adds a name to the object at a path. Throws an error with a message for the user if the object has it. */
export function addName(
  form: NodeForm,
  path: FieldPath,
  [name, value]: readonly [name: string, value: JsonValue],
): readonly WorkflowEdit[] {
  if (valueInNode(form.node, [...path, name]) !== undefined)
    throw new Error(`There is a name ${name} already`);
  return fieldEdits(form, [...path, name], value);
}

/** The last name of the object at a path, if its value is an empty text. */
export function lastEmptyName(form: NodeForm, path: FieldPath): string | undefined {
  const [name, value] = Object.entries(valueInNode(form.node, path) ?? {}).at(-1) ?? [];
  return value === '' ? name : undefined;
}

/** Adds an item at the end of a list, or begins the list. */
export function addItem(form: NodeForm, path: FieldPath, value: JsonValue): readonly WorkflowEdit[] {
  const list = valueInNode(form.node, path);
  return Array.isArray(list)
    ? [{ kind: 'insertItem', path: inFile(form, path), index: list.length, value }]
    : fieldEdits(form, path, [value]);
}

/** Moves an item of a list, or a name of an object, so that it has the index `to`. */
export const moveMember = (form: NodeForm, path: FieldPath, to: number): readonly WorkflowEdit[] => [
  { kind: 'moveItem', path: inFile(form, path), to },
];

export const renameMember = (form: NodeForm, path: FieldPath, key: string): readonly WorkflowEdit[] => [
  { kind: 'renameKey', path: inFile(form, path), key },
];

const inFile = (form: NodeForm, path: FieldPath): FieldPath => [...form.path, ...path];

function removal(form: NodeForm, path: FieldPath): WorkflowEdit {
  const group = path.slice(0, -1);
  const siblings = valueInNode(form.node, group);
  const isLast = typeof siblings === 'object' && siblings !== null && Object.keys(siblings).length === 1;
  return isLast && isOptionalGroup([...form.fields, ...form.commonFields], group)
    ? removal(form, group)
    : { kind: 'removeItem', path: inFile(form, path) };
}

function isOptionalGroup(fields: readonly NodeField[], path: FieldPath): boolean {
  const key = JSON.stringify(path);
  return fields.some(
    (field) =>
      field.control.kind === 'group' &&
      ((JSON.stringify(field.path) === key && !field.isRequired) ||
        isOptionalGroup(field.control.fields, path)),
  );
}

function insertion(form: NodeForm, path: FieldPath, value: JsonValue): WorkflowEdit {
  // The node itself is there, so there is a key that is the first missing one.
  const missing = path.findIndex((_, n) => valueInNode(form.node, path.slice(0, n + 1)) === undefined);
  const key = String(path[missing]);
  const inner = path
    .slice(missing + 1)
    .reduceRight<JsonValue>((each, step) => (typeof step === 'number' ? [each] : { [step]: each }), value);
  // The nodes are the longest part of the file: its other keys stand above them.
  const before = form.path.length === 0 && missing === 0 && 'nodes' in form.node ? { before: 'nodes' } : {};
  return { kind: 'insertKey', path: inFile(form, path.slice(0, missing)), key, value: inner, ...before };
}
