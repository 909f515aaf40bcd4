// Rows of JSON from the cells of a sheet. The first rows wait until the header is found in them.
import { count, counted } from '../../../domain/format.ts';
import { columnName } from '../../../domain/rows/export/sheet-xml.ts';
import { ColumnForms } from '../../../domain/rows/files/column-forms.ts';
import type { HeaderChoice, ReadOptions } from '../../../domain/rows/files/read-options.ts';
import type { ReadReport, RemarkCollector } from '../../../domain/rows/files/read-remarks.ts';
import { tableHeader, type SampleRow } from '../../../domain/rows/files/table-header.ts';
import type { CellType } from '../../../domain/rows/typed-cell.ts';
import { cellAddress, type CellValue, type SheetCell } from './sheet-cells.ts';
import { SheetProblem } from './sheet-problem.ts';

/** Characters of all rows as JSON. A column's name is repeated in each row, so rows can be much larger than their file. */
const maxCharacters = 250_000_000;
/** Characters of the names of all columns, which go to the main process. */
const maxNameCharacters = 500_000;
/** Rows, columns of them, and characters from which the header is found. */
const sample = { maxRows: 1000, minRows: 20, maxCells: 1_000_000, maxCharacters: 1_000_000 };
/** First rows that are shown, and how much of them. */
const shown = { rows: 20, columns: 100, characters: 200 };

type SheetRow = { readonly number: number; readonly cells: readonly SheetCell[] };

export class SheetRows {
  readonly #types: ReadonlyMap<string, CellType>;
  readonly #options: ReadOptions;
  readonly #remarks: RemarkCollector;
  readonly #forms: ColumnForms;
  readonly #lines: Buffer[] = [];
  #characters = 0;
  /** Rows that wait for the header; undefined once it is found. */
  #waiting: SheetRow[] | undefined = [];
  #waitingCells = 0;
  #waitingCharacters = 0;
  /** The option that reads the header alike. */
  #header: HeaderChoice | undefined;
  /** Names of columns by their index. A name is set once a row has a value in the column. */
  #names: (string | undefined)[] = [];
  readonly #takenNames = new Set<string>();
  #nameCharacters = 0;
  #headerCells: readonly string[] = [];
  /** Cells of the header that are not empty. */
  #headerFilled = 0;
  #lastRow = 0;
  readonly #firstRows: string[][] = [];

  constructor(types: ReadonlyMap<string, CellType>, options: ReadOptions, remarks: RemarkCollector) {
    this.#types = types;
    this.#options = options;
    this.#remarks = remarks;
    this.#forms = new ColumnForms(types, options, remarks);
  }

  /** Adds a row of the sheet. Throws a SheetProblem, and `invalid_input` for a header that is none. */
  add(number: number, cells: readonly SheetCell[]): void {
    this.#show(number, cells);
    if (cells.every(({ value }) => value === '')) return;
    if (this.#waiting === undefined) {
      this.#row({ number, cells });
      return;
    }
    this.#waiting.push({ number, cells });
    this.#waitingCells += widthOf(cells);
    for (const { value } of cells) this.#waitingCharacters += String(value ?? '').length;
    const isEnough =
      this.#waiting.length >= sample.maxRows ||
      this.#waitingCells >= sample.maxCells ||
      this.#waitingCharacters >= sample.maxCharacters;
    if (isEnough) this.#start(this.#waiting);
  }

  /** The rows, one line each, and how they were read. Throws as `add`. */
  end(): { readonly lines: Buffer; readonly report: ReadReport; readonly firstRows: readonly string[][] } {
    if (this.#waiting !== undefined) this.#start(this.#waiting);
    const columns = this.#names.filter((name) => name !== undefined);
    const readAs = {
      ...(this.#header !== undefined && { header: this.#header }),
      ...this.#forms.readAs(),
    };
    return {
      lines: Buffer.concat(this.#lines),
      report: { readAs, remarks: this.#remarks.all(), columns },
      firstRows: this.#firstRows,
    };
  }

  #start(rows: readonly SheetRow[]): void {
    this.#waiting = undefined;
    const samples = samplesOf(rows);
    const header = tableHeader(samples, {
      header: this.#options.header,
      unit: 'row',
      nameOf: (column) => `column ${columnName(column)}`,
    });
    // A sheet has no cells where it has no values, so nothing of a column without both was written.
    for (const remark of header.remarks) if (remark.kind !== 'leftOutColumn') this.#remarks.add(remark);
    this.#header = header.option;
    this.#names = header.names.map((name, column) => (header.leftOut.has(column) ? undefined : name));
    for (const name of header.names) this.#takeName(name);
    const cellsOf = ({ cells }: SampleRow): readonly string[] => cells;
    this.#headerCells = isOneRow(header.choice) ? (samples[header.firstRow - 1]?.cells ?? []) : [];
    this.#headerFilled = this.#headerCells.filter((cell) => cell !== '').length;
    this.#forms.decide(header.names, samples.slice(header.firstRow).map(cellsOf));
    const below = rows.slice(header.firstRow);
    this.#lastRow = rows[header.firstRow - 1]?.number ?? (below[0]?.number ?? 1) - 1;
    for (const row of below) this.#row(row);
  }

  #row({ number, cells }: SheetRow): void {
    const empty = number - this.#lastRow - 1;
    this.#lastRow = number;
    if (empty > 0)
      this.#remarks.add({
        kind: 'emptyLines',
        line: number - empty,
        count: empty,
        words: (rows) => `${counted(rows, 'empty row')} left out`,
      });
    if (this.#isHeader(cells)) {
      this.#remarks.add({
        kind: 'repeatedHeader',
        line: number,
        words: (rows) => `${counted(rows, 'row')} equal to the header left out`,
      });
      return;
    }
    const line = Buffer.from(this.#line(number, cells));
    this.#characters += line.length;
    if (this.#characters > maxCharacters)
      throw new SheetProblem(
        `its rows take more than ${maxCharacters / 1_000_000} MB as JSON. Save the sheet as CSV, then try again`,
      );
    this.#lines.push(line);
  }

  /** Built as text: a column may be named "__proto__", and the order of the columns is the order of the keys. */
  #line(number: number, cells: readonly SheetCell[]): string {
    const byColumn: SheetCell[] = [];
    for (const cell of cells) {
      byColumn[cell.column] = cell;
      if (this.#names[cell.column] === undefined && cell.value !== '' && cell.value !== undefined)
        this.#addColumn(cell.column, number);
    }
    const members = this.#names.flatMap((name, column) => {
      if (name === undefined) return [];
      const cell = byColumn[column];
      if (cell !== undefined && cell.value === undefined) {
        this.#remarkNoResult(name, cellAddress(column, number), number);
        return [];
      }
      const value = this.#typed(name, cell, number);
      return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
    });
    return `{${members.join(',')}}\n`;
  }

  /** The first value of a column that has no name, and had no value in the rows that decide the header. */
  #addColumn(column: number, row: number): void {
    const name = `column ${columnName(column)}`;
    let own = name;
    for (let number = 2; this.#takenNames.has(own); number += 1) own = `${name} (${number})`;
    this.#takeName(own);
    // No hole, so that every column has its turn.
    while (this.#names.length < column) this.#names.push(undefined);
    this.#names[column] = own;
    this.#remarks.add({
      kind: 'namelessColumns',
      line: row,
      words: (columns) => `${counted(columns, 'column')} without a name: "${own}"${columns > 1 ? ', …' : ''}`,
    });
  }

  #takeName(name: string): void {
    this.#takenNames.add(name);
    this.#nameCharacters += name.length;
    if (this.#nameCharacters > maxNameCharacters)
      throw new SheetProblem(
        `the names of its columns have more than ${count(maxNameCharacters)} characters. Name the row that has the names with --header, or none`,
      );
  }

  #remarkNoResult(name: string, address: string, row: number): void {
    this.#remarks.add({
      kind: 'noResult',
      line: row,
      words: (formulas) =>
        `${counted(formulas, 'formula')} without a result in the column "${name}"${formulas > 1 ? ' and others' : ''}`,
      problem: `the formula in ${address} has no result`,
    });
  }

  /** JSON text of the value as the type that the field declares; undefined if the row does not have the field. */
  #typed(name: string, cell: SheetCell | undefined, row: number): string | undefined {
    const type = this.#types.get(name);
    const value: CellValue | undefined = cell?.value;
    if (value === undefined) return type === 'string' ? '""' : undefined;
    const readsDates = this.#options.dates !== undefined && cell?.isText === true;
    if (!readsDates && (type === undefined || type === 'any' || typeof value === type))
      return JSON.stringify(value);
    if (!readsDates && type === 'string') return JSON.stringify(String(value));
    return this.#forms.value(name, String(value), row);
  }

  #isHeader(cells: readonly SheetCell[]): boolean {
    let filled = 0;
    for (const { column, value } of cells) {
      const text = String(value ?? '').trim();
      if (text !== (this.#headerCells[column] ?? '')) return false;
      if (text !== '') filled += 1;
    }
    return filled > 0 && filled === this.#headerFilled;
  }

  #show(number: number, cells: readonly SheetCell[]): void {
    if (number > shown.rows) return;
    while (this.#firstRows.length < number) this.#firstRows.push([]);
    const width = Math.min(shown.columns, widthOf(cells));
    const row = new Array<string>(width).fill('');
    for (const { column, value } of cells)
      if (column < width) row[column] = String(value ?? '').slice(0, shown.characters);
    this.#firstRows[number - 1] = row;
  }
}

const widthOf = (cells: readonly SheetCell[]): number =>
  cells.reduce((width, { column }) => Math.max(width, column + 1), 0);

/** A header of several rows does not come again as one row. */
const isOneRow = (header: HeaderChoice): boolean => header !== 'none' && header.first === header.last;

/** The first rows, all of one width. */
function samplesOf(rows: readonly SheetRow[]): readonly SampleRow[] {
  const width = rows.reduce((max, { cells }) => Math.max(max, widthOf(cells)), 1);
  const size = Math.max(sample.minRows, Math.floor(sample.maxCells / width));
  return rows.slice(0, size).map((row) => sampleRow(row, width));
}

/** The row as the search for a header sees it. */
function sampleRow({ number, cells }: SheetRow, minWidth: number): SampleRow {
  const texts = new Array<string>(Math.max(minWidth, widthOf(cells))).fill('');
  const marked = new Set<number>();
  for (const { column, value, isText } of cells) {
    texts[column] = String(value ?? '').trim();
    if (isText) marked.add(column);
  }
  return { line: number, cells: texts, texts: marked };
}
