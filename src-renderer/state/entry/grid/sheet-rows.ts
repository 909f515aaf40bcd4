// Converts rows of JSON to a sheet and back, without changing any value.
import { rememberOrder, type CellType, type JsonObject, type JsonValue } from '#contract';
import type { Cell } from './cell.ts';
import type { Row } from './sheet-change.ts';
import {
  commonType,
  emptyLayout,
  withColumns,
  type InputField,
  type Layout,
  type SheetColumn,
} from './sheet-columns.ts';

type SheetOptions = {
  /** By row: its number in the run that it comes from. */
  readonly numbers?: readonly (number | undefined)[];
  /** Columns that are known already, with their types as far as they are known. */
  readonly columns?: readonly { readonly name: string; readonly type?: CellType }[];
};

/**
 * A sheet whose columns are the known ones, followed by others in the order in which the rows name them, and by the
 * fields that no row has.
 */
export function sheetOf(
  rows: readonly JsonObject[],
  fields: readonly InputField[],
  { numbers = [], columns = [] }: SheetOptions = {},
): { readonly rows: readonly Row[]; readonly layout: Layout } {
  const slots = new Map(columns.map(({ name }, slot) => [name, slot]));
  const read = rows.map((row, index) => rowOf(row, slots, numbers[index]));
  for (const { name } of fields) if (!slots.has(name)) slots.set(name, slots.size);
  const named = [...slots].map(([name, slot]) => ({
    name,
    type: columns[slot]?.type ?? commonType(cellsOf(read, slot)),
  }));
  return { rows: read, layout: withColumns(emptyLayout, 0, named) };
}

function rowOf(row: JsonObject, slots: Map<string, number>, origin: number | undefined): Row {
  const cells: Cell[] = [];
  for (const name of Object.keys(row)) {
    let slot = slots.get(name);
    if (slot === undefined) {
      slot = slots.size;
      slots.set(name, slot);
    }
    cells[slot] = row[name];
  }
  return { cells, origin };
}

function* cellsOf(rows: readonly Row[], slot: number): Generator<Cell> {
  for (const { cells } of rows) yield cells[slot];
}

/** The rows as they are sent. */
export function* jsonRows(rows: readonly Row[], columns: readonly SheetColumn[]): Generator<JsonObject> {
  for (const row of rows) yield jsonRow(row, columns);
}

/** The row as it is sent: its fields in the order of the columns, without fields that have no value. */
export function jsonRow(row: Row, columns: readonly SheetColumn[]): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const { name, slot } of columns) {
    const cell = row.cells[slot];
    if (cell !== undefined) members.push([name, cell]);
  }
  // A column may be named "__proto__": this defines members, it does not assign them.
  const json = Object.fromEntries(members);
  rememberOrder(
    json,
    members.map(([name]) => name),
  );
  return json;
}
