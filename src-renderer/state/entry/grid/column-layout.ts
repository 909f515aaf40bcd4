// Widths of the columns of a sheet.
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
