// Texts and tables for a terminal.

/** Columns padded to their widest cell, two spaces apart; every line ends with a newline. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map(printable));
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines
    .map(
      (cells) =>
        cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('');
}

/** A name or message of others on one line: blanks instead of line breaks and all that could steer the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, ' ');

/**
 * Text for a terminal: what could steer the terminal (C0 and C1 control characters, DEL) or turn the direction of the
 * text is written as JSON would escape it, `\\u001b`. Line breaks and tabs stay, and JSON stays the same value.
 */
export const escapeControls = (text: string): string =>
  text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
