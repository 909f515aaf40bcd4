// What was removed and what was added between two lists of texts: words of a value, or lines of a workflow.
import { diffArrays } from 'diff';

export type DiffPiece = { readonly kind: 'same' | 'removed' | 'added'; readonly items: readonly string[] };

/** Removed and added items, at most, that are looked for one by one. Time and memory grow with its square. */
const maxEdits = 1_000;

/** Differences of two lists; if they differ in very much, all between their equal ends counts as changed. */
export function diffSequences(
  before: readonly string[],
  after: readonly string[],
  maxEditLength = maxEdits,
): readonly DiffPiece[] {
  const changes = diffArrays([...before], [...after], { maxEditLength });
  if (changes === undefined) return endsOnly(before, after);
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    items: value,
  }));
}

function endsOnly(before: readonly string[], after: readonly string[]): readonly DiffPiece[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const pieces: DiffPiece[] = [
    { kind: 'same', items: before.slice(0, start) },
    { kind: 'removed', items: before.slice(start, before.length - end) },
    { kind: 'added', items: after.slice(start, after.length - end) },
    { kind: 'same', items: before.slice(before.length - end) },
  ];
  return pieces.filter(({ items }) => items.length > 0);
}
