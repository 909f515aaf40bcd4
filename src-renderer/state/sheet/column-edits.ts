// Edits of columns. Each returns the change to apply, or undefined if nothing changes.
import type { CellType } from '#contract';
import { cellText, kindOf, readCell, type Cell } from './cell.ts';
import type { Change, Range, Row, SheetState } from './sheet-change.ts';
import { freeName, withColumns, type ColumnPlace, type Layout } from './sheet-columns.ts';

const namesOf = ({ columns }: SheetState): Set<string> => new Set(columns.map(({ name }) => name));

/** A column of text before the place `at`, under a name that is free. */
export function insertColumn(sheet: SheetState, at: number): Change {
  const name = freeName(namesOf(sheet), sheet.columns.length + 1);
  return relaid(sheet, 'new column', withColumns(sheet.layout, at, [{ name, type: 'string' }]));
}

export function removeColumns(sheet: SheetState, { left, right }: Range): Change | undefined {
  const columns = sheet.layout.columns.filter((_, index) => index < left || index > right);
  if (columns.length === sheet.columns.length) return undefined;
  return relaid(sheet, 'remove columns', { ...sheet.layout, columns });
}

/** The columns of the range, so many places left (negative) or right; none where that leads beyond the sheet. */
export function moveColumns(sheet: SheetState, { left, right }: Range, by: number): Change | undefined {
  const { columns } = sheet.layout;
  if (by === 0 || left + by < 0 || right + by >= columns.length) return undefined;
  const moved = columns.slice(left, right + 1);
  const others = columns.toSpliced(left, moved.length);
  others.splice(left + by, 0, ...moved);
  return relaid(sheet, 'move columns', { ...sheet.layout, columns: others });
}

/** Every row repeats it. */
const longestName = 1_000;

/** Why the column cannot have that name. */
export function nameProblem(sheet: SheetState, at: number, name: string): string | undefined {
  if (name === '') return 'A column needs a name.';
  if (name.length > longestName) return `A name has at most ${longestName} characters.`;
  const isTaken = sheet.columns.some((column, index) => index !== at && column.name === name);
  return isTaken ? `Another column is named "${name}".` : undefined;
}

/**
 * Another name and another type. What the cells hold is read again by the type; what it cannot read stays as it is,
 * as it does where the input node gives the type of that name.
 */
export function changeColumn(
  sheet: SheetState,
  at: number,
  { name, type }: { readonly name: string; readonly type: CellType },
): Change | undefined {
  const column = sheet.columns[at];
  const isSame = column === undefined || (column.name === name && column.type === type);
  if (isSame || nameProblem(sheet, at, name) !== undefined) return undefined;
  const label = column.name === name ? 'type' : 'rename';
  const change = relaid(sheet, label, withPlace(sheet.layout, at, { name, type }));
  const after = sheet.rows.map((row) => retyped(row, column.slot, { from: column.type, to: type }));
  const isUntouched = after.every((row, index) => row === sheet.rows[index]);
  return isUntouched ? change : { ...change, rows: { at: 0, before: sheet.rows, after } };
}

function retyped(row: Row, slot: number, { from, to }: { from: CellType; to: CellType }): Row {
  const cell = row.cells[slot];
  const read = asType(cell, from, to);
  if (read === cell) return row;
  const cells = row.cells.slice();
  cells[slot] = read;
  return { ...row, cells };
}

function asType(cell: Cell, from: CellType, to: CellType): Cell {
  if (cell === undefined || cell === null || to === 'any' || kindOf(cell) === to) return cell;
  const read = readCell(typeof cell === 'string' ? cell : cellText(cell, from), to);
  // Blanks alone would read as no value at all: nothing is lost by a change of type.
  return read === undefined || kindOf(read) !== to ? cell : read;
}

/** The first row becomes the names of the columns; a cell without a name to give leaves its column's. */
export function firstRowAsNames(sheet: SheetState): Change | undefined {
  const first = sheet.rows[0];
  if (first === undefined) return undefined;
  const taken = new Set<string>();
  const columns = sheet.layout.columns.map((column, index): ColumnPlace => {
    const cell = first.cells[column.slot];
    const wanted = typeof cell === 'object' ? '' : cellText(cell, 'string').trim();
    const isGood = wanted !== '' && wanted.length <= longestName && !taken.has(wanted);
    const kept = taken.has(column.name) ? freeName(taken, index + 1) : column.name;
    const name = isGood ? wanted : kept;
    taken.add(name);
    return { ...column, name };
  });
  return {
    ...relaid(sheet, 'names from the first row', { ...sheet.layout, columns }),
    rows: { at: 0, before: [first], after: [] },
  };
}

function withPlace(layout: Layout, at: number, to: Partial<ColumnPlace>): Layout {
  return {
    ...layout,
    columns: layout.columns.map((each, index) => (index === at ? { ...each, ...to } : each)),
  };
}

const relaid = ({ layout }: SheetState, label: string, after: Layout): Change => ({
  label,
  layout: { before: layout, after },
});
