// Edits that a form makes: all keys of all types of nodes, one after the other.
import { describe, expect, it } from 'vitest';
import type { FormControl, NodeField, JsonValue, NodeForm, WorkflowEdit } from '#contract';
import { applyChanges } from '#contract';
import { nodeForm } from '../../../../../src-main/domain/authoring/create/node-form.ts';
import { editWorkflow } from '../../../../../src-main/domain/authoring/edit/edit-workflow.ts';
import { nodeTypeNames, type NodeType } from '../../../../../src-main/domain/nodes/catalogue.ts';
import { parseWorkflow } from '../../../../../src-main/domain/workflow/parse-workflow.ts';
import {
  addItem,
  fieldEdits,
  moveMember,
  renameMember,
  valueInNode,
  type FieldPath,
} from '../../../../../src-renderer/state/workflow/form/form-edits.ts';

const before = `# Ours: "quoted",   spaced
rowbench: 1
id:   leads
nodes:
  - { id: first, type: set, values: {  a: 0x1F } } # stays
  - id: subject
`;
const after = `
  # The result.
  - id: result
    type:  output
    fields:
        "a": =nodes.first.a
`;

type Variant = {
  readonly lineEnd: string;
  readonly start: string;
  readonly types: readonly NodeType[];
};

const variants: Readonly<Record<string, Variant>> = {
  'as it is': { lineEnd: '\n', start: '', types: nodeTypeNames },
  'with CRLF': { lineEnd: '\r\n', start: '', types: ['input', 'switch', 'http'] },
  'with a byte order mark': { lineEnd: '\n', start: '\ufeff', types: ['input', 'switch', 'http'] },
};

function formOf(text: string): NodeForm {
  const form = nodeForm(text, 'subject');
  if (form.kind !== 'form') throw new Error(`There is no form: ${form.kind}`);
  return form;
}

function edited(text: string, edits: readonly WorkflowEdit[]): string {
  const { changes, refusal } = editWorkflow(text, edits);
  expect(refusal).toBeUndefined();
  return applyChanges(text, changes ?? []);
}

/** A value that a user could give a field. */
const values: Readonly<Partial<Record<FormControl['kind'], JsonValue>>> = {
  expression: 'row.a == "x: y"',
  code: 'const a = row.a;\nreturn a; // done',
  text: 'https://example.com/{{ row.a }}',
  value: '=row.a',
  values: { b: '=row.b', 'c-d': 1 },
  wait: '2s',
  duration: '3s',
  workflow: 'other',
  body: [{ id: 'out', type: 'output', fields: { a: '=row.a' } }],
  table: 'codes.csv',
  column: 'code',
  secret: 'TOKEN',
  mock: { good: { a: 1 }, bad: { error: 'No' } },
  json: { type: 'object' },
  plain: 'X-Key',
  boolean: true,
  numberOrName: 'POST',
};

/** Keys that need another key, or a value of it, which no form can know. */
const dependent: ReadonlySet<string> = new Set(['auth.hmac.timestampHeader']);

/** True for what a new part has for the user to fill in. */
const isEmpty = (value: JsonValue, { kind }: FormControl): boolean =>
  value === '' || (kind === 'list' && Array.isArray(value) && value.length === 0);

/** Types of nodes whose `retry` can have the key `on`. */
const callingTypes: readonly unknown[] = ['http', 'llm', 'workflow'];

/** @param path of the field, for the one whose text has a form of its own */
function valueFor(control: FormControl, path: FieldPath): JsonValue | undefined {
  if (path.join('.') === 'limit') return '5/s';
  if (control.kind === 'number') return control.max ?? (control.min ?? 0) + 1;
  if (control.kind === 'choice') return control.options.at(-1);
  return values[control.kind];
}

/** Edits for the next field that has no value yet; undefined if all have one. */
function nextEdits(form: NodeForm, fields: readonly NodeField[]): readonly WorkflowEdit[] | undefined {
  for (const { path, control } of fields) {
    if (dependent.has(path.join('.'))) continue;
    if (path.join('.') === 'retry.on' && !callingTypes.includes(form.node['type'])) continue;
    const edits = nextEditsOf(form, path, control);
    if (edits !== undefined) return edits;
  }
  return undefined;
}

function nextEditsOf(
  form: NodeForm,
  path: FieldPath,
  control: FormControl,
): readonly WorkflowEdit[] | undefined {
  const value = valueInNode(form.node, path);
  const isPresent = value !== undefined && !isEmpty(value, control);
  switch (control.kind) {
    case 'id':
      return undefined;
    case 'group':
      return nextEdits(form, control.fields);
    case 'list':
      return isPresent ? nextEdits(form, control.items) : addItem(form, path, control.newItem);
    case 'entries':
      return isPresent
        ? nextEdits(form, control.entries)
        : fieldEdits(form, [...path, 'email'], control.newEntry);
    case 'after':
      return isPresent ? undefined : fieldEdits(form, path, control.nodes[0]);
    case 'either': {
      const last = control.options.at(-1);
      if (!isPresent) return fieldEdits(form, path, last?.initial);
      return last?.control === undefined ? undefined : nextEditsOf(form, path, last.control);
    }
    default:
      return isPresent ? undefined : fieldEdits(form, path, valueFor(control, path));
  }
}

function withAllKeys(text: string): string {
  for (let count = 0; count < 60; count += 1) {
    const form = formOf(text);
    const edits = nextEdits(form, [...form.fields, ...form.commonFields]);
    if (edits === undefined) return text;
    text = edited(text, edits);
  }
  throw new Error('The form never has all of its keys');
}

/** Errors of a node with all of its keys, where two of these exclude one another. */
const shareWithRepeat = expect.stringMatching(
  /^With "share" the call would always get its first answer/,
) as string;
const conflicts: Readonly<Partial<Record<NodeType, readonly unknown[]>>> = {
  workflow: ['A node with "nodes" calls no other workflow: leave "workflow" out', shareWithRepeat],
  http: [shareWithRepeat],
};

describe.each(Object.entries(variants))('a form edits a file %s', (_, { lineEnd, start, types }) => {
  const [first, last] = [start + before, after].map((text) => text.replaceAll('\n', lineEnd));

  it.each(types)('sets every key of the type %s, and removes each again', (type) => {
    const full = withAllKeys(`${first}    type: ${type}${lineEnd}${last}`);
    expect(full.slice(0, first?.length)).toBe(first);
    expect(full.slice(-(last?.length ?? 0))).toBe(last);
    expect(full.replaceAll(lineEnd, '')).not.toMatch(/[\r\n]/);
    expect(errorsIn(full, type)).toEqual(conflicts[type] ?? []);
    const form = formOf(full);
    const fields = [...form.fields, ...form.commonFields];
    expect(Object.keys(form.node).toSorted()).toEqual(fields.map(({ label }) => label).toSorted());
    const optional = fields.filter(({ isRequired }) => !isRequired);
    const removed = optional.reduce(
      (text, { path }) => edited(text, fieldEdits(formOf(text), path, undefined)),
      full,
    );
    expect(Object.keys(formOf(removed).node)).toEqual(
      Object.keys(form.node).filter((key) => !optional.some(({ label }) => label === key)),
    );
    expect(removed.slice(0, first?.length)).toBe(first);
    expect(removed.slice(-(last?.length ?? 0))).toBe(last);
  });
});

/** Errors besides those of a workflow with two input nodes or none. */
const errorsIn = (text: string, type: NodeType): readonly string[] =>
  parseWorkflow(type === 'input' ? text : text.replace(/(nodes:\r?\n)/, '$1  - { id: input, type: input }\n'))
    .issues.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

describe('a form', () => {
  const text = `${before}    type: set\n    values: { a: 1, b: 2 } # pair\n    colour: red\n    retry: { attempts: 2 }\n${after}`;

  it('leaves a key that nothing knows, and removes it on request', () => {
    const changed = edited(text, fieldEdits(formOf(text), ['values', 'a'], '=row.a'));
    expect(changed).toBe(text.replace('a: 1,', 'a: =row.a,'));
    expect(edited(changed, fieldEdits(formOf(changed), ['colour'], undefined))).toBe(
      changed.replace('    colour: red\n', ''),
    );
  });

  it('writes nothing for a value that is there already', () => {
    expect(fieldEdits(formOf(text), ['values', 'a'], 1)).toEqual([]);
    expect(fieldEdits(formOf(text), ['when'], undefined)).toEqual([]);
  });

  it('removes a group with its last key', () => {
    expect(edited(text, fieldEdits(formOf(text), ['retry', 'attempts'], undefined))).toBe(
      text.replace('    retry: { attempts: 2 }\n', ''),
    );
  });

  it('moves and renames names with their values', () => {
    expect(edited(text, moveMember(formOf(text), ['values', 'a'], 1))).toContain('{ b: 2, a: 1 } # pair');
    expect(edited(text, renameMember(formOf(text), ['values', 'a'], 'c'))).toContain('{ c: 1, b: 2 } # pair');
  });

  it('renames a node with its references', () => {
    const read = text.replace('=nodes.first.a', '=nodes.subject.a');
    const renamed = edited(read, fieldEdits(formOf(read), ['id'], 'person'));
    expect(renamed).toBe(read.replace('id: subject', 'id: person').replace('nodes.subject', 'nodes.person'));
  });
});
