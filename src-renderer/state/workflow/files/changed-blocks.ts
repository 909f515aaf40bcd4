import { linesOf } from '../../../format/code-text.ts';
import { lineEdits } from '../../../format/line-edits.ts';

/** Neighbouring lines that were removed, added or replaced. */
export type ChangedBlock = {
  /** Number of the first line in the text after, from 1. */
  readonly line: number;
  /** Number of the first line in the text before, from 1. */
  readonly lineBefore: number;
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
    return { line, lineBefore: from + 1, removed: lines.slice(from, to), added };
  });
}

/** The text after without one of its differences. Line ends stay as each text has them. */
export function withoutBlock(
  { before, after }: { readonly before: string; readonly after: string },
  { line, lineBefore, removed, added }: ChangedBlock,
): string {
  const [old, lines] = [before.split('\n'), after.split('\n')];
  const restored = old.slice(lineBefore - 1, lineBefore - 1 + removed.length);
  return [...lines.slice(0, line - 1), ...restored, ...lines.slice(line - 1 + added.length)].join('\n');
}
