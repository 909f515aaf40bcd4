import { counted } from '../../format.ts';
import { isMarkedText } from '../export/csv-line.ts';
import { unguardFormulas } from '../export/formula-guard.ts';
import type { CellType, ColumnTypes } from '../typed-cell.ts';
import { ColumnForms } from './column-forms.ts';
import { CsvRecords, isBlank, isEmpty, isRepeated, type CsvRecord } from './csv-records.ts';
import { detectDialect, type DetectedDialect } from './detect-dialect.ts';
import type { HeaderChoice, ReadOptions } from './read-options.ts';
import { RemarkCollector, type ReadReport, type Remarked } from './read-remarks.ts';
import type { RowTextReader } from './row-text-reader.ts';
import { tableHeader, type SampleRow } from './table-header.ts';

/** Characters at the beginning of a text that decide how it is read. */
const sampleLength = 131_072;

/** Rows that decide the forms of numbers and dates. */
const maxFormRows = 1000;

/** Minimum records that decide: those of some files are longer than the sample. */
const minSampleRecords = 4;

type Column = {
  readonly name: string;
  /** The name as a key of JSON, with its colon. */
  readonly key: string;
  readonly type: CellType;
  /** True if a row has the field only where it has a value. */
  readonly isOptional: boolean;
};

/**
 * Reads rows from CSV or TSV. The beginning of the text decides what the options leave open: the delimiter, the quotes and
 * the line that names the columns. The apostrophes that Rowbench's own export put before formulas are removed.
 * @param preferred the delimiter if several are as likely
 */
export const csvReader = (types: ColumnTypes, options: ReadOptions = {}, preferred = ','): RowTextReader =>
  new CsvRows(types, options, preferred);

class CsvRows implements RowTextReader {
  readonly #types: ColumnTypes;
  readonly #options: ReadOptions;
  readonly #preferred: string;
  readonly #remarks: RemarkCollector;
  readonly #forms: ColumnForms;
  #beginning = '';
  #dialect: DetectedDialect | undefined;
  #records: CsvRecords | undefined;
  /** The first records, as long as the columns are not decided. */
  #sample: CsvRecord[] | undefined = [];
  /** Behind the line that names the delimiter, if there is one. */
  #firstLine = 1;
  #choice: HeaderChoice | undefined;
  /** The option that reads the header alike. */
  #headerOption: HeaderChoice | undefined;
  #header: CsvRecord | undefined;
  readonly #columns: Column[] = [];
  /** Number of columns of the header; behind them are those of rows with more cells. */
  #width = 0;
  /** Blank lines behind the last record: they count only if another one follows. */
  #blankLines: number[] = [];

  constructor(types: ColumnTypes, options: ReadOptions, preferred: string) {
    this.#types = types;
    this.#options = options;
    this.#preferred = preferred;
    this.#remarks = new RemarkCollector(options.strict);
    this.#forms = new ColumnForms(types, options, this.#remarks);
  }

  push(text: string): string[] {
    if (this.#records !== undefined) return this.#rows(this.#records.push(text), false);
    this.#beginning += text;
    return this.#beginning.length < sampleLength ? [] : this.#start(false);
  }

  end(): string[] {
    const rows = this.#records === undefined ? this.#start(true) : [];
    const last = this.#rows(this.#records?.end() ?? [], true);
    return rows.length === 0 ? last : [...rows, ...last];
  }

  report(): ReadReport {
    const { delimiter, quote } = this.#dialect?.dialect ?? {};
    return {
      readAs: {
        ...this.#options,
        ...(delimiter !== undefined && { delimiter }),
        ...(quote !== undefined && { quote: quote === '"' || quote === "'" ? quote : 'none' }),
        ...(this.#headerOption !== undefined && { header: this.#headerOption }),
        ...this.#forms.readAs(),
      },
      remarks: this.#remarks.all(),
      columns: this.#columns
        .filter(({ isOptional }, at) => !isOptional || at >= this.#width)
        .map(({ name }) => name),
    };
  }

  #start(isWhole: boolean): string[] {
    const text = this.#beginning;
    this.#beginning = '';
    const [line = '', separator] = /^sep=([^\r\n])(?:\r\n?|\n|$)/i.exec(text) ?? [];
    const rest = line === '' ? text : text.slice(line.length);
    const sample = isWhole
      ? rest
      : rest.slice(0, Math.max(rest.lastIndexOf('\n'), rest.lastIndexOf('\r')) + 1 || undefined);
    const options = separator === undefined ? this.#options : { delimiter: separator, ...this.#options };
    this.#dialect = detectDialect(sample, options, this.#preferred);
    this.#addDialectRemarks(this.#dialect, separator !== undefined);
    if (line !== '') this.#firstLine = 2;
    this.#records = new CsvRecords(this.#dialect.dialect, this.#firstLine);
    return this.#rows(this.#records.push(rest), false);
  }

  #addDialectRemarks(detected: DetectedDialect, isNamed: boolean): void {
    const { quote, isEscaped } = detected.dialect;
    if (this.#options.delimiter === undefined) this.#addDelimiterRemark(detected, isNamed);
    if (quote === "'" && this.#options.quote === undefined)
      this.#remarks.add({ kind: 'quotes', words: () => "quotes '", option: 'quote' });
    if (isEscaped)
      this.#remarks.add({ kind: 'quotes', words: () => `quotes are escaped by \\${quote}`, option: 'quote' });
  }

  #addDelimiterRemark({ dialect, isUniform, isDoubtful }: DetectedDialect, isNamed: boolean): void {
    const { delimiter, hasBlanks } = dialect;
    const option = 'delimiter';
    if (isDoubtful && !isNamed) {
      this.#remarks.add({ kind: 'noDelimiter', words: () => 'one column: no delimiter agrees', option });
      return;
    }
    const isUsual = delimiter === this.#preferred || (isUniform && [',', ';', '\t', '|'].includes(delimiter));
    if (isUsual && !isNamed && !hasBlanks) return;
    const words = (): string => `delimiter ${delimiterName(dialect)}${isNamed ? ' as line 1 says' : ''}`;
    this.#remarks.add({ kind: 'delimiter', words, option });
  }

  #rows(records: readonly CsvRecord[], isWhole: boolean): string[] {
    if (this.#sample === undefined) return this.#rowsOf(records);
    for (const record of records) this.#sample.push(record);
    if (!isWhole && this.#sample.length < minSampleRecords) return [];
    const sample = this.#sample;
    this.#sample = undefined;
    return this.#rowsOf(this.#startTable(sample));
  }

  /** Decides the columns; returns the records below the header. */
  #startTable(records: readonly CsvRecord[]): readonly CsvRecord[] {
    const filled = records.filter((record) => !isEmpty(record));
    const { names, leftOut, choice, option, firstRow, remarks } = tableHeader(filled.map(sampleRow), {
      header: this.#options.header,
      unit: 'line',
      firstLine: this.#firstLine,
      nameOf: columnName,
    });
    this.#choice = choice;
    this.#headerOption = option;
    for (const remark of remarks) this.#remarks.add(remark);
    for (const [column, name] of names.entries()) this.#addColumn(name, leftOut.has(column));
    this.#width = names.length;
    this.#header = choice === 'none' ? undefined : filled[firstRow - 1];
    if (this.#header !== undefined) this.#addRepair(this.#header);
    const above = choice === 'none' ? filled[firstRow] : this.#header;
    const below =
      above === undefined ? [] : records.slice(records.indexOf(above) + (choice === 'none' ? 0 : 1));
    const deciding = below.filter((record) => !this.#isSkipped(record)).slice(0, maxFormRows);
    this.#forms.decide(
      names,
      deciding.map(({ cells }) => cells),
    );
    return below;
  }

  #addColumn(name: string, isOptional: boolean): void {
    this.#columns.push({
      name,
      key: `${JSON.stringify(name)}:`,
      type: this.#types.get(name) ?? 'string',
      isOptional,
    });
  }

  #rowsOf(records: readonly CsvRecord[]): string[] {
    const rows: string[] = [];
    for (const record of records) {
      if (isBlank(record)) {
        this.#blankLines.push(record.line);
        continue;
      }
      for (const line of this.#blankLines) this.#remarks.add(emptyLine(line));
      this.#blankLines = [];
      if (isEmpty(record)) this.#remarks.add(emptyLine(record.line));
      else if (isRepeated(record, this.#header)) this.#remarks.add(repeatedHeader(record.line));
      else if (this.#isSkipped(record)) this.#addWidth(record);
      else rows.push(this.#row(record));
    }
    return rows;
  }

  /** True for a line that the options leave out for its number of cells. */
  #isSkipped({ cells }: CsvRecord): boolean {
    const { skip } = this.#options;
    if (skip === undefined || cells.length === this.#width) return false;
    return skip === 'both' || skip === (cells.length < this.#width ? 'short' : 'long');
  }

  /** Built as text: a column may be named "__proto__", and the column order is the order of the keys. */
  #row(record: CsvRecord): string {
    const { cells } = record;
    if (record.repair !== undefined) this.#addRepair(record);
    if (cells.length !== this.#width) {
      this.#addWidth(record);
      this.#addColumns(cells.length);
    }
    let members = '';
    const end = Math.max(cells.length, this.#width);
    for (let at = 0; at < end; at += 1) {
      const column = this.#columns[at];
      const cell = unguardFormulas(cells[at] ?? '');
      if (column === undefined || (column.isOptional && cell === '')) continue;
      const value = this.#cellJson(column, cell, record.line);
      if (value !== undefined) members += (members === '' ? '' : ',') + column.key + value;
    }
    return `{${members}}`;
  }

  #cellJson({ name, type }: Column, cell: string, line: number): string | undefined {
    const isText = (type === 'string' || type === 'any') && this.#options.dates === undefined;
    return isText ? JSON.stringify(cell) : this.#forms.value(name, cell, line);
  }

  #addRepair({ line, repair }: CsvRecord): void {
    if (repair === undefined) return;
    const { delimiter = '', quote = '' } = this.#dialect?.dialect ?? {};
    const problem = `column ${repair.column}: the quote here is not closed, or not doubled (delimiter ${JSON.stringify(delimiter)}, quotes ${quote})`;
    const remedy = 'Correct it, or read quotes as text: --quote none';
    const words =
      repair.kind === 'strayQuotes'
        ? (count: number) => `${counted(count, 'quote')} read as text`
        : (count: number) => `${counted(count, 'line')} without a delimiter beside a quote repaired`;
    this.#remarks.add({ kind: repair.kind, line, words, problem, remedy, option: 'quote' });
  }

  #addWidth(record: CsvRecord): void {
    const { line, cells } = record;
    const { delimiter = '' } = this.#dialect?.dialect ?? {};
    const isShort = cells.length < this.#width;
    const isChosen = this.#isSkipped(record);
    const difference = `${isShort ? 'fewer' : 'more'} cells than ${this.#choice === 'none' ? 'usual' : 'the header'}`;
    this.#remarks.add({
      kind: isShort ? 'shortRows' : 'longRows',
      line,
      words: (count) =>
        isChosen
          ? `${counted(count, 'line')} with ${difference} left out`
          : `${counted(count, 'line')} ${count === 1 ? 'has' : 'have'} ${difference}`,
      isChosen,
      problem: `${counted(cells.length, 'cell')} of ${this.#width} (delimiter ${JSON.stringify(delimiter)})`,
      remedy: `Correct the line, or leave such lines out: --skip ${isShort ? 'short' : 'long'}`,
    });
  }

  /** Columns for the cells of a row that has more than the header. */
  #addColumns(width: number): void {
    for (let column = this.#columns.length; column < width; column += 1)
      this.#addColumn(this.#unusedName(columnName(column)), true);
  }

  #unusedName(name: string): string {
    this.#names ??= new Set(this.#columns.map((column) => column.name));
    let own = name;
    for (let number = 2; this.#names.has(own); number += 1) own = `${name} (${number})`;
    this.#names.add(own);
    return own;
  }

  /** Names of all columns; made for the first row with more cells than the header. */
  #names: Set<string> | undefined;
}

const delimiterName = ({ delimiter, hasBlanks }: DetectedDialect['dialect']): string =>
  delimiter === '\t' ? 'tab' : `"${delimiter}${hasBlanks ? ' ' : ''}"`;

const columnName = (column: number): string => `column ${column + 1}`;

function sampleRow({ line, cells, quoted }: CsvRecord): SampleRow {
  const inQuotes = new Set(quoted);
  return {
    line,
    cells: cells.map((cell, column) => unguardFormulas(inQuotes.has(column) ? cell : cell.trim())),
    texts: new Set(quoted.filter((column) => isMarkedText(cells[column] ?? ''))),
  };
}

const emptyLine = (line: number): Remarked => ({
  kind: 'emptyLines',
  line,
  words: (count) => `${counted(count, 'empty line')} left out`,
});

const repeatedHeader = (line: number): Remarked => ({
  kind: 'repeatedHeader',
  line,
  words: (count) => `${counted(count, 'line')} equal to the header left out`,
});
