// Edits of cells and rows. Each returns the change to apply, or undefined if nothing changes.
import type { Cell } from './cell.ts';
import type { Change, Place, Range, Row, SheetState } from './sheet-change.ts';
import { kindOf } from './cell.ts';

type CellAt = (row: number, column: number) => Cell;

/** Writes every cell of the range; rows beyond the last one are added. */
export function writeCells(
  sheet: SheetState,
  range: Range,
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

type RowEdit = Range & { readonly cellAt: CellAt };

const blankRow: Row = { cells: [] };

/** The same row where no cell changes. */
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

export function setCell(sheet: SheetState, { row, column }: Place, cell: Cell): Change | undefined {
  const range = { top: row, bottom: row, left: column, right: column };
  return writeCells(sheet, range, { label: 'edit', cellAt: () => cell });
}

/** Every cell of the range gets this one value; undefined leaves the field out of the row. */
export function setCells(sheet: SheetState, range: Range, cell: Cell): Change | undefined {
  const label = cell === undefined ? 'clear' : 'edit';
  return writeCells(sheet, withinRows(sheet, range), { label, cellAt: () => cell });
}

/** Repeats the cells of `from` over all of `to`, which holds them. */
export function fillCells(sheet: SheetState, from: Range, to: Range): Change | undefined {
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

/** The range's first row over its others; a single row takes the one above it. */
export function fillDown(sheet: SheetState, range: Range): Change | undefined {
  const top = range.top === range.bottom ? Math.max(0, range.top - 1) : range.top;
  return fillCells(sheet, { ...range, top, bottom: top }, { ...range, top });
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const withinRows = ({ rows }: SheetState, range: Range): Range => ({
  ...range,
  bottom: Math.min(range.bottom, rows.length - 1),
});

export function insertRows(_: SheetState, at: number, count: number): Change {
  const label = count === 1 ? 'new row' : 'new rows';
  return { label, rows: { at, before: [], after: Array.from({ length: count }, () => blankRow) } };
}

/** The same rows once more, below. What is new comes from no earlier run. */
export function duplicateRows({ rows }: SheetState, { top, bottom }: Range): Change | undefined {
  const after = rows.slice(top, bottom + 1).map(({ cells }) => ({ cells }));
  if (after.length === 0) return undefined;
  return { label: 'duplicate', rows: { at: top + after.length, before: [], after } };
}

export function removeRows({ rows }: SheetState, { top, bottom }: Range): Change | undefined {
  const before = rows.slice(top, bottom + 1);
  return before.length === 0 ? undefined : { label: 'remove rows', rows: { at: top, before, after: [] } };
}

/** The rows of the range, so many places up (negative) or down; none where that leads beyond the sheet. */
export function moveRows({ rows }: SheetState, { top, bottom }: Range, by: number): Change | undefined {
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

/** All rows by one column; equal ones keep their order, and rows without a value come last in both directions. */
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
  const kinds = kindOrder.indexOf(kindOf(a)) - kindOrder.indexOf(kindOf(b));
  if (kinds !== 0) return sign * kinds;
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  if (typeof a === 'string' && typeof b === 'string') return sign * collator.compare(a, b);
  if (typeof a === 'boolean') return sign * (Number(a) - Number(b));
  return 0;
}
