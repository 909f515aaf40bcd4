// Detects CSV on the clipboard. Spreadsheets copy cells with tabs, but editors, mails and chats copy the text of a file.
import { unguardFormulas } from '#contract';
import { parseTsv, type Delimiter } from './tsv.ts';

export type CsvBlock = {
  readonly delimiter: Exclude<Delimiter, '\t'>;
  /** Lines of equal length, with two cells or more. */
  readonly lines: readonly (readonly string[])[];
};

/**
 * The cells of a text that looks like CSV: several lines, each with the same number of semicolons or commas. Undefined
 * for text with tabs, JSON, sentences, and a column of numbers with a decimal comma. The apostrophes that the CSV export
 * puts before formulas are removed.
 */
export function csvBlock(text: string): CsvBlock | undefined {
  if (text.includes('\t') || /^\s*[[{]/.test(text) || !/[\r\n]/.test(text.trim())) return undefined;
  return blockBy(text, ';') ?? blockBy(text, ',');
}

function blockBy(text: string, delimiter: CsvBlock['delimiter']): CsvBlock | undefined {
  const lines = parseTsv(text, delimiter).filter((cells) => cells.length > 1 || cells[0]?.trim() !== '');
  const width = lines[0]?.length ?? 0;
  if (lines.length < 2 || width < 2 || lines.some(({ length }) => length !== width)) return undefined;
  const isDecimals = delimiter === ',' && width === 2 && lines.every((cells) => cells.every(isDigits));
  return isDecimals || lines.every(isSentence)
    ? undefined
    : { delimiter, lines: lines.map((cells) => cells.map(unguardFormulas)) };
}

const isDigits = (cell: string): boolean => /^[-+]?\d+$/.test(cell);

/** True if every further part begins with a space, as after the comma in "Lovelace, Ada". */
const isSentence = (cells: readonly string[]): boolean => cells.slice(1).every((cell) => /^ \S/.test(cell));
