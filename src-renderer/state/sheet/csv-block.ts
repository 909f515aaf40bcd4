// CSV on the clipboard: spreadsheets put tabs there, but an editor, a mail or a chat holds the text of the file itself.
import { unguardFormulas } from '#contract';
import { parseTsv, type Delimiter } from './tsv.ts';

export type CsvBlock = {
  readonly delimiter: Exclude<Delimiter, '\t'>;
  /** All as long, and of two cells or more. */
  readonly lines: readonly (readonly string[])[];
};

/**
 * The cells of a text that is CSV by all signs: several lines with as many semicolons or commas each. Undefined for
 * one with tabs, for JSON, for sentences, and for a column of numbers with a decimal comma. The apostrophes that the
 * CSV export puts before formulas are removed.
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

/** Its parts begin with a space each, as behind the comma of "Lovelace, Ada". */
const isSentence = (cells: readonly string[]): boolean => cells.slice(1).every((cell) => /^ \S/.test(cell));
