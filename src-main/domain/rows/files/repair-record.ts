// A line whose quotes are broken, or that has not the usual number of cells: the one reading that has it is taken.
import type { RecordReader, RecordReading } from './read-record.ts';

/** A line read in another way than by the rules. */
export type RepairedReading = {
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
export function repairLine(
  reader: RecordReader,
  line: string,
  plain: RecordReading,
): RepairedReading | undefined {
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
