import { rowsInvalid } from '../../workflow-errors.ts';
import { counted } from '../../format.ts';
import { CsvRecords, guessDelimiter, type CsvRecord } from './csv-records.ts';
import { unguardFormulas } from '../export/formula-guard.ts';
import type { ReadOptions } from './read-options.ts';
import { RemarkCollector, type ReadReport } from './read-remarks.ts';
import type { RowTextReader } from './row-text-reader.ts';
import type { ColumnTypes } from '../typed-cell.ts';
import { ColumnForms } from './column-forms.ts';

/**
 * Rows from CSV or TSV: the first record names the fields, each further one is a row. The apostrophes that Rowbench's
 * own export put before formulas are removed.
 */
export class CsvRows implements RowTextReader {
  readonly #forms: ColumnForms;
  readonly #remarks: RemarkCollector;
  #delimiter: string | undefined;
  #records: CsvRecords | undefined;
  #header: readonly string[] | undefined;
  #beginning = '';
  /** Records that wait until the forms of the columns are decided. */
  #waiting: CsvRecord[] = [];

  /** Without a delimiter the first line decides between comma, semicolon, tab and bar. */
  constructor(types: ColumnTypes, { delimiter, strict, ...forms }: ReadOptions = {}) {
    this.#remarks = new RemarkCollector(strict);
    this.#forms = new ColumnForms(types, forms, this.#remarks);
    this.#delimiter = delimiter;
    this.#records = delimiter === undefined ? undefined : new CsvRecords(delimiter);
  }

  push(text: string): string[] {
    if (this.#records !== undefined) return this.#rows(this.#records.push(text));
    this.#beginning += text;
    const firstLine = /^\s*([^\r\n]+)[\r\n]/.exec(this.#beginning)?.[1];
    return firstLine === undefined ? [] : this.#start(firstLine);
  }

  end(): string[] {
    const rows = this.#records === undefined ? this.#start(this.#beginning) : [];
    return [...rows, ...this.#rows(this.#records?.end() ?? []), ...this.#startTyped(this.#header ?? [])];
  }

  report(): ReadReport {
    return { readAs: { delimiter: this.#delimiter, ...this.#forms.readAs() }, remarks: this.#remarks.all() };
  }

  #start(firstLine: string): string[] {
    this.#delimiter = guessDelimiter(firstLine);
    this.#records = new CsvRecords(this.#delimiter);
    return this.#rows(this.#records.push(this.#beginning));
  }

  #rows(records: readonly CsvRecord[]): string[] {
    const rows: string[] = [];
    for (const record of records) {
      const bare = { ...record, cells: record.cells.map(unguardFormulas) };
      if (this.#header === undefined) this.#header = checkedHeader(bare);
      else if (!this.#forms.needsSample) rows.push(this.#row(this.#header, bare));
      else {
        this.#waiting.push(bare);
        if (this.#forms.isEnough(bare.cells)) rows.push(...this.#startTyped(this.#header));
      }
    }
    return rows;
  }

  /** The rows that waited, typed as the beginning of the file decides. */
  #startTyped(header: readonly string[]): string[] {
    if (!this.#forms.needsSample) return [];
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#forms.decide(
      header,
      waiting.map(({ cells }) => cells),
    );
    return waiting.map((record) => this.#row(header, record));
  }

  #row(header: readonly string[], { line, cells }: CsvRecord): string {
    if (cells.length !== header.length) {
      throw lineInvalid(line, `${counted(cells.length, 'cell')}, but the first line names ${header.length}`);
    }
    // Built as text: a column may be named "__proto__", and the column order is the order of the keys.
    const members = header.flatMap((name, column) => {
      const value = this.#value(name, cells[column] ?? '', line);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
    });
    return `{${members.join(',')}}`;
  }

  #value(name: string, cell: string, line: number): string | undefined {
    if (name === '') {
      if (cell === '') return undefined;
      throw lineInvalid(line, `the cell ${quoted(cell)} stands in a column without a name`);
    }
    return this.#forms.value(name, cell, line);
  }
}

/** Every row repeats it. */
const longestName = 1000;

/** Spreadsheets leave nameless columns at the edge: they are let through as long as they stay empty. */
function checkedHeader({ line, cells }: CsvRecord): readonly string[] {
  const seen = new Set<string>();
  for (const name of cells) {
    if (name.length > longestName)
      throw lineInvalid(line, `the name of a column is longer than ${longestName} characters`);
    if (name !== '' && seen.has(name)) throw lineInvalid(line, `two columns are named "${name}"`);
    seen.add(name);
  }
  return cells;
}

/** @param where the line in words, with a column's name where there is one */
const lineInvalid = (line: number, problem: string, where = `line ${line}`): Error =>
  rowsInvalid({ line, column: 1 }, problem, where);

const quoted = (cell: string): string => JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
