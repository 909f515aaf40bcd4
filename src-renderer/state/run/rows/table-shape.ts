// Where the columns of the table are, in pixels.
import type { TableColumn } from './table-columns.ts';

/** Widths of the cells that each row begins with: its check box, its number and its status. */
export const leadWidths = { box: 32, number: 68, status: 92 } as const;
/** Width of the run's id in the cell of the status, in a table of several runs. */
const runWidth = 72;
/** Width of the reason why a row failed, if no column of the output is shown. */
const reasonWidth = 420;

export type TableShape = {
  /** Width of the cells that each row begins with. */
  readonly leadWidth: number;
  readonly statusWidth: number;
  /** Width of the part that stays in sight while the others scroll. */
  readonly pinnedWidth: number;
  /** Start of each column; the last number is the end of the last one. */
  readonly edges: readonly number[];
  /** Number of pinned columns, which come first. */
  readonly pinned: number;
  readonly width: number;
  /** Columns whose cells a failed row fills with its reason. */
  readonly reason: {
    readonly first: number;
    readonly end: number;
    readonly left: number;
    readonly width: number;
  };
};

/** @param clientWidth width of the visible part of the table */
export function shapeOf(columns: readonly TableColumn[], clientWidth: number, hasRuns = false): TableShape {
  const statusWidth = leadWidths.status + (hasRuns ? runWidth : 0);
  const leadWidth = leadWidths.box + leadWidths.number + statusWidth;
  const edges = [leadWidth];
  for (const { width } of columns) edges.push((edges.at(-1) ?? 0) + width);
  const pinned = columns.filter(({ isPinned }) => isPinned).length;
  const [first, end] = outputBand(columns);
  const left = edges[first] ?? leadWidth;
  const columnsEnd = edges.at(-1) ?? leadWidth;
  const isLast = end === columns.length;
  const reasonEnd = isLast
    ? Math.max(columnsEnd, left + reasonWidth, clientWidth)
    : (edges[end] ?? columnsEnd);
  return {
    leadWidth,
    statusWidth,
    pinnedWidth: edges[pinned] ?? leadWidth,
    edges,
    pinned,
    width: Math.max(columnsEnd, reasonEnd, clientWidth),
    reason: { first, end, left, width: reasonEnd - left },
  };
}

/** The first neighbours among the columns of the output that are not pinned; behind all columns if there are none. */
function outputBand(columns: readonly TableColumn[]): readonly [first: number, end: number] {
  const isOutput = (column: TableColumn | undefined): boolean => column?.of === 'output' && !column.isPinned;
  const first = columns.findIndex((column) => isOutput(column));
  if (first < 0) return [columns.length, columns.length];
  let end = first;
  while (isOutput(columns[end])) end += 1;
  return [first, end];
}
