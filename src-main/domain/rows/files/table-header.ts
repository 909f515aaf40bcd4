// The header of a table, found in its first rows: for text files and for sheets alike.
import { counted } from '../../format.ts';
import { rowsInvalid } from '../../workflow-errors.ts';
import type { HeaderChoice } from './read-options.ts';
import type { Remarked } from './read-remarks.ts';
import { isAbsentMark } from './absent-marks.ts';
import { isValueText, isYear } from './value-text.ts';

/** One of the first rows of a table; rows without any cell that is filled are not among them. */
export type SampleRow = {
  /** Line of the file, or row of the sheet, from 1. */
  readonly line: number;
  /** Texts of the cells, without the blanks around them. */
  readonly cells: readonly string[];
  /** Indexes of cells that the writer marked as text although they may look like values. */
  readonly texts?: ReadonlySet<number> | undefined;
};

/** The position of the header, and the columns that it names. */
export type TableHeader = {
  /** The lines of the header. */
  readonly choice: HeaderChoice;
  /** The option that reads the table alike; undefined for rows below titles without a header, which no option says. */
  readonly option: HeaderChoice | undefined;
  /** Names of the columns, each once. */
  readonly names: readonly string[];
  /** Columns without a name and without values in the first rows: a row has such a field if it has a value there. */
  readonly leftOut: ReadonlySet<number>;
  /** Index of the first row below the header. */
  readonly firstRow: number;
  readonly remarks: readonly Remarked[];
};

type HeaderOptions = {
  readonly header?: HeaderChoice | undefined;
  /** First line of the table; default 1. */
  readonly firstLine?: number | undefined;
  /** `line`, or `row` of a sheet. */
  readonly unit: 'line' | 'row';
  /** The name of a column without one, by its index: `column 4`, `column D`. */
  readonly nameOf: (column: number) => string;
};

/** Every row repeats it. */
const maxNameLength = 1000;

/** Maximum rows above a header in which the usual number of cells is not reached. */
const maxTitleRows = 30;

/** Maximum rows that are looked at. */
const maxRows = 1000;

/**
 * Finds the header of a table. Rows above it are left out. Throws `invalid_input` if the option names a line that is
 * not there, or for a name that is too long.
 */
export function tableHeader(sample: readonly SampleRow[], options: HeaderOptions): TableHeader {
  const rows = sample.slice(0, maxRows);
  if (rows.length === 0)
    return {
      choice: options.header ?? 'none',
      option: options.header,
      names: [],
      leftOut: new Set(),
      firstRow: 0,
      remarks: [],
    };
  const range =
    options.header === undefined ? foundHeader(rows) : namedHeader(rows, options.header, options.unit);
  const headerRows = rows.slice(range.from, range.to);
  const below = rows.slice(range.to);
  const columns = columnNames(headerRows, below, options);
  const first = headerRows[0];
  const last = headerRows.at(-1);
  const choice = first === undefined || last === undefined ? 'none' : { first: first.line, last: last.line };
  const remarks = [
    ...(options.header === undefined ? rangeRemarks(rows, range, options) : []),
    ...columns.remarks,
    ...(options.header === undefined && range.to - range.from === 1
      ? secondHeader(rows, range.to, options.unit)
      : []),
  ];
  const option = choice === 'none' && range.to > 0 ? undefined : choice;
  return { choice, option, names: columns.names, leftOut: columns.leftOut, firstRow: range.to, remarks };
}

/** Rows of the header: from one index up to another, which are equal if there is no header. */
type HeaderRange = { readonly from: number; readonly to: number };

function namedHeader(rows: readonly SampleRow[], header: HeaderChoice, unit: 'line' | 'row'): HeaderRange {
  if (header === 'none') return { from: 0, to: 0 };
  const from = rows.findIndex(({ line }) => line >= header.first);
  const next = rows.findIndex(({ line }) => line > header.last);
  const to = next < 0 ? rows.length : next;
  if (from >= 0 && to > from) return { from, to };
  throw rowsInvalid(
    { line: header.first, column: 1 },
    `there is no header here, as the option "header" says: this ${unit} is empty, or too far down. Name another ${unit}, or leave the option out`,
    `${unit} ${header.first}`,
  );
}

function foundHeader(rows: readonly SampleRow[]): HeaderRange {
  const usualWidth = usualOf(rows.map(({ cells }) => cells.length));
  const usualFilling = usualOf(rows.map(filled));
  const first = Math.max(
    0,
    rows.findIndex((row) => isFilledEnough(row, usualFilling)),
  );
  const at = rows[first]?.cells.length === usualWidth ? first : nextOfWidth(rows, first, usualWidth);
  return isRowOfValues(rows, at) ? { from: at, to: at } : { from: at, to: at + 1 };
}

/** A title fills the first cell at most; the header above an index fills all but the first. */
function isFilledEnough(row: SampleRow, usualFilling: number): boolean {
  const count = filled(row);
  if (row.cells.length === 1) return true;
  return (count >= 2 && count >= usualFilling / 2) || (row.cells[0] === '' && count === row.cells.length - 1);
}

/** The next row of that width that is text above values; the first row if there is none. */
function nextOfWidth(rows: readonly SampleRow[], first: number, width: number): number {
  const found = rows.findIndex((row, index) => {
    if (
      index <= first ||
      index > first + maxTitleRows ||
      row.cells.length !== width ||
      filled(row) < width / 2
    )
      return false;
    if (row.cells.some((cell) => isValueText(cell))) return false;
    return row.cells.some((_, column) => isValueColumn(rows.slice(index + 1), column));
  });
  return found < 0 ? first : found;
}

/** True if each column of values below has a value in this row, too. */
function isRowOfValues(rows: readonly SampleRow[], at: number): boolean {
  const row = rows[at];
  const below = rows.slice(at + 1);
  if (row === undefined) return false;
  if (below.length === 0) return row.cells.every((cell, column) => cell === '' || isValue(row, column, []));
  let values = 0;
  for (const [column, cell] of row.cells.entries()) {
    if (!isValueColumn(below, column)) continue;
    if (cell === '' || isYear(cell) || isAbsentMark(cell)) continue;
    if (!isValue(row, column, below)) return false;
    values += 1;
  }
  return values > 0;
}

/** True for a value, unless it is marked as text above values that are not. */
function isValue(row: SampleRow, column: number, below: readonly SampleRow[]): boolean {
  if (!isValueText(row.cells[column] ?? '')) return false;
  return (
    row.texts?.has(column) !== true ||
    below.some(({ cells, texts }) => texts?.has(column) === true && isValueText(cells[column] ?? ''))
  );
}

/** Nine of ten cells of a column of values are values; texts for a missing value, such as `k.A.`, do not count. */
function isValueColumn(rows: readonly SampleRow[], column: number): boolean {
  let count = 0;
  let values = 0;
  for (const { cells } of rows) {
    const cell = cells[column] ?? '';
    if (cell === '' || isAbsentMark(cell)) continue;
    count += 1;
    if (isValueText(cell)) values += 1;
  }
  return count > 0 && values / count >= 0.9;
}

const filled = ({ cells }: SampleRow): number =>
  cells.reduce((sum, cell) => (cell === '' ? sum : sum + 1), 0);

function usualOf(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [usual] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
  return usual;
}

function columnNames(
  headerRows: readonly SampleRow[],
  below: readonly SampleRow[],
  { nameOf, unit }: HeaderOptions,
): Pick<TableHeader, 'names' | 'leftOut' | 'remarks'> {
  const isNone = headerRows.length === 0;
  const written = isNone
    ? new Array<string>(usualOf(below.map(({ cells }) => cells.length))).fill('')
    : joinedNames(headerRows);
  const unique = new UniqueNames(written);
  const repeated: string[] = [];
  const nameless: string[] = [];
  const leftOut = new Set<number>();
  const names = written.map((name, column) => {
    assertShortName(name, headerRows, unit);
    const own = unique.add(name === '' ? nameOf(column) : name, column);
    if (name !== '' && own !== name) repeated.push(own);
    if (name !== '' || isNone) return own;
    if (below.some(({ cells }) => (cells[column] ?? '') !== '')) nameless.push(own);
    else leftOut.add(column);
    return own;
  });
  return { names, leftOut, remarks: columnRemarks({ repeated, nameless, leftOut: leftOut.size }) };
}

type UnusualColumns = {
  readonly repeated: readonly string[];
  readonly nameless: readonly string[];
  readonly leftOut: number;
};

function columnRemarks({ repeated, nameless, leftOut }: UnusualColumns): readonly Remarked[] {
  const remarks: readonly Remarked[] = [
    {
      kind: 'duplicateNames',
      count: repeated.length,
      words: (count) => `${counted(count, 'column')} with the name of another: ${listed(repeated)}`,
    },
    {
      kind: 'namelessColumns',
      count: nameless.length,
      words: (count) => `${counted(count, 'column')} without a name: ${listed(nameless)}`,
    },
    {
      kind: 'leftOutColumn',
      count: leftOut,
      words: (count) => `${counted(count, 'column')} without a name and without values left out`,
    },
  ];
  return remarks.filter(({ count }) => count !== 0);
}

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, 3)
    .map((name) => `"${name.length > 40 ? `${name.slice(0, 40)}…` : name}"`)
    .join(', ')}${names.length > 3 ? ', …' : ''}`;

/** Each name once: the second `Notes` is `Notes (2)`. */
class UniqueNames {
  readonly #firsts = new Map<string, number>();
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  constructor(written: readonly string[]) {
    for (const [column, name] of written.entries())
      if (!this.#firsts.has(name)) this.#firsts.set(name, column);
  }

  add(name: string, column: number): string {
    let own = name;
    let number = this.#next.get(name) ?? 2;
    while (this.#taken.has(own) || (this.#firsts.get(own) ?? column) !== column)
      own = `${name} (${number++})`;
    this.#next.set(name, number);
    this.#taken.add(own);
    return own;
  }
}

/** The names of several header rows: a name above stands for the nameless columns at its right, too. */
function joinedNames(rows: readonly SampleRow[]): readonly string[] {
  const [single] = rows;
  if (single !== undefined && rows.length === 1) return single.cells;
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const lines = rows.map(({ cells }, index) => {
    let above = '';
    return Array.from({ length: width }, (_, column) => {
      const cell = cells[column] ?? '';
      if (cell !== '') above = cell;
      const isNamedBelow = rows.slice(index + 1).some((row) => (row.cells[column] ?? '') !== '');
      return cell === '' && isNamedBelow && column > 0 ? above : cell;
    });
  });
  return Array.from({ length: width }, (_, column) =>
    lines
      .map((line) => line[column] ?? '')
      .filter((name) => name !== '')
      .join(' '),
  );
}

function assertShortName(name: string, headerRows: readonly SampleRow[], unit: 'line' | 'row'): void {
  if (name.length <= maxNameLength) return;
  const line = headerRows[0]?.line ?? 1;
  throw rowsInvalid(
    { line, column: 1 },
    `the name of a column is longer than ${maxNameLength} characters. Name the ${unit} that has the names with --header, or none`,
    `${unit} ${line}`,
  );
}

function rangeRemarks(
  rows: readonly SampleRow[],
  { from, to }: HeaderRange,
  { unit, firstLine = 1 }: HeaderOptions,
): readonly Remarked[] {
  const line = rows[from]?.line ?? firstLine;
  const above: Remarked = {
    kind: 'linesAbove',
    count: line - firstLine,
    words: (count) => `${counted(count, unit)} above left out`,
    option: 'header',
  };
  const found: Remarked =
    from === to
      ? { kind: 'noHeader', words: () => `no header line: ${unit} ${line} has values`, option: 'header' }
      : { kind: 'header', words: () => `header in ${unit} ${line}`, option: 'header' };
  if (line > firstLine) return [found, above];
  return from === to ? [found] : [];
}

/** A row of text alone under a header with gaps, above values. */
function secondHeader(rows: readonly SampleRow[], at: number, unit: 'line' | 'row'): readonly Remarked[] {
  const header = rows[at - 1];
  const next = rows[at];
  if (header === undefined || next === undefined || !header.cells.includes('')) return [];
  const fillsGap = next.cells.some((cell, column) => cell !== '' && (header.cells[column] ?? '') === '');
  if (!fillsGap || next.cells.some((cell) => isValueText(cell))) return [];
  const below = rows.slice(at + 1);
  if (!next.cells.some((cell, column) => cell !== '' && isValueColumn(below, column))) return [];
  return [
    {
      kind: 'secondHeader',
      words: () => `${unit} ${next.line} looks like a second line of the header`,
      choices: `--header ${header.line}-${next.line} joins them`,
    },
  ];
}
