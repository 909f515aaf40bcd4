/** Characters of a line that are shown. */
const maxLineLength = 300;

/** The beginning of a long line. */
export const shortLine = (line: string): string =>
  line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
