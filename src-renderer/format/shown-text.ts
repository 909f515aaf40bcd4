// Untrusted text, shown character by character. Characters that change the text's direction or are invisible are shown
// by name, so that two texts that look the same are the same ("Trojan source").

export type TextSegment = {
  readonly text: string;
  /** It stands for a character that cannot be seen. */
  readonly isMark?: true;
};

/** Controls but tab and line breaks, turns of direction, and all that Unicode says may be left out of sight. */
const hidden =
  /[\p{Default_Ignorable_Code_Point}\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** Joiners belong to letters of some scripts and to pictures, and a selector to the sign before it. */
const joined = /[^\p{ASCII}\p{Default_Ignorable_Code_Point}\p{White_Space}]\uFE0F?[\u200C\u200D]$/u;
const joinedOn = /^[^\p{ASCII}\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;
/** A character may have one variation selector; more selectors could carry text that the user cannot see. */
const selected = /[^\p{ASCII}\p{White_Space}\p{Default_Ignorable_Code_Point}]$/u;
const isSelector = (mark: string): boolean => /^[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]$/u.test(mark);
const isJoiner = (mark: string): boolean => mark === '\u200C' || mark === '\u200D';

/** A character that cannot be seen, and the name that stands for it: `U+202E`. */
export type HiddenCharacter = { readonly index: number; readonly length: number; readonly name: string };

/** The characters of a text that cannot be seen, in their order. */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  return [...text.matchAll(hidden)]
    .filter(({ 0: mark, index }) => !belongs(text, mark, index))
    .map(({ 0: mark, index }) => ({ index, length: mark.length, name: nameOf(mark) }));
}

/** True if the text may have a character that cannot be seen; quick, for the cells of a table. */
export const mayHideCharacters = (text: string): boolean => text.search(hidden) >= 0;

/** The text in its order, with a part of its own for each character that cannot be seen: `U+202E`. */
export function visibleSegments(text: string): readonly TextSegment[] {
  const parts: TextSegment[] = [];
  let from = 0;
  for (const { index, length, name } of hiddenCharacters(text)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: name, isMark: true });
    from = index + length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

function belongs(text: string, mark: string, index: number): boolean {
  if (isSelector(mark)) return selected.test(text.slice(Math.max(0, index - 2), index));
  if (!isJoiner(mark)) return false;
  return (
    joined.test(text.slice(Math.max(0, index - 3), index + 1)) &&
    joinedOn.test(text.slice(index + 1, index + 3))
  );
}

const nameOf = (mark: string): string =>
  `U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
