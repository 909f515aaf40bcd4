// How wide columns are and which of them are in sight.
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
const narrowest = 56;
const widest = 800;
/** Columns drawn beyond what is seen, on each side. */
const spareColumns = 2;

/** By slot of the column, of those that were resized. */
export type Widths = ReadonlyMap<number, number>;

/** Where each column begins, and where the last one ends. */
export function columnEdges(columns: readonly SheetColumn[], widths: Widths): readonly number[] {
  const edges = [0];
  for (const { slot, type } of columns)
    edges.push((edges.at(-1) ?? 0) + (widths.get(slot) ?? usualWidths[type]));
  return edges;
}

export const allowedWidth = (width: number): number =>
  Math.round(Math.max(narrowest, Math.min(widest, width)));

/** About as wide as the text needs it. */
export const widthFor = (letters: number): number => allowedWidth(letters * 7.2 + 24);

/** Which columns to draw: `first` up to but not including `end`. */
export function visibleColumns(
  edges: readonly number[],
  view: { readonly left: number; readonly width: number },
): { readonly first: number; readonly end: number } {
  const count = edges.length - 1;
  const first = columnAt(edges, view.left) - spareColumns;
  const end = columnAt(edges, view.left + view.width) + 1 + spareColumns;
  return { first: Math.max(0, first), end: Math.max(0, Math.min(count, end)) };
}

/** The column over that point; the nearest one beyond the ends. */
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
