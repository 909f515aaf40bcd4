// CSV (RFC 4180) cut into records as the text arrives. Quotes may hold delimiters, line breaks and doubled
// quotes; a quote inside an unquoted cell is an ordinary character, as spreadsheets read it.
import type { JsonValue } from '../../../base/json-value.ts';
import { rowsInvalid } from '../../workflow-errors.ts';
import { guardFormulas } from '../export/formula-guard.ts';
import { positionAt } from '../text-position.ts';

export type CsvRecord = {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

const csvDelimiters = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

/** The delimiter that the first line holds most of outside quotes; a comma when it has none. */
export function guessDelimiter(firstLine: string): CsvDelimiter {
  const bare = firstLine.replaceAll(/"[^"]*(?:"|$)/g, ''); // a name may go on behind the line break
  const count = (delimiter: string): number => bare.split(delimiter).length - 1;
  return csvDelimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}

type Cell = { readonly text: string; /** Index behind the cell. */ readonly end: number };

export class CsvRecords {
  readonly #delimiter: string;
  readonly #cellEnd: RegExp;
  #text = '';
  #line = 1;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#cellEnd = new RegExp(`[${delimiter.replace(/[\\\]^-]/, '\\$&')}\\r\\n]`, 'g');
  }

  /** The records that this piece completes. Blank lines are skipped. */
  push(text: string): CsvRecord[] {
    this.#text += text;
    // Without a line break no record ends, and to look through a long one again for each piece takes ever longer.
    return /[\r\n]/.test(text) ? this.#records(false) : [];
  }

  /** The remaining records. Throws `invalid_input` for a quote without a closing one. */
  end(): CsvRecord[] {
    return this.#records(true);
  }

  #records(isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let at = 0;
    while (at < this.#text.length) {
      const record = this.#record(at, isLast);
      if (record === undefined) break;
      const written = this.#text.slice(at, record.end);
      const isBlank = record.cells.length === 1 && written.trim() === '';
      if (!isBlank) records.push({ line: this.#line, cells: record.cells });
      this.#line += lineBreaksIn(written);
      at = record.end;
    }
    this.#text = this.#text.slice(at);
    return records;
  }

  /** The record that begins at `from`, with its line break; undefined when it is not whole yet. */
  #record(from: number, isLast: boolean): { cells: string[]; end: number } | undefined {
    const cells: string[] = [];
    for (let at = from; ; at++) {
      const cell = this.#text[at] === '"' ? this.#quotedCell(from, at, isLast) : this.#plainCell(at, isLast);
      if (cell === undefined) return undefined;
      cells.push(cell.text);
      at = cell.end;
      if (this.#text[at] === this.#delimiter) continue;
      const end = this.#behindLineBreak(at, isLast);
      return end === undefined ? undefined : { cells, end };
    }
  }

  #plainCell(from: number, isLast: boolean): Cell | undefined {
    this.#cellEnd.lastIndex = from;
    const end = this.#cellEnd.exec(this.#text)?.index;
    if (end === undefined && !isLast) return undefined;
    return { text: this.#text.slice(from, end), end: end ?? this.#text.length };
  }

  #quotedCell(recordStart: number, from: number, isLast: boolean): Cell | undefined {
    let close = this.#text.indexOf('"', from + 1);
    while (close >= 0 && this.#text[close + 1] === '"') close = this.#text.indexOf('"', close + 2);
    if (close < 0) {
      if (isLast) throw this.#fault(recordStart, from, 'nothing closes the quote that opens here');
      return undefined;
    }
    const next = this.#text[close + 1];
    if (next === undefined && !isLast) return undefined; // it may be doubled by the next piece
    if (next !== undefined && next !== this.#delimiter && next !== '\r' && next !== '\n') {
      throw this.#fault(recordStart, close + 1, 'unexpected text behind a closing quote');
    }
    return { text: this.#text.slice(from + 1, close).replaceAll('""', '"'), end: close + 1 };
  }

  /** Index behind the CR LF, LF or CR at `at`; undefined when a LF may still follow a CR. */
  #behindLineBreak(at: number, isLast: boolean): number | undefined {
    if (this.#text[at] !== '\r') return Math.min(at + 1, this.#text.length);
    if (at + 1 === this.#text.length && !isLast) return undefined;
    return this.#text[at + 1] === '\n' ? at + 2 : at + 1;
  }

  #fault(recordStart: number, at: number, problem: string): Error {
    const position = positionAt(this.#text.slice(recordStart), at - recordStart, {
      line: this.#line,
      column: 1,
    });
    return rowsInvalid(position, problem);
  }
}

const lineBreaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

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
