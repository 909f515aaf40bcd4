import { lineEdits } from '../../../format/line-edits.ts';

/** Number of lines that were added, removed or changed. */
export const changedLines = (before: string, after: string): number =>
  before === after
    ? 0
    : lineEdits(before.split('\n'), after.split('\n')).reduce(
        (sum, { from, to, lines }) => sum + Math.max(to - from, lines.length),
        0,
      );
