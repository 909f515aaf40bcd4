// Two columns of a spreadsheet as names with values.
import type { JsonValue, NodeForm, WorkflowEdit } from '#contract';
import { parseTsv } from '../../entry/grid/tsv.ts';
import { parsedScalar } from './field-text.ts';
import { fieldEdits, valueInNode, type FieldPath } from './form-edits.ts';

export type NamedValue = readonly [name: string, value: JsonValue];

/** The names with values of a pasted text; undefined if it is no block of two columns. Of equal names the last counts. */
export function pastedValues(text: string): readonly NamedValue[] | undefined {
  const rows = parseTsv(text).filter((cells) => cells.some((cell) => cell !== ''));
  const isBlock =
    rows.length > 0 && rows.every(([name = '', ...values]) => name !== '' && values.length === 1);
  if (!isBlock) return undefined;
  const values = new Map(rows.map(([name = '', cell = '']) => [name.trim(), cellValue(cell)]));
  return [...values];
}

/** Adds the names to the object at the path; those that it has get the new value. */
export function pasteEdits(
  form: NodeForm,
  path: FieldPath,
  values: readonly NamedValue[],
): readonly WorkflowEdit[] {
  const present = valueInNode(form.node, path);
  return present === undefined
    ? fieldEdits(form, path, Object.fromEntries(values))
    : values.flatMap(([name, value]) => fieldEdits(form, [...path, name], value));
}

/** A number that is written otherwise, such as 1.0, or is too long for one, stays a text. */
function cellValue(cell: string): JsonValue {
  const value = parsedScalar(cell);
  return typeof value === 'number' && String(value) !== cell ? cell : value;
}
