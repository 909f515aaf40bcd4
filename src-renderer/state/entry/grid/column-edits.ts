// Edits of columns. Each returns the change to apply, or undefined if nothing changes.
import type { CellType } from '#contract';
import { cellText, cellKind, readCell, type Cell } from './cell.ts';
import type { Change, CellRange, Row, SheetState } from './sheet-change.ts';
import { freeName, withColumns, type LayoutColumn, type Layout } from './sheet-columns.ts';

const namesOf = ({ columns }: SheetState): Set<string> => new Set(columns.map(({ name }) => name));

/** Inserts a text column with a free name before index `at`. */
export function insertColumn(sheet: SheetState, at: number): Change {
  const name = freeName(namesOf(sheet), sheet.columns.length + 1);
  return relaid(sheet, 'new column', withColumns(sheet.layout, at, [{ name, type: 'string' }]));
}

export function removeColumns(sheet: SheetState, { left, right }: CellRange): Change | undefined {
  const columns = sheet.layout.columns.filter((_, index) => index < left || index > right);
  if (columns.length === sheet.columns.length) return undefined;
  return relaid(sheet, 'remove columns', { ...sheet.layout, columns });
}

/** Moves the columns of the range `by` positions left (negative) or right; undefined beyond the sheet. */
export function moveColumns(sheet: SheetState, { left, right }: CellRange, by: number): Change | undefined {
  const { columns } = sheet.layout;
  if (by === 0 || left + by < 0 || right + by >= columns.length) return undefined;
  const moved = columns.slice(left, right + 1);
  const others = columns.toSpliced(left, moved.length);
  others.splice(left + by, 0, ...moved);
  return relaid(sheet, 'move columns', { ...sheet.layout, columns: others });
}

/** Maximum characters of a name, which every row repeats. */
const maxNameLength = 1_000;

/** Reason why the column cannot have that name; undefined if it can. */
export function nameProblem(sheet: SheetState, at: number, name: string): string | undefined {
  if (name === '') return 'A column needs a name.';
  if (name.length > maxNameLength) return `A name has at most ${maxNameLength} characters.`;
  const isTaken = namesake(sheet, at, name) !== undefined && emptyNamesake(sheet, at, name) === undefined;
  return isTaken ? `Another column is named "${name}".` : undefined;
}

const namesake = (sheet: SheetState, at: number, name: string): LayoutColumn | undefined =>
  sheet.layout.columns.find((column, index) => index !== at && column.name === name);

/** The column without any value that has the name already: a column that is renamed to it takes its place. */
export function emptyNamesake(sheet: SheetState, at: number, name: string): LayoutColumn | undefined {
  const other = namesake(sheet, at, name);
  return other !== undefined && sheet.rows.every(({ cells }) => cells[other.slot] === undefined)
    ? other
    : undefined;
}

/**
 * Changes name and type of a column. An empty column that has the name already is removed. The column's cells are converted to the new type; cells that cannot be converted stay
 * unchanged.
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
  const renamed = withColumn(sheet.layout, at, { name, type });
  const replaced = emptyNamesake(sheet, at, name);
  const columns = renamed.columns.filter(({ slot }) => slot !== replaced?.slot);
  const change = relaid(sheet, label, { ...renamed, columns });
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
  if (cell === undefined || cell === null || to === 'any' || cellKind(cell) === to) return cell;
  const read = readCell(typeof cell === 'string' ? cell : cellText(cell, from), to);
  // A text of only spaces would become no value; it stays, so that a change of type loses nothing.
  return read === undefined || cellKind(read) !== to ? cell : read;
}

/** Uses the first row as names of the columns. A column keeps its name if the cell is no valid name. */
export function firstRowAsNames(sheet: SheetState): Change | undefined {
  const first = sheet.rows[0];
  if (first === undefined) return undefined;
  const taken = new Set<string>();
  const columns = sheet.layout.columns.map((column, index): LayoutColumn => {
    const cell = first.cells[column.slot];
    const cellName = typeof cell === 'object' ? '' : cellText(cell, 'string').trim();
    const isGood = cellName !== '' && cellName.length <= maxNameLength && !taken.has(cellName);
    const ownName = taken.has(column.name) ? freeName(taken, index + 1) : column.name;
    const name = isGood ? cellName : ownName;
    taken.add(name);
    return { ...column, name };
  });
  return {
    ...relaid(sheet, 'names from the first row', { ...sheet.layout, columns }),
    rows: { at: 0, before: [first], after: [] },
  };
}

function withColumn(layout: Layout, at: number, to: Partial<LayoutColumn>): Layout {
  return {
    ...layout,
    columns: layout.columns.map((each, index) => (index === at ? { ...each, ...to } : each)),
  };
}

const relaid = ({ layout }: SheetState, label: string, after: Layout): Change => ({
  label,
  layout: { before: layout, after },
});
