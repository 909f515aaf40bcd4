// CSV cut into records as the text arrives. Quotes may hold delimiters, line breaks and doubled quotes.
import { isMarkedText } from '../export/csv-line.ts';
import { RecordReader, type Dialect, type RecordReading } from './read-record.ts';

export type CsvRecord = {
  /** The line on which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Indexes of the cells that are quoted. */
  readonly quoted: readonly number[];
  /** True if the quotes break the rules and no other reading has the usual number of cells. */
  readonly isBroken?: boolean;
  /** The quote that was not read by the rules, if there is one. */
  readonly repair?: {
    readonly kind: 'strayQuotes' | 'repairedQuotes';
    /** From 1. */ readonly column: number;
  };
};

/** The first line of a record. */
type Line = { readonly at: number; readonly lineEnd: number };

/** Maximum length of a quoted cell in characters: behind it the quote counts as never closed. */
const maxQuotedLength = 50_000_000;

/** A record under way is looked at again when the text has grown by this factor, so that the time stays linear. */
const growth = 1.5;

const none: readonly number[] = [];
const lineBreak = /[\r\n]/g;

/** Records in one dialect. Memory is bounded by the longest record, whatever its quotes are. */
export class CsvRecords {
  readonly #reader: RecordReader;
  /** Pieces of text that begin with a record which is not whole yet. */
  #pieces: string[] = [];
  #length = 0;
  #retryLength = 0;
  #line: number;

  /** @param line number of the line that the text begins with */
  constructor(dialect: Dialect, line = 1) {
    this.#reader = new RecordReader(dialect);
    this.#line = line;
  }

  /** The records that this piece completes. A blank line is a record of one empty cell. */
  push(text: string): CsvRecord[] {
    this.#pieces.push(text);
    this.#length += text.length;
    return this.#length < this.#retryLength || !/[\r\n]/.test(text) ? [] : this.#records(false);
  }

  /** The remaining records. */
  end(): CsvRecord[] {
    return this.#records(true);
  }

  #records(isLast: boolean): CsvRecord[] {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
    const records: CsvRecord[] = [];
    let at = 0;
    let nextQuote = -1;
    while (at < text.length) {
      const lineEnd = breakIn(text, at);
      if (!isLast && isUnderWay(text, lineEnd)) break;
      if (nextQuote < at) nextQuote = this.#nextQuote(text, at);
      if (nextQuote >= lineEnd) {
        records.push({ line: this.#line, cells: this.#plainCells(text.slice(at, lineEnd)), quoted: none });
        this.#line += 1;
        at = behindBreak(text, lineEnd);
        continue;
      }
      const record = this.#quotedRecord(text, { at, lineEnd }, isLast);
      if (record === undefined) break;
      records.push(record);
      this.#line += linesIn(text, at, record.end);
      at = behindBreak(text, record.end);
    }
    this.#pieces = at < text.length ? [text.slice(at)] : [];
    this.#length = text.length - at;
    this.#retryLength = records.length > 0 ? 0 : this.#length * growth;
    return records;
  }

  /** Index of the next quote; infinite if there is none. */
  #nextQuote(text: string, from: number): number {
    const { quote } = this.#reader.dialect;
    const found = quote === '' ? -1 : text.indexOf(quote, from);
    return found < 0 ? Infinity : found;
  }

  #plainCells(line: string): readonly string[] {
    const { delimiter, hasBlanks } = this.#reader.dialect;
    const cells = line.split(delimiter);
    return hasBlanks ? cells.map((cell) => cell.trimStart()) : cells;
  }

  /** The record that begins at `at`; undefined if the text does not have it whole yet. */
  #quotedRecord(
    text: string,
    { at, lineEnd }: Line,
    isLast: boolean,
  ): (CsvRecord & { end: number }) | undefined {
    const { width } = this.#reader.dialect;
    const reading = this.#reader.read(text, at);
    const { fault, end, cells, quoted, stray } = reading;
    const isUnknown =
      fault < 0 ? isUnderWay(text, end) : reading.isOpen && text.length - fault < maxQuotedLength;
    if (isUnknown && !isLast) return undefined;
    const isUsual = width === 0 || cells.length === width;
    const isWhole =
      end > lineEnd ? isUsual || !this.#swallowsLines(text, lineEnd, end) : isUsual && stray < 0;
    if (fault < 0 && isWhole)
      return { line: this.#line, cells, quoted, end, ...this.#strayRemark(stray - at) };
    return { line: this.#line, ...this.#repaired(text.slice(at, lineEnd)), end: lineEnd };
  }

  /** True if a line that reads well alone is inside of a quoted cell. */
  #swallowsLines(text: string, from: number, end: number): boolean {
    const { width } = this.#reader.dialect;
    if (width <= 1) return false;
    for (let at = behindBreak(text, from); at < end;) {
      const lineEnd = Math.min(breakIn(text, at), end);
      const { fault, stray, cells } = this.#reader.read(text.slice(at, lineEnd), 0);
      if (fault < 0 && stray < 0 && cells.length === width) return true;
      at = behindBreak(text, lineEnd);
    }
    return false;
  }

  #repaired(line: string): Omit<CsvRecord, 'line'> {
    const { width, quotesCells } = this.#reader.dialect;
    const plain = this.#reader.read(line, 0);
    const isSound = plain.fault < 0;
    const canRepair = width > 0 && (!isSound || quotesCells);
    const repaired = canRepair ? repairLine(this.#reader, line, plain) : undefined;
    if (repaired !== undefined) {
      const { reading, kind, column } = repaired;
      return { cells: reading.cells, quoted: reading.quoted, repair: { kind, column } };
    }
    const { cells, quoted, stray } = isSound ? plain : this.#reader.readBroken(line);
    return { cells, quoted, isBroken: !isSound, ...this.#strayRemark(isSound ? stray : plain.fault) };
  }

  /** Without quoted cells a quote is as good as any other character. */
  #strayRemark(index: number): Pick<CsvRecord, 'repair'> {
    if (index < 0 || !this.#reader.dialect.quotesCells) return {};
    return { repair: { kind: 'strayQuotes', column: index + 1 } };
  }
}

/** True if the text may go on where a record seems to end. */
const isUnderWay = (text: string, end: number): boolean =>
  end >= text.length || (text[end] === '\r' && end + 1 === text.length);

function breakIn(text: string, from: number): number {
  lineBreak.lastIndex = from;
  return lineBreak.exec(text)?.index ?? text.length;
}

/** Index behind the CR LF, LF or CR at the index. */
const behindBreak = (text: string, at: number): number =>
  text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : at + 1;

/** Lines of a record with its line break. */
function linesIn(text: string, from: number, end: number): number {
  let lines = 0;
  for (let at = from; at <= end && at < text.length; at = behindBreak(text, breakIn(text, at))) lines += 1;
  return Math.max(1, lines);
}

/** True for a line of blanks. */
export const isBlank = ({ cells, quoted }: CsvRecord): boolean =>
  cells.length === 1 && quoted.length === 0 && cells[0]?.trim() === '';

/** True for a line of nothing but delimiters; a quoted cell is written on purpose, be it empty. */
export const isEmpty = ({ cells, quoted }: CsvRecord): boolean =>
  quoted.length === 0 && cells.every((cell) => cell.trim() === '');

/**
 * True for a record equal to the header. A row may have the values of the names, too: Rowbench's own export quotes it in
 * another way than the header. Where all names need their quotes that is impossible, so such a record stays a row.
 */
export function isRepeated({ cells, quoted }: CsvRecord, header: CsvRecord | undefined): boolean {
  if (header === undefined || cells.length !== header.cells.length) return false;
  if (!cells.every((cell, column) => cell === header.cells[column])) return false;
  const isMarked = (column: number): boolean => quoted.includes(column) !== header.quoted.includes(column);
  const free = [...cells.keys()].filter((column) => isMarkedText(cells[column] ?? ''));
  return free.length > 0 && !free.every(isMarked);
}

// A line whose quotes are broken, or that has not the usual number of cells: the one reading that has it is taken.

/** A line read in another way than by the rules. */
type RepairedReading = {
  readonly reading: RecordReading;
  readonly kind: 'strayQuotes' | 'repairedQuotes';
  /** Column of the quote, from 1. */
  readonly column: number;
};

/** Maximum quotes of a line that are tried, so that a long line takes no longer than its length. */
const maxQuotes = 20;

/**
 * The first reading of the line with the usual number of cells and sound quotes: each quote as text in turn, then a
 * missing delimiter beside each quote. Undefined if there is none.
 */
function repairLine(reader: RecordReader, line: string, plain: RecordReading): RepairedReading | undefined {
  const quotes = quotesOf(line, reader.dialect.quote);
  // A line of the usual width needs no quote as text: those inside its plain cells are text already.
  if (plain.fault >= 0 || plain.cells.length !== reader.dialect.width) {
    for (const literal of quotes) {
      const reading = reader.read(line, 0, { literal });
      if (isSound(reader, reading)) return { reading, kind: 'strayQuotes', column: literal + 1 };
    }
  }
  for (const quote of quotes) {
    for (const boundary of boundariesAt(line, quote, reader.dialect.delimiter)) {
      const reading = reader.read(line, 0, { boundary });
      if (isSound(reader, reading)) return { reading, kind: 'repairedQuotes', column: boundary + 1 };
    }
  }
  return undefined;
}

const isSound = ({ dialect }: RecordReader, { fault, stray, cells }: RecordReading): boolean =>
  fault < 0 && stray < 0 && cells.length === dialect.width;

/** Before a quote that opens a cell, and behind one that closes a cell. */
function boundariesAt(line: string, quote: number, delimiter: string): readonly number[] {
  const isText = (index: number): boolean =>
    /\S/.test(line.charAt(index)) && !line.startsWith(delimiter, index);
  // Of two quotes the first closes a cell, which hardly ends with a blank.
  const before = line[quote - 1] === line[quote] ? quote - 2 : quote - 1;
  return isText(before) && isText(quote + 1) ? [quote, quote + 1] : [];
}

function quotesOf(line: string, quote: string): readonly number[] {
  const found: number[] = [];
  for (let at = line.indexOf(quote); at >= 0 && found.length < maxQuotes; at = line.indexOf(quote, at + 1))
    found.push(at);
  return found;
}
