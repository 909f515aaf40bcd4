// The picture of a whole run as outlines: one path a kind, so that a thousand lines are four elements.
import type { RunStripView } from '#contract';
import { depthOf } from './cell-look.ts';

export type StripPaths = {
  /** Rows that have ended, by the depth of their mean time. */
  readonly ended: readonly string[];
  readonly slow: string;
  readonly failed: string;
};

/** On a ground of `pieces` high: a line a piece. Failed ones are twice as high, to be seen among a thousand. */
export function stripPaths(strip: RunStripView): StripPaths {
  const ended = Array.from({ length: 6 }, () => '');
  let slow = '';
  let failed = '';
  strip.pieces.forEach(([failures, slowRows, rows, ms], at) => {
    if (rows === 0) return;
    // Of a piece that is not through, the part that is.
    const height = Math.min(1, rows / strip.rowsPerPiece);
    ended[depthOf(ms)] += `M0 ${at}h10v${height}H0z`;
    if (slowRows > 0) slow += `M7 ${at}h3v1h-3z`;
    if (failures > 0) failed += `M0 ${at}h10v1H0z`;
  });
  return { ended, slow, failed };
}
