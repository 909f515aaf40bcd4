// Text as a page shows it: lines, each split into tokens that are coloured by kind.
import { count } from '#contract';

/** `word`: a word of the language; `mark`: brackets, commas and the like; `expression`: what is computed for each row. */
export type TokenKind = 'plain' | 'key' | 'text' | 'number' | 'word' | 'comment' | 'mark' | 'expression';

export type Token = { readonly kind: TokenKind; readonly text: string };

/** Lines count from 0. */
export type CodeText = {
  readonly count: number;
  readonly tokensOf: (line: number) => readonly Token[];
};

/** Maximum characters shown per line: users read no further, and browsers lay out longer lines slowly. */
const longestLine = 2_000;

/** The lines of a text, without their ends. */
export const linesOf = (text: string): readonly string[] => text.split(/\r?\n/);

/** The shown part of a line: at most `longestLine` characters. */
export function shownLine(line: string): string {
  if (line.length <= longestLine) return line;
  // Never half of a character that is written in two.
  const end = /[\ud800-\udbff]/.test(line.charAt(longestLine - 1)) ? longestLine - 1 : longestLine;
  return line.slice(0, end);
}

/** Tells that a line goes on; undefined where it is shown whole. */
export function restOfLine(line: string): Token | undefined {
  const rest = line.length - shownLine(line).length;
  return rest === 0 ? undefined : { kind: 'comment', text: ` … ${count(rest)} more characters` };
}
