// The difference of two texts in lines, as the few edits that make one of the other: lines that stay are not replaced,
// so that a caret in them stays where it is.
import { diffSequences } from './diff-sequences.ts';

/** Lines from `from` up to but not including `to` become `lines`. Lines count from 0. */
export type LineEdit = { readonly from: number; readonly to: number; readonly lines: readonly string[] };

/** Differing lines that are searched for. With more, everything between the first and the last is replaced. */
const maxDifferences = 400;

/** Edits of `before`, in ascending order; they do not touch. */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const edits: LineEdit[] = [];
  let from = 0;
  for (const { kind, items } of diffSequences(before, after, maxDifferences)) {
    const to = kind === 'added' ? from : from + items.length;
    if (kind !== 'same') {
      const added = kind === 'added' ? items : [];
      const last = edits.at(-1);
      if (last?.to === from) edits.splice(-1, 1, { ...last, to, lines: [...last.lines, ...added] });
      else edits.push({ from, to, lines: added });
    }
    from = to;
  }
  return edits;
}

/** The one edit that makes `after` of `before`, without their common beginning and end. */
export function textDifference(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
