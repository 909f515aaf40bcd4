import type { JsonValue } from '../../base/json-value.ts';
import type { CsvDelimiter } from './csv-records.ts';
import { guardFormulas } from './formula-guard.ts';

/**
 * One record of CSV with its line break (LF). Lists and objects are written as JSON, null as an empty cell. Text
 * that a spreadsheet would take for a formula is guarded by apostrophes, so that opening the file runs nothing. A cell
 * that holds any delimiter of `CsvRecords` is quoted, so that programs that split at another one find the comma.
 */
export function csvLine(values: readonly JsonValue[], delimiter: CsvDelimiter = ','): string {
  const line = values.map(cellOf).join(delimiter);
  // A blank line would be no record at all to most readers.
  return line === '' ? '""\n' : `${line}\n`;
}

function cellOf(value: JsonValue): string {
  if (value === null) return '';
  return quotedWhereNeeded(guardFormulas(typeof value === 'object' ? JSON.stringify(value) : String(value)));
}

const quotedWhereNeeded = (text: string): string =>
  /[",;|\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
