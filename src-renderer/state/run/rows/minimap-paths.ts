// The strip of the rows shown as SVG paths: one path per kind, so that a thousand lines need only a few elements.
import type { TableOverview } from '#contract';
import { depthOf } from '../cell-look.ts';

/** Pieces of the rows shown, in their order. */
type RowPieces = Pick<Extract<TableOverview, { isReady: true }>, 'pieces' | 'rowsPerPiece'>;

export type MinimapPaths = {
  /** Height of the picture, in lines. */
  readonly height: number;
  /** Rows that have ended, by the colour depth of their mean duration. */
  readonly ended: readonly string[];
  readonly slow: string;
  readonly failed: string;
};

/** Minimum width of a mark, about one pixel; the whole picture is 10 wide. */
const minMarkWidth = 0.7;

/**
 * Paths for a picture that is 10 wide. Failed rows are drawn from the left and slow ones from the right, as wide as their
 * share of the line's rows; even one row of a thousand is visible.
 * @param lines maximum lines, the height of the picture in pixels
 */
export function minimapPaths(minimap: RowPieces, lines: number): MinimapPaths {
  const ended = Array.from({ length: 6 }, () => '');
  let slow = '';
  let failed = '';
  const perLine = Math.max(1, Math.ceil(minimap.pieces.length / Math.max(1, lines)));
  linesOf(minimap, perLine).forEach(([failures, slowRows, rows, ms, room], at) => {
    if (rows === 0) return;
    // A line whose rows have not all ended is drawn in part.
    const height = Math.min(1, rows / room);
    ended[depthOf(ms)] += `M0 ${at}h10v${round(height)}H0z`;
    const slowWidth = widthOf(slowRows, rows);
    if (slowRows > 0) slow += `M${round(10 - slowWidth)} ${at}h${slowWidth}v1h-${slowWidth}z`;
    if (failures > 0) failed += `M0 ${at}h${widthOf(failures, rows)}v1H0z`;
  });
  return { height: minimap.pieces.length / perLine, ended, slow, failed };
}

type Line = readonly [failed: number, slow: number, ended: number, ms: number, room: number];

/** The lines of the picture, each with the sum of its pieces. */
function linesOf({ pieces, rowsPerPiece }: RowPieces, perLine: number): readonly Line[] {
  return Array.from({ length: Math.ceil(pieces.length / perLine) }, (_, line): Line => {
    const group = pieces.slice(line * perLine, (line + 1) * perLine);
    const sum = (of: (piece: RowPieces['pieces'][number]) => number): number =>
      group.reduce((total, piece) => total + of(piece), 0);
    const rows = sum(([, , ended]) => ended);
    const ms = sum(([, , ended, mean]) => ended * mean) / Math.max(1, rows);
    return [sum(([failed]) => failed), sum(([, slow]) => slow), rows, ms, group.length * rowsPerPiece];
  });
}

const widthOf = (part: number, rows: number): number => round(Math.max(minMarkWidth, (10 * part) / rows));
const round = (value: number): number => Math.round(value * 100) / 100;
