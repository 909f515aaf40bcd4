import type { JsonValue } from '../../base/json-value.ts';

/**
 * One record of CSV with its line break (LF). Lists and objects are written as JSON, null as an empty cell. Text
 * that a spreadsheet would take for a formula gets an apostrophe in front, so that opening the file runs nothing.
 */
export function csvLine(values: readonly JsonValue[]): string {
  const line = values.map(cellOf).join(',');
  // A blank line would be no record at all to most readers.
  return line === '' ? '""\n' : `${line}\n`;
}

function cellOf(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return quotedWhereNeeded(withoutFormula(value));
  return quotedWhereNeeded(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** What spreadsheets read as the start of a formula, the full-width forms included. */
const formulaStart = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const plainNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

const withoutFormula = (text: string): string =>
  formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;

const quotedWhereNeeded = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
