// From a row of a file to a row of a workflow: columns are renamed or left out, cells repaired and converted. Who calls: the
// preview of a file in the app, and the server for files that are too large for a page.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import { typedCell, type CellType } from '../typed-cell.ts';
import { isAbsentMark } from './absent-marks.ts';
import { dateOrdersOf, isoDate, type DateOrder } from './date-forms.ts';
import { numberForm, plainNumber, type DecimalMark } from './number-forms.ts';

/** A change of all cells of a column that need it. */
export type ColumnRepair =
  /** Removes blanks around texts. */
  | { readonly kind: 'trim' }
  /** Marks such as `n/a` and `k.A.` mean that the row does not have the field. */
  | { readonly kind: 'absent' }
  /** Reads numbers in any written form. A text that allows both decimal marks needs `decimal`, one with a unit `unit`. */
  | {
      readonly kind: 'numbers';
      readonly decimal?: DecimalMark | undefined;
      /** The unit that numbers of the column may have, such as €. */
      readonly unit?: string | undefined;
    }
  /** Makes dates ISO texts. A date that allows several orders needs `order`. */
  | { readonly kind: 'dates'; readonly order?: DateOrder | undefined };

export type MappedColumn = {
  /** Name in the file. */
  readonly name: string;
  /** Name in the row; undefined if the column is left out. */
  readonly target: string | undefined;
  readonly type: CellType;
  readonly repairs: readonly ColumnRepair[];
};

/**
 * The value of a cell in its column; undefined if the row does not have the field. A text that the type cannot read
 * stays text, so that its row fails with it.
 */
export function mapCell(
  cell: JsonValue | undefined,
  { type, repairs }: Pick<MappedColumn, 'type' | 'repairs'>,
): JsonValue | undefined {
  if (cell === undefined || cell === '') return undefined;
  if (typeof cell !== 'string') return fittedValue(cell, type);
  const text = repairs.reduce<string | undefined>(repaired, cell);
  if (text === undefined || text === '') return undefined;
  const read = typedCell(text, type);
  return 'problem' in read ? text : read.value;
}

/** The row of a table with the values and names of the columns. */
export function mapRow(row: JsonObject, columns: readonly MappedColumn[]): JsonObject {
  const values: Record<string, JsonValue> = {};
  for (const column of columns) {
    if (column.target === undefined) continue;
    const value = mapCell(cellOf(row, column.name), column);
    if (value !== undefined) setMember(values, column.target, value);
  }
  return values;
}

/** The row with the names of the columns. Values stay unchanged. */
export function renameRow(row: JsonObject, columns: readonly MappedColumn[]): JsonObject {
  const values: Record<string, JsonValue> = {};
  for (const { name, target } of columns) {
    const value = cellOf(row, name);
    if (target !== undefined && value !== undefined) setMember(values, target, value);
  }
  return values;
}

/** The mapped row as JSON, with its columns in their order: an object would put names that are whole numbers first. */
export const mappedLine = (row: JsonObject, columns: readonly MappedColumn[]): string =>
  lineOf(columns, (column) => mapCell(cellOf(row, column.name), column));

/** The renamed row as JSON, with its columns in their order. */
export const renamedLine = (row: JsonObject, columns: readonly MappedColumn[]): string =>
  lineOf(columns, ({ name }) => cellOf(row, name));

function lineOf(
  columns: readonly MappedColumn[],
  valueOf: (column: MappedColumn) => JsonValue | undefined,
): string {
  const members = columns.flatMap((column) => {
    const value = column.target === undefined ? undefined : valueOf(column);
    return value === undefined ? [] : [`${JSON.stringify(column.target)}:${JSON.stringify(value)}`];
  });
  return `{${members.join(',')}}`;
}

/** A column may have the name of a method that each object has. */
const cellOf = (row: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(row, name) ? row[name] : undefined;

/** A column may be named "__proto__", which an assignment would not add. Assignments take half the time. */
function setMember(values: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true });
}

function repaired(text: string | undefined, repair: ColumnRepair): string | undefined {
  if (text === undefined) return undefined;
  switch (repair.kind) {
    case 'trim':
      return text.trim();
    case 'absent':
      return isAbsentMark(text) ? undefined : text;
    case 'dates':
      return isoText(text, repair.order) ?? text;
    default:
      return numberText(text, repair) ?? text;
  }
}

function isoText(text: string, order: DateOrder | undefined): string | undefined {
  const [only, ...others] = dateOrdersOf(text);
  if (only === undefined) return undefined;
  if (others.length === 0) return isoDate(text, only);
  return order === undefined ? undefined : isoDate(text, order);
}

function numberText(
  text: string,
  { decimal, unit = '' }: Extract<ColumnRepair, { readonly kind: 'numbers' }>,
): string | undefined {
  const form = numberForm(text);
  if (form === undefined || (form.unit !== '' && form.unit !== unit)) return undefined;
  if (form.decimal === 'none') return plainNumber(text, '.');
  const mark = form.decimal === 'either' ? decimal : form.decimal;
  return mark === undefined ? undefined : plainNumber(text, mark);
}

/** A value that is no text, such as a number of a workbook, as the type where it fits. */
function fittedValue(value: Exclude<JsonValue, string>, type: CellType): JsonValue {
  if (type === 'any' || typeof value === type || typeof value === 'object') return value;
  const read = typedCell(String(value), type);
  return 'problem' in read ? value : (read.value ?? value);
}
