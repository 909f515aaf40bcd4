// What changed between two values: words of a text, lines of a list or an object, the difference of two numbers.
import type { ShownValue } from '#contract';
import { diffSequences } from '../../format/diff-sequences.ts';

export type TextPiece = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string };

/** Characters of a text whose words are compared; the time grows with the words that differ. */
const maxCharacters = 200_000;

/** Words, single letters of scripts that are written without blanks, blanks, and other characters. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu;

export function wordChanges(before: string, after: string): readonly TextPiece[] {
  if (before.length + after.length > maxCharacters) return wholeChange(before, after);
  const pieces = diffSequences(before.match(word) ?? [], after.match(word) ?? []).map(({ kind, items }) => ({
    kind,
    text: items.join(''),
  }));
  const isAlike = pieces.some(({ kind, text }) => kind === 'same' && /[\p{L}\p{N}]/u.test(text));
  return isAlike ? withoutIslands(pieces) : wholeChange(before, after);
}

const wholeChange = (before: string, after: string): readonly TextPiece[] =>
  [{ kind: 'removed', text: before } as const, { kind: 'added', text: after } as const].filter(
    ({ text }) => text !== '',
  );

/** Joins changes that only blanks or marks divide, so that a changed sentence reads as one change. */
function withoutIslands(pieces: readonly TextPiece[]): readonly TextPiece[] {
  const result: TextPiece[] = [];
  let [removed, added] = ['', ''];
  const flush = (): void => {
    if (removed !== '') result.push({ kind: 'removed', text: removed });
    if (added !== '') result.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const [index, { kind, text }] of pieces.entries()) {
    const isIsland =
      kind === 'same' && removed + added !== '' && index < pieces.length - 1 && !/[\p{L}\p{N}]/u.test(text);
    if (kind === 'removed' || isIsland) removed += text;
    if (kind === 'added' || isIsland) added += text;
    if (kind !== 'same' || isIsland) continue;
    flush();
    result.push({ kind, text });
  }
  flush();
  return result;
}

/** For a line of a table: long equal parts are cut, and the changes stay in sight. */
export function excerptOf(pieces: readonly TextPiece[], maxSame = 24): readonly TextPiece[] {
  return pieces.map(({ kind, text }, index) => {
    if (kind !== 'same' || text.length <= 2 * maxSame) return { kind, text };
    const isFirst = index === 0;
    const isLast = index === pieces.length - 1;
    const start = isFirst ? '' : text.slice(0, maxSame);
    const end = isLast ? '' : text.slice(-maxSame);
    return { kind, text: `${start}…${end}` };
  });
}

/** `+20`, `-0.5`; undefined unless both are numbers. */
export function numberChange(before?: ShownValue, after?: ShownValue): string | undefined {
  if (before?.type !== 'number' || after?.type !== 'number') return undefined;
  const difference = Number((Number(after.text) - Number(before.text)).toPrecision(6));
  return `${difference > 0 ? '+' : ''}${difference.toLocaleString('en-US', { maximumSignificantDigits: 6 })}`;
}

/** Texts of which words are compared; other values are shown before and after. */
export const isLongText = (before?: ShownValue, after?: ShownValue): boolean =>
  before?.type === 'text' && after?.type === 'text' && Math.max(before.text.length, after.text.length) > 24;
