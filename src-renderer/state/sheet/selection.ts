// Which cells are selected, and where the keys lead. A sheet is walked with one blank row below its last, which
// becomes a row when something is written into it.
import type { Place, Range, SheetState } from './sheet-change.ts';

/** From the anchor to the head; the anchor is the cell that typing goes to. */
export type Selection = { readonly anchor: Place; readonly head: Place };

/** Both at least 1: the blank row counts. */
export type Extent = { readonly rows: number; readonly columns: number };

export const cellSelection = (place: Place): Selection => ({ anchor: place, head: place });

export const extentOf = ({ rows, columns }: SheetState): Extent => ({
  rows: rows.length + 1,
  columns: Math.max(1, columns.length),
});

export function rangeOf({ anchor, head }: Selection): Range {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

/** After rows or columns went away under it. */
export function clamped({ anchor, head }: Selection, extent: Extent): Selection {
  return { anchor: clampedPlace(anchor, extent), head: clampedPlace(head, extent) };
}

const clampedPlace = ({ row, column }: Place, { rows, columns }: Extent): Place => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
});

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** All rows, without the blank one unless there is no other. */
export function selectAll(sheet: SheetState): Selection {
  const { rows, columns } = extentOf(sheet);
  return { anchor: { row: 0, column: 0 }, head: { row: Math.max(0, rows - 2), column: columns - 1 } };
}

export type Step = {
  readonly key: string;
  /** Grows the selection instead of moving it. */
  readonly isExtending: boolean;
  /** With Ctrl or Cmd: to the edge. */
  readonly isFar: boolean;
  /** Rows that a page shows. */
  readonly page: number;
};

/** Where an arrow, Home, End, Page Up or Page Down leads; undefined for any other key. */
export function stepped(sheet: SheetState, selection: Selection, step: Step): Selection | undefined {
  const from = step.isExtending ? selection.head : selection.anchor;
  const to = target(sheet, from, step);
  if (to === undefined) return undefined;
  const head = clampedPlace(to, extentOf(sheet));
  return step.isExtending ? { anchor: selection.anchor, head } : cellSelection(head);
}

const arrows: Record<string, Place> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

function target(sheet: SheetState, from: Place, { key, isFar, page }: Step): Place | undefined {
  const by = arrows[key];
  if (by !== undefined) return isFar ? edge(sheet, from, by) : added(from, by);
  const { rows, columns } = extentOf(sheet);
  if (key === 'PageUp') return { ...from, row: from.row - page };
  if (key === 'PageDown') return { ...from, row: from.row + page };
  if (key === 'Home') return { row: isFar ? 0 : from.row, column: 0 };
  if (key === 'End') return { row: isFar ? Math.max(0, rows - 2) : from.row, column: columns - 1 };
  return undefined;
}

const added = (place: Place, by: Place): Place => ({
  row: place.row + by.row,
  column: place.column + by.column,
});

/** The last filled cell before a blank one, or the next filled one behind blanks, or the end: as spreadsheets do. */
function edge(sheet: SheetState, from: Place, by: Place): Place {
  const isFilled = ({ row, column }: Place): boolean => {
    const slot = sheet.columns[column]?.slot;
    return slot !== undefined && sheet.rows[row]?.cells[slot] !== undefined;
  };
  const isInside = ({ row, column }: Place): boolean =>
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

/** The cell behind (1) or before (-1) it, row after row; undefined at either end of the sheet. */
export function nextCell(sheet: SheetState, { row, column }: Place, by: 1 | -1): Place | undefined {
  const { rows, columns } = extentOf(sheet);
  const index = row * columns + column + by;
  if (index < 0 || index >= rows * columns) return undefined;
  return { row: Math.floor(index / columns), column: index % columns };
}

/** Which way dragging the fill handle to that cell fills: along one side of the selection alone. */
export function fillTarget(from: Range, to: Place): Range {
  const down = Math.max(to.row - from.bottom, from.top - to.row);
  const across = Math.max(to.column - from.right, from.left - to.column);
  if (down <= 0 && across <= 0) return from;
  return down >= across
    ? { ...from, top: Math.min(from.top, to.row), bottom: Math.max(from.bottom, to.row) }
    : { ...from, left: Math.min(from.left, to.column), right: Math.max(from.right, to.column) };
}
