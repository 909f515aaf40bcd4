// Where the columns of the table are, in pixels.
import type { TableColumn } from './table-columns.ts';

/** Widths of the cells that each row begins with: its check box, its number and its status. */
export const leadWidths = { box: 30, number: 62, status: 92, label: 140, took: 78 } as const;
/** Width in which a reason says something. */
const minReasonWidth = 80;
/** Width of a table from which on labels and times of rows stay in sight. */
const minWideTable = 820;
/** Width of the reason why a row failed, if no column of the output is shown. */
const reasonWidth = 420;

export type TableShape = {
  /** Width of the cells that each row begins with. */
  readonly leadWidth: number;
  /** True if the label and the time of a row are among these cells. */
  readonly isWide: boolean;
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

/**
 * Columns whose cells a failed row fills with its reason: those of the outputs, else the cells that it never reached.
 * @param nodeId node at which it failed
 */
export function reasonOf(
  { reason, edges, width: tableWidth }: TableShape,
  columns: readonly TableColumn[],
  nodeId: string,
): TableShape['reason'] | undefined {
  if (reason.first < columns.length || !columns.some(({ of }) => of === 'cell')) return reason;
  const failed = columns.findIndex(({ of, name }) => of === 'cell' && name === nodeId);
  const [first, end] = [failed + 1, 1 + columns.findLastIndex(({ of }) => of === 'cell')];
  const left = edges[first] ?? 0;
  // Behind the last column there may be room, too.
  const width = (end === columns.length ? tableWidth : (edges[end] ?? left)) - left;
  return failed < 0 || width < minReasonWidth ? undefined : { first, end, left, width };
}

/** @param clientWidth width of the visible part of the table */
export function shapeOf(columns: readonly TableColumn[], clientWidth: number): TableShape {
  const isWide = clientWidth >= minWideTable;
  const { box, number, status, label, took } = leadWidths;
  const leadWidth = box + number + status + (isWide ? label + took : 0);
  const edges = [leadWidth];
  for (const { width } of columns) edges.push((edges.at(-1) ?? 0) + width);
  const pinned = columns.filter(({ isPinned }) => isPinned).length;
  const [first, end] = outputBand(columns);
  const left = edges[first] ?? leadWidth;
  const columnsEnd = edges.at(-1) ?? leadWidth;
  const hasCells = columns.some(({ of }) => of === 'cell');
  const isLast = end === columns.length && (first < end || !hasCells);
  const reasonEnd = isLast
    ? Math.max(columnsEnd, left + reasonWidth, clientWidth)
    : (edges[end] ?? columnsEnd);
  return {
    leadWidth,
    isWide,
    pinnedWidth: edges[pinned] ?? leadWidth,
    edges,
    pinned,
    width: Math.max(columnsEnd, reasonEnd, clientWidth),
    reason: { first, end, left, width: reasonEnd - left },
  };
}

/** The first neighbours among the columns of the output that are not pinned; behind all columns if there are none. */
function outputBand(columns: readonly TableColumn[]): readonly [first: number, end: number] {
  const isOutput = (column: TableColumn | undefined): boolean =>
    column?.of === 'reason' || (column?.of === 'output' && !column.isPinned);
  const first = columns.findIndex((column) => isOutput(column));
  if (first < 0) return [columns.length, columns.length];
  let end = first;
  while (isOutput(columns[end])) end += 1;
  return [first, end];
}
