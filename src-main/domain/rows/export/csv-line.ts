// Lines of CSV files as Rowbench writes them: its readers, which decide much from a file itself, read them back equal.
import type { JsonValue } from '../../../base/json-value.ts';
import { isValueText } from '../files/value-text.ts';
import { guardFormulas } from './formula-guard.ts';

/** The delimiters of files that Rowbench writes, and the bar. */
export type CsvDelimiter = ',' | ';' | '\t' | '|';

/** The line that names the columns. */
export function csvHeader(names: readonly string[], delimiter: CsvDelimiter = ','): string {
  const cells = names.map((name) => csvHeaderCell(name, names.length));
  return csvText(cells, delimiter);
}

/**
 * The cell that names a column. A name that looks like a value is quoted, so that it is read as a name; that of a
 * single column also if another character in it might be taken for a delimiter.
 * @param columns number of columns in the table
 */
export function csvHeaderCell(name: string, columns: number): string {
  const text = guardFormulas(name);
  return isQuotedName(name, columns) ? quoted(text) : quotedWhereNeeded(text);
}

/**
 * One record of CSV with its line break (LF). Lists and objects are written as JSON, null as an empty cell. Text
 * that a spreadsheet would take for a formula is guarded by apostrophes, so that opening the file runs nothing. A cell
 * that holds any usual delimiter is quoted, so that programs that split at another one find the right one.
 *
 * @param names the header, if there is one: a record equal to it is quoted in another way, so that it stays a record
 */
export function csvLine(
  values: readonly JsonValue[],
  delimiter: CsvDelimiter = ',',
  names: readonly string[] = [],
): string {
  const isHeader = names.length > 0 && values.every((value, column) => value === names[column]);
  const cells = values.map((value, column) => {
    const text = cellText(value);
    return isHeader && !isQuotedName(names[column] ?? '', names.length)
      ? quoted(text)
      : quotedWhereNeeded(text);
  });
  return csvText(cells, delimiter);
}

/** One cell of a record, as `csvLine` writes it. */
export const csvCell = (value: JsonValue): string => quotedWhereNeeded(cellText(value));

/** A line without any filled cell is no record to most readers. */
function csvText(cells: readonly string[], delimiter: CsvDelimiter): string {
  const line = cells.join(delimiter);
  return cells.every((cell) => cell === '') ? `""${line}\n` : `${line}\n`;
}

const isQuotedName = (name: string, columns: number): boolean =>
  isValueText(name) || (columns === 1 && /[ :#^~&*]/.test(name));

function cellText(value: JsonValue): string {
  if (value === null) return '';
  return guardFormulas(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const quotedWhereNeeded = (text: string): string => (needsQuotes(text) ? quoted(text) : text);

/** True for text that cannot stand in a cell without quotes: an apostrophe at its end may close one that is quoted so. */
const needsQuotes = (text: string): boolean => /[",;|\t\r\n]|^\s|\s$|'$|^sep=/i.test(text);

/** True if the text was quoted although it need not be: its writer marks it as text, whatever it looks like. */
export const isMarkedText = (text: string): boolean => !needsQuotes(text);
