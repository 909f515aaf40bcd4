import { linesOf } from '../../format/code-text.ts';
import { lineEdits } from '../../format/line-edits.ts';

/** Neighbouring lines that were removed, added or replaced. */
export type ChangedBlock = {
  /** Number of the first line in the text after, from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** The differences of two texts, in order. */
export function changedBlocks(before: string, after: string): readonly ChangedBlock[] {
  const lines = linesOf(before);
  let shift = 0;
  return lineEdits(lines, linesOf(after)).map(({ from, to, lines: added }) => {
    const line = from + shift + 1;
    shift += added.length - (to - from);
    return { line, removed: lines.slice(from, to), added };
  });
}
