// The minimap of a run as SVG paths: one path per kind, so that a thousand lines need only a few elements.
import type { RunStripView } from '#contract';
import { depthOf } from './cell-look.ts';

export type StripPaths = {
  /** Height of the picture, in lines. */
  readonly height: number;
  /** Rows that have ended, by the depth of their mean time. */
  readonly ended: readonly string[];
  readonly slow: string;
  readonly failed: string;
};

/** Minimum width of a mark, about one pixel; the whole picture is 10 wide. */
const least = 0.7;

/**
 * On a ground ten wide, of as many lines as the screen has pixels at most. Failed rows from the left, slow ones from
 * the right, each as wide as its share of the line's rows; one of a thousand is still seen.
 */
export function stripPaths(strip: RunStripView, lines: number): StripPaths {
  const ended = Array.from({ length: 6 }, () => '');
  let slow = '';
  let failed = '';
  const perLine = Math.max(1, Math.ceil(strip.pieces.length / Math.max(1, lines)));
  linesOf(strip, perLine).forEach(([failures, slowRows, rows, ms, room], at) => {
    if (rows === 0) return;
    // Of a line that is not through, the part that is.
    const height = Math.min(1, rows / room);
    ended[depthOf(ms)] += `M0 ${at}h10v${round(height)}H0z`;
    const slowWidth = widthOf(slowRows, rows);
    if (slowRows > 0) slow += `M${round(10 - slowWidth)} ${at}h${slowWidth}v1h-${slowWidth}z`;
    if (failures > 0) failed += `M0 ${at}h${widthOf(failures, rows)}v1H0z`;
  });
  return { height: strip.pieces.length / perLine, ended, slow, failed };
}

type Line = readonly [failed: number, slow: number, ended: number, ms: number, room: number];

/** Pieces that fall on the same line, together. */
function linesOf({ pieces, rowsPerPiece }: RunStripView, perLine: number): readonly Line[] {
  return Array.from({ length: Math.ceil(pieces.length / perLine) }, (_, line): Line => {
    const group = pieces.slice(line * perLine, (line + 1) * perLine);
    const sum = (of: (piece: RunStripView['pieces'][number]) => number): number =>
      group.reduce((total, piece) => total + of(piece), 0);
    const rows = sum(([, , ended]) => ended);
    const ms = sum(([, , ended, mean]) => ended * mean) / Math.max(1, rows);
    return [sum(([failed]) => failed), sum(([, slow]) => slow), rows, ms, group.length * rowsPerPiece];
  });
}

const widthOf = (part: number, rows: number): number => round(Math.max(least, (10 * part) / rows));
const round = (value: number): number => Math.round(value * 100) / 100;
