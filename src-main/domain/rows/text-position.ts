/** A position in a text; line and column count from 1. */
export type TextPosition = { readonly line: number; readonly column: number };

/** `line 3, column 14` */
export const describePosition = ({ line, column }: TextPosition): string => `line ${line}, column ${column}`;

/** The position `offset` units into a text that starts at `start`. */
export function positionAt(text: string, offset: number, start: TextPosition): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const last = before.at(-1) ?? '';
  return before.length === 1
    ? { line: start.line, column: start.column + last.length }
    : { line: start.line + before.length - 1, column: last.length + 1 };
}
