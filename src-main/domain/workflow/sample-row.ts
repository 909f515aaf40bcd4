// A row to try a workflow with: for lines to paste, and wherever else the app shows how a workflow is called.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import type { FieldUse } from '../expressions/row-reads.ts';
import { nodeTypes } from '../nodes/catalogue.ts';
import { expressionsOf } from './node-reads.ts';
import type { NodeOf, Workflow, WorkflowNode } from './workflow.ts';

/** Maximum characters of a test row as JSON: a longer one would hide the rest of a line to paste. */
const maxRowLength = 1_000;
/** Maximum reads of the row that are looked at; more fields than that are no row to paste. */
const maxReads = 200;

/**
 * The workflow's first test row, where that is short. Otherwise a row with its declared fields and those that its
 * expressions read, each with a value of the kind that is declared or that its use asks for.
 * @param fileRow the first row of the file that `testRows` names, if there is one
 */
export function sampleRow(workflow: Workflow, fileRow?: JsonObject): JsonObject {
  const input = workflow.nodes.find((node): node is NodeOf<'input'> => node.type === 'input');
  const { testRows, fields = [] } = input?.config ?? {};
  const testRow = Array.isArray(testRows) ? testRows[0] : fileRow;
  if (testRow !== undefined && JSON.stringify(testRow).length <= maxRowLength) return testRow;
  const read = fieldsRead(workflow);
  const declared = fields.map(
    ([name, { type }]) => [name, declaredValue(name, type, read.get(name))] as const,
  );
  const names = new Set(fields.map(([name]) => name));
  const others = [...read].filter(([name]) => !names.has(name));
  return Object.fromEntries([
    ...declared,
    ...others.map(([name, field]) => [name, valueOf(name, field)] as const),
  ]);
}

/** The way in which a field is used, and the fields that are read inside it. */
type Field = { readonly uses: Set<FieldUse>; readonly inner: Map<string, Field> };

function fieldsRead({ nodes }: Workflow): ReadonlyMap<string, Field> {
  const row: Field = { uses: new Set(), inner: new Map() };
  const reads = nodes.flatMap((node) =>
    expressionsOf(node).flatMap((expression) =>
      expression.rowReads.map(({ path, use }) => ({
        path,
        use: use === 'value' ? slotUse(node, expression) : use,
      })),
    ),
  );
  for (const { path, use } of reads.slice(0, maxReads)) {
    const field = path.reduce(innerField, row);
    if (use !== undefined) field.uses.add(use);
  }
  return row.inner;
}

function innerField({ inner }: Field, name: string): Field {
  const field = inner.get(name) ?? { uses: new Set(), inner: new Map() };
  inner.set(name, field);
  return field;
}

/** The kind of value that an expression must have where it stands; undefined where any will do. */
function slotUse(node: WorkflowNode, expression: unknown): FieldUse | undefined {
  if (node.each === expression) return 'list';
  return nodeTypes[node.type].expressionUse ?? undefined;
}

type DeclaredType = NonNullable<NodeOf<'input'>['config']['fields']>[number][1]['type'];

function declaredValue(
  name: string,
  type: DeclaredType,
  field: Field = { uses: new Set(), inner: new Map() },
): JsonValue {
  switch (type) {
    case 'any':
      return valueOf(name, field);
    case 'string':
      return textFor(name, field.uses);
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return listOf(name, field);
    case 'object':
      return objectOf(field);
  }
}

function valueOf(name: string, field: Field): JsonValue {
  const { uses, inner } = field;
  if (uses.has('list') || inner.has('0')) return listOf(name, field);
  if (inner.size > 0 || uses.has('object')) return objectOf(field);
  if (uses.has('number') && !uses.has('text')) return 1;
  if (uses.has('boolean')) return true;
  return textFor(name, uses);
}

/** Empty, unless an entry of it is read: code that goes through a list goes through an empty one, too. */
const listOf = (name: string, { inner }: Field): JsonValue => {
  const entry = inner.get('0');
  return entry === undefined ? [] : [valueOf(name, entry)];
};

const objectOf = ({ inner }: Field): JsonObject =>
  Object.fromEntries([...inner].map(([name, field]) => [name, valueOf(name, field)]));

/** A text that code for a field of that name is likely to accept. */
function textFor(name: string, uses: ReadonlySet<FieldUse>): string {
  if (uses.has('date') || /date|At$|_at$/.test(name)) return '2026-01-15';
  if (uses.has('number')) return '1';
  if (/e-?mail/i.test(name)) return 'ada@example.com';
  if (/ur[il]$|website/i.test(name)) return 'https://example.com';
  return /^(first|full)?_?name$/i.test(name) ? 'Ada' : 'text';
}
