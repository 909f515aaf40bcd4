// Which columns of different widths are in sight.
import type { IndexRange } from '../lists/virtual-list.ts';

/** Columns drawn outside the view, on each side. */
const overscanColumns = 2;

/** Range of columns to draw. `edges` are the start of each column and the end of the last one. */
export function visibleColumns(
  edges: readonly number[],
  view: { readonly left: number; readonly width: number },
): IndexRange {
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
