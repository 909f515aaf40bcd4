// Edits of cells and rows. Each returns the change to apply, or undefined if nothing changes.
import type { Cell } from './cell.ts';
import type { Change, CellAddress, CellRange, Row, SheetState } from './sheet-change.ts';
import { cellKind } from './cell.ts';

type CellAt = (row: number, column: number) => Cell;

/** Writes every cell of the range; rows beyond the last one are added. */
export function writeCells(
  sheet: SheetState,
  range: CellRange,
  { label, cellAt }: { readonly label: string; readonly cellAt: CellAt },
): Change | undefined {
  const before = sheet.rows.slice(range.top, range.bottom + 1);
  const at = Math.min(range.top, sheet.rows.length);
  const after: Row[] = [];
  for (let row = at; row <= range.bottom; row += 1) {
    after.push(rowWith(sheet, row, { ...range, cellAt }));
  }
  const isSame = after.length === before.length && after.every((row, index) => row === before[index]);
  return isSame ? undefined : { label, rows: { at, before, after } };
}

type RowEdit = CellRange & { readonly cellAt: CellAt };

const blankRow: Row = { cells: [] };

/** The row with the new cells; the same object if no cell changes. */
function rowWith({ rows, columns }: SheetState, at: number, { top, left, right, cellAt }: RowEdit): Row {
  const row = rows[at] ?? blankRow;
  if (at < top) return row;
  let cells: Cell[] | undefined;
  for (let column = left; column <= right; column += 1) {
    const slot = columns[column]?.slot;
    if (slot === undefined) continue;
    const cell = cellAt(at, column);
    if (cell === row.cells[slot]) continue;
    cells ??= row.cells.slice();
    cells[slot] = cell;
  }
  return cells === undefined ? row : { ...row, cells };
}

export function setCell(sheet: SheetState, { row, column }: CellAddress, cell: Cell): Change | undefined {
  const range = { top: row, bottom: row, left: column, right: column };
  return writeCells(sheet, range, { label: 'edit', cellAt: () => cell });
}

/** Writes one value into every cell of the range; undefined removes the fields from the rows. */
export function setCells(sheet: SheetState, range: CellRange, cell: Cell): Change | undefined {
  const label = cell === undefined ? 'clear' : 'edit';
  return writeCells(sheet, withinRows(sheet, range), { label, cellAt: () => cell });
}

/** Repeats the cells of `from` over `to`, which contains `from`. */
export function fillCells(sheet: SheetState, from: CellRange, to: CellRange): Change | undefined {
  const height = from.bottom - from.top + 1;
  const width = from.right - from.left + 1;
  const cellAt: CellAt = (row, column) => {
    const slot = sheet.columns[from.left + modulo(column - from.left, width)]?.slot;
    return slot === undefined
      ? undefined
      : sheet.rows[from.top + modulo(row - from.top, height)]?.cells[slot];
  };
  return writeCells(sheet, withinRows(sheet, to), { label: 'fill', cellAt });
}

/** Copies the first row of the range over the others; a single row is filled with the row above it. */
export function fillDown(sheet: SheetState, range: CellRange): Change | undefined {
  const top = range.top === range.bottom ? Math.max(0, range.top - 1) : range.top;
  return fillCells(sheet, { ...range, top, bottom: top }, { ...range, top });
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const withinRows = ({ rows }: SheetState, range: CellRange): CellRange => ({
  ...range,
  bottom: Math.min(range.bottom, rows.length - 1),
});

export function insertRows(_: SheetState, at: number, count: number): Change {
  const label = count === 1 ? 'new row' : 'new rows';
  return { label, rows: { at, before: [], after: Array.from({ length: count }, () => blankRow) } };
}

/** Inserts copies of the rows below them. Copies have no number of an original run. */
export function duplicateRows({ rows }: SheetState, { top, bottom }: CellRange): Change | undefined {
  const after = rows.slice(top, bottom + 1).map(({ cells }) => ({ cells }));
  if (after.length === 0) return undefined;
  return { label: 'duplicate', rows: { at: top + after.length, before: [], after } };
}

export function removeRows({ rows }: SheetState, { top, bottom }: CellRange): Change | undefined {
  const before = rows.slice(top, bottom + 1);
  return before.length === 0 ? undefined : { label: 'remove rows', rows: { at: top, before, after: [] } };
}

/** Moves the rows of the range `by` positions up (negative) or down; undefined beyond the sheet. */
export function moveRows({ rows }: SheetState, { top, bottom }: CellRange, by: number): Change | undefined {
  const first = Math.min(top, top + by);
  const last = Math.max(bottom, bottom + by);
  if (by === 0 || first < 0 || last >= rows.length) return undefined;
  const moved = rows.slice(top, bottom + 1);
  const others = by < 0 ? rows.slice(first, top) : rows.slice(bottom + 1, last + 1);
  const after = by < 0 ? [...moved, ...others] : [...others, ...moved];
  return { label: 'move rows', rows: { at: first, before: rows.slice(first, last + 1), after } };
}

const collator = new Intl.Collator(undefined, { numeric: true });
const kindOrder = ['number', 'string', 'boolean', 'array', 'object', 'null'];

/** Sorts all rows by one column. The sort is stable, and rows without a value come last in both directions. */
export function sortRows(
  { rows, columns }: SheetState,
  column: number,
  direction: 'up' | 'down',
): Change | undefined {
  const slot = columns[column]?.slot;
  if (slot === undefined) return undefined;
  const sign = direction === 'up' ? 1 : -1;
  const after = rows.toSorted(({ cells: a }, { cells: b }) => compareCells(a[slot], b[slot], sign));
  return after.every((row, index) => row === rows[index])
    ? undefined
    : { label: 'sort', rows: { at: 0, before: rows, after } };
}

function compareCells(a: Cell, b: Cell, sign: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const kinds = kindOrder.indexOf(cellKind(a)) - kindOrder.indexOf(cellKind(b));
  if (kinds !== 0) return sign * kinds;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  if (typeof a === 'string' && typeof b === 'string') return sign * collator.compare(a, b);
  if (typeof a === 'boolean') return sign * (Number(a) - Number(b));
  return 0;
}
