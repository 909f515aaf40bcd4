import { counted } from '#contract';
import { lineEdits } from '../../../format/line-edits.ts';

/** Number of lines that were added, removed or changed. */
export const changedLines = (before: string, after: string): number =>
  before === after
    ? 0
    : lineEdits(before.split('\n'), after.split('\n')).reduce(
        (sum, { from, to, lines }) => sum + Math.max(to - from, lines.length),
        0,
      );

/** `2 lines differ`. */
export const differingLines = (before: string, after: string): string => {
  const lines = changedLines(before, after);
  return `${counted(lines, 'line')} ${lines === 1 ? 'differs' : 'differ'}`;
};
