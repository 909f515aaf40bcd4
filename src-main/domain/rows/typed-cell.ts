import type { JsonValue } from '../../base/json-value.ts';
import { isInexactIntegerText, parseExactJson } from './exact-json.ts';
import { isNestedDeeper } from './json-depth.ts';
import { isStorable, maxRowDepth } from './files/json-row.ts';

/** Types that an input node may declare for a field. */
export type CellType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any';

/** The types of the fields that the workflow's input node declares; a column without one holds text. */
export type ColumnTypes = ReadonlyMap<string, CellType>;

/**
 * A cell's value; `undefined` leaves the field out of the row; a problem reads behind the cell's text. Readers of files let
 * such a cell pass as text: the input node then refuses its row, and the other rows run.
 */
export type TypedCell = { readonly value: JsonValue | undefined } | { readonly problem: string };

/**
 * A CSV cell as the type that its field declares. Text stays text, to the letter; in every other type blanks
 * around the cell do not count and an empty cell means that the row does not have the field.
 */
export function typedCell(cell: string, type: CellType): TypedCell {
  if (type === 'string' || type === 'any') return { value: cell };
  const text = cell.trim();
  if (text === '') return { value: undefined };
  if (type === 'number') return numberCell(text);
  if (type === 'boolean') return booleanCell(text);
  return structureCell(text, type);
}

/** Problem of an integer whose digits only a text keeps. */
const inexactProblem = 'is an integer that no number holds: declare the field as string';

function numberCell(text: string): TypedCell {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return { problem: 'is not a number' };
  if (isInexactIntegerText(text.replace(/^\+?(-?)0*(?=\d)/, '$1'))) return { problem: inexactProblem };
  const value = Number(text);
  return Number.isFinite(value) ? { value } : { problem: 'is too large for a number' };
}

const booleans = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

function booleanCell(text: string): TypedCell {
  const value = booleans.get(text.toLowerCase());
  return value === undefined ? { problem: 'is not true or false' } : { value };
}

function structureCell(text: string, type: 'array' | 'object'): TypedCell {
  const problem = `is not ${type === 'array' ? 'a list' : 'an object'} written as JSON`;
  // Its row stands around it.
  const deepest = maxRowDepth - 1;
  if (isNestedDeeper(text, deepest)) return { problem: `is nested deeper than ${deepest} levels` };
  let value: JsonValue;
  try {
    value = parseExactJson(text) as JsonValue;
  } catch {
    return { problem };
  }
  const kind = Array.isArray(value) ? 'array' : typeof value;
  if (kind !== type || value === null) return { problem };
  return isStorable(value) ? { value } : { problem: 'holds a number that is too large' };
}
