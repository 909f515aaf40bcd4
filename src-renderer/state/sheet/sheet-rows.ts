// Converts rows of JSON to a sheet and back, without changing any value.
import type { JsonObject, JsonValue } from '#contract';
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

/** A sheet whose columns are in the order in which the rows name them, followed by the fields that no row has. */
export function sheetOf(
  rows: readonly JsonObject[],
  fields: readonly InputField[],
  numbers: readonly (number | undefined)[] = [],
): { readonly rows: readonly Row[]; readonly layout: Layout } {
  const slots = new Map<string, number>();
  const read = rows.map((row, index) => rowOf(row, slots, numbers[index]));
  for (const { name } of fields) if (!slots.has(name)) slots.set(name, slots.size);
  const named = [...slots].map(([name, slot]) => ({ name, type: commonType(cellsOf(read, slot)) }));
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

/** The row as it is sent: its fields in the order of the columns, without fields that have no value. */
export function jsonRow(row: Row, columns: readonly SheetColumn[]): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const { name, slot } of columns) {
    const cell = row.cells[slot];
    if (cell !== undefined) members.push([name, cell]);
  }
  // A column may be named "__proto__": this defines members, it does not assign them.
  return Object.fromEntries(members);
}
