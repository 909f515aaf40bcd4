// The selected cells, and how keys move them. Below the last row of a sheet is a blank row, which becomes a row when the
// user writes into it.
import type { CellAddress, CellRange, SheetState } from './sheet-change.ts';

/** The cells between anchor and head. Typed text goes to the anchor. */
export type Selection = { readonly anchor: CellAddress; readonly head: CellAddress };

/** Size including the blank row; both numbers are at least 1. */
export type SheetSize = { readonly rows: number; readonly columns: number };

export const cellSelection = (address: CellAddress): Selection => ({ anchor: address, head: address });

export const sizeOf = ({ rows, columns }: SheetState): SheetSize => ({
  rows: rows.length + 1,
  columns: Math.max(1, columns.length),
});

export function rangeOf({ anchor, head }: Selection): CellRange {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

/** The selection within the sheet, after rows or columns were removed. */
export function clamped({ anchor, head }: Selection, size: SheetSize): Selection {
  return { anchor: clampedAddress(anchor, size), head: clampedAddress(head, size) };
}

const clampedAddress = ({ row, column }: CellAddress, { rows, columns }: SheetSize): CellAddress => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
});

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** Selects all rows, without the blank one unless there is no other. */
export function selectAll(sheet: SheetState): Selection {
  const { rows, columns } = sizeOf(sheet);
  return { anchor: { row: 0, column: 0 }, head: { row: Math.max(0, rows - 2), column: columns - 1 } };
}

export type SelectionStep = {
  readonly key: string;
  /** True if the selection grows instead of moving. */
  readonly isExtending: boolean;
  /** True with Ctrl or Cmd: moves to the edge. */
  readonly isFar: boolean;
  /** Rows of a visible page. */
  readonly page: number;
};

/** The selection after an arrow key, Home, End, Page Up or Page Down; undefined for any other key. */
export function stepped(sheet: SheetState, selection: Selection, step: SelectionStep): Selection | undefined {
  const from = step.isExtending ? selection.head : selection.anchor;
  const to = target(sheet, from, step);
  if (to === undefined) return undefined;
  const head = clampedAddress(to, sizeOf(sheet));
  return step.isExtending ? { anchor: selection.anchor, head } : cellSelection(head);
}

const arrows: Record<string, CellAddress> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

function target(
  sheet: SheetState,
  from: CellAddress,
  { key, isFar, page }: SelectionStep,
): CellAddress | undefined {
  const by = arrows[key];
  if (by !== undefined) return isFar ? edge(sheet, from, by) : added(from, by);
  const { rows, columns } = sizeOf(sheet);
  if (key === 'PageUp') return { ...from, row: from.row - page };
  if (key === 'PageDown') return { ...from, row: from.row + page };
  if (key === 'Home') return { row: isFar ? 0 : from.row, column: 0 };
  if (key === 'End') return { row: isFar ? Math.max(0, rows - 2) : from.row, column: columns - 1 };
  return undefined;
}

const added = (address: CellAddress, by: CellAddress): CellAddress => ({
  row: address.row + by.row,
  column: address.column + by.column,
});

/** As in a spreadsheet: the last filled cell before a blank one, the next filled cell after blanks, or the end. */
function edge(sheet: SheetState, from: CellAddress, by: CellAddress): CellAddress {
  const isFilled = ({ row, column }: CellAddress): boolean => {
    const slot = sheet.columns[column]?.slot;
    return slot !== undefined && sheet.rows[row]?.cells[slot] !== undefined;
  };
  const isInside = ({ row, column }: CellAddress): boolean =>
    row >= 0 && row < Math.max(1, sheet.rows.length) && column >= 0 && column < sheet.columns.length;
  let at = from;
  let next = added(at, by);
  const staysFilled = isFilled(at) && isFilled(next);
  while (isInside(next)) {
    if (staysFilled && !isFilled(next)) break;
    at = next;
    if (!staysFilled && isFilled(at)) break;
    next = added(at, by);
  }
  return at;
}

/** The next (1) or previous (-1) cell, row by row; undefined at either end of the sheet. */
export function nextCell(
  sheet: SheetState,
  { row, column }: CellAddress,
  by: 1 | -1,
): CellAddress | undefined {
  const { rows, columns } = sizeOf(sheet);
  const index = row * columns + column + by;
  if (index < 0 || index >= rows * columns) return undefined;
  return { row: Math.floor(index / columns), column: index % columns };
}

/** The range that is filled when the fill handle is dragged to that cell: it grows in only one direction. */
export function fillTarget(from: CellRange, to: CellAddress): CellRange {
  const down = Math.max(to.row - from.bottom, from.top - to.row);
  const across = Math.max(to.column - from.right, from.left - to.column);
  if (down <= 0 && across <= 0) return from;
  return down >= across
    ? { ...from, top: Math.min(from.top, to.row), bottom: Math.max(from.bottom, to.row) }
    : { ...from, left: Math.min(from.left, to.column), right: Math.max(from.right, to.column) };
}
