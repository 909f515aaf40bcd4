// Widths of columns, and the range of visible columns.
import type { CellType } from '#contract';
import type { SheetColumn } from './sheet-columns.ts';

const usualWidths: Record<CellType, number> = {
  string: 180,
  number: 110,
  boolean: 96,
  array: 150,
  object: 150,
  any: 160,
};
const minWidth = 56;
const maxWidth = 800;
/** Columns drawn outside the view, on each side. */
const overscanColumns = 2;

/** Widths of resized columns, by slot. */
export type Widths = ReadonlyMap<number, number>;

/** Start of each column, and the end of the last one, in pixels. The first column begins at `start`. */
export function columnEdges(columns: readonly SheetColumn[], widths: Widths, start = 0): readonly number[] {
  const edges = [start];
  for (const { slot, type } of columns)
    edges.push((edges.at(-1) ?? 0) + (widths.get(slot) ?? usualWidths[type]));
  return edges;
}

export const allowedWidth = (width: number): number =>
  Math.round(Math.max(minWidth, Math.min(maxWidth, width)));

/** Approximate width of a text. */
export const widthFor = (letters: number): number => allowedWidth(letters * 7.2 + 24);

/** Range of columns to draw: `first` up to but not including `end`. */
export function visibleColumns(
  edges: readonly number[],
  view: { readonly left: number; readonly width: number },
): { readonly first: number; readonly end: number } {
  const count = edges.length - 1;
  const first = columnAt(edges, view.left) - overscanColumns;
  const end = columnAt(edges, view.left + view.width) + 1 + overscanColumns;
  return { first: Math.max(0, first), end: Math.max(0, Math.min(count, end)) };
}

/** Index of the column at that point; beyond the ends, of the nearest one. */
export function columnAt(edges: readonly number[], x: number): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((edges[middle] ?? 0) <= x) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
