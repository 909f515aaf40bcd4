// The lines of two texts as one list: equal ones once, removed and added ones marked, long equal parts folded.
import { diffSequences, type DiffPiece } from '../../format/diff-sequences.ts';

export type ChangedLine =
  | {
      readonly kind: 'same' | 'removed' | 'added';
      /** Line numbers from 1; undefined where a text does not have the line. */
      readonly before?: number;
      readonly after?: number;
      readonly text: string;
    }
  /** Equal lines that are left out. */
  | { readonly kind: 'folded'; readonly lines: number };

/** Equal lines around a change that stay. */
const contextLines = 3;

export function lineChanges(before: string, after: string): readonly ChangedLine[] {
  const pieces = diffSequences(linesOf(before), linesOf(after));
  const lines: ChangedLine[] = [];
  const numbers = { before: 0, after: 0 };
  for (const [index, { kind, items }] of pieces.entries()) {
    if (kind === 'same') {
      const start = index === 0 ? 0 : contextLines;
      const end = index === pieces.length - 1 ? 0 : contextLines;
      const folded = Math.max(0, items.length - start - end);
      addLines(lines, { kind, items: items.slice(0, folded === 0 ? items.length : start) }, numbers);
      if (folded === 0) continue;
      lines.push({ kind: 'folded', lines: folded });
      numbers.before += folded;
      numbers.after += folded;
      addLines(lines, { kind, items: items.slice(start + folded) }, numbers);
    } else addLines(lines, { kind, items }, numbers);
  }
  return lines;
}

function addLines(
  lines: ChangedLine[],
  { kind, items }: DiffPiece,
  numbers: { before: number; after: number },
): void {
  for (const text of items) {
    if (kind !== 'added') numbers.before += 1;
    if (kind !== 'removed') numbers.after += 1;
    lines.push({
      kind,
      text,
      ...(kind === 'added' ? {} : { before: numbers.before }),
      ...(kind === 'removed' ? {} : { after: numbers.after }),
    });
  }
}

const linesOf = (text: string): readonly string[] => text.replace(/\r?\n$/, '').split(/\r?\n/);
