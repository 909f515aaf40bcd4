// The dialect of delimited text, by the consistency of its lines: never by the first line alone.
import { CsvRecords, type CsvRecord } from './csv-records.ts';
import type { ReadOptions } from './read-options.ts';
import type { Dialect } from './read-record.ts';
import { isValueText } from './value-text.ts';

/** A dialect, and how well it is agreed on. */
export type DetectedDialect = {
  readonly dialect: Dialect;
  /** True if all lines have one width. */
  readonly isUniform: boolean;
  /** True for one column with cells that may be several values. */
  readonly isDoubtful: boolean;
};

const usualDelimiters = [',', ';', '\t', '|'];
/** Delimiters of files in which no usual one agrees. */
const unusualDelimiters = [' ', ':', '#', '^', '~', '&', '*'];

/** Share of lines, and their number, for an unusual delimiter. */
const minAgreement = 0.9;
const minLines = 4;

/** Minimum share of cells that look like one value, for lines of text without a table of two columns. */
const minShareOfText = 0.5;

/** Records that are enough, and the characters that are cut into records at once. */
const maxRecords = 2000;
const pieceLength = 16_384;

type Candidate = DetectedDialect & {
  readonly score: number;
  /** Share of the records that have the usual width and sound quotes. */
  readonly agreement: number;
  /** Their number. */
  readonly lines: number;
  /** Share of the cells that look like one value. */
  readonly values: number;
  readonly records: readonly CsvRecord[];
};

/**
 * The dialect of a text by its beginning.
 *
 * @param preferred the delimiter that wins a tie
 */
export function detectDialect(sample: string, options: ReadOptions, preferred = ','): DetectedDialect {
  if (options.delimiter !== undefined) return candidate(sample, options.delimiter, options);
  const candidates = [preferred, ...usualDelimiters.filter((delimiter) => delimiter !== preferred)].map(
    (delimiter) => candidate(sample, delimiter, options),
  );
  const usual = candidates.reduce(better);
  if (usual.agreement >= minAgreement && usual.dialect.width > 1) return usual;
  const unusual = unusualDelimiters
    .map((delimiter) => candidate(sample, delimiter, options))
    .filter(isAgreed)
    .reduce(better, usual);
  if (unusual.dialect.width > 1) return unusual;
  return tableAmongText(candidates, unusual.values < minShareOfText ? 2 : 3) ?? unusual;
}

/** Lines of text around a table: the delimiter of a table with so many columns in two or more lines. */
const tableAmongText = (candidates: readonly Candidate[], minWidth: number): Candidate | undefined =>
  candidates
    .map((each) => ({
      ...each,
      ...candidateOf(
        each,
        each.records.filter(({ cells }) => cells.length > 1),
      ),
    }))
    .filter(({ dialect: { width }, lines, agreement }) => width >= minWidth && lines >= 2 && agreement >= 0.5)
    .reduce<Candidate | undefined>(
      (best, next) => (best === undefined ? next : better(best, next)),
      undefined,
    );

const better = (best: Candidate, next: Candidate): Candidate => (next.score > best.score ? next : best);

/** The first line agrees, too: a single column of texts has a name before them. */
const isAgreed = ({ agreement, records, dialect: { width } }: Candidate): boolean =>
  agreement >= minAgreement && records.length >= minLines && width > 1 && records[0]?.cells.length === width;

function candidate(sample: string, delimiter: string, options: ReadOptions): Candidate {
  const marks = quoteMarks(sample, delimiter, options);
  const reader = new CsvRecords({ delimiter, ...marks, quotesCells: false, hasBlanks: false, width: 0 });
  let found: readonly CsvRecord[] = [];
  for (let at = 0; at < sample.length && found.length < maxRecords; at += pieceLength)
    found = found.concat(reader.push(sample.slice(at, at + pieceLength)));
  if (found.length < maxRecords) found = found.concat(reader.end());
  const records = found.filter(isFilled);
  const isSoundlyQuoted = ({ quoted, isBroken }: CsvRecord): boolean =>
    quoted.length > 0 && isBroken !== true;
  const dialect = {
    delimiter,
    ...marks,
    quotesCells: records.some(isSoundlyQuoted),
    hasBlanks: false,
    width: 0,
  };
  return candidateOf({ dialect }, records);
}

function candidateOf({ dialect }: { readonly dialect: Dialect }, records: readonly CsvRecord[]): Candidate {
  const [width, lines] = usualWidth(records);
  const agreement = records.length === 0 ? 0 : lines / records.length;
  const values = shareOfValues(records);
  return {
    dialect: { ...dialect, hasBlanks: haveBlanks(records, dialect.delimiter, width), width },
    isUniform: records.every(({ cells }) => cells.length === width),
    isDoubtful: width === 1 && values < 1,
    agreement,
    lines,
    values,
    records,
    score: agreement ** 3 * values * (1 - 0.6 / Math.max(1, width)),
  };
}

const isFilled = ({ cells, quoted }: CsvRecord): boolean =>
  quoted.length > 0 || cells.some((cell) => cell.trim() !== '');

/** The number of cells that sound records have the most, the larger one of two, and the number of these records. */
function usualWidth(records: readonly CsvRecord[]): readonly [width: number, lines: number] {
  const counts = new Map<number, number>();
  for (const { cells, isBroken } of records)
    if (isBroken !== true) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  let usual: readonly [number, number] = [0, 0];
  for (const [width, lines] of counts)
    if (lines > usual[1] || (lines === usual[1] && width > usual[0])) usual = [width, lines];
  return usual;
}

/** True if a blank follows each delimiter, so that it belongs to the delimiter. */
function haveBlanks(records: readonly CsvRecord[], delimiter: string, width: number): boolean {
  if (delimiter === ' ' || width < 2) return false;
  let isSeen = false;
  for (const { cells, quoted } of records) {
    const inQuotes = new Set(quoted);
    for (let column = 1; column < cells.length; column += 1) {
      if (inQuotes.has(column)) continue;
      if (cells[column]?.startsWith(' ') !== true) return false;
      isSeen = true;
    }
  }
  return isSeen;
}

/** The share of cells that look like one value: a usual delimiter inside has a blank behind it, as in a sentence. */
function shareOfValues(records: readonly CsvRecord[]): number {
  let count = 0;
  let values = 0;
  for (const { cells, quoted, isBroken } of records) {
    count += cells.length;
    // Quotes break where a delimiter is not one.
    if (isBroken === true) continue;
    const inQuotes = new Set(quoted);
    for (const [column, cell] of cells.entries())
      if (inQuotes.has(column) || isOneValue(cell.trim())) values += 1;
  }
  return count === 0 ? 0 : values / count;
}

const isOneValue = (cell: string): boolean => !/[,;|](?! )|[\t"]/.test(cell) || isValueText(cell);

/** The quote of a dialect: an apostrophe if four or more cells are wrapped in it, and none begins with a quote. */
function quoteMarks(
  sample: string,
  delimiter: string,
  { quote }: ReadOptions,
): { readonly quote: string; readonly isEscaped: boolean } {
  const mark = delimiter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`);
  const isWrapped = (character: string): RegExp =>
    new RegExp(
      String.raw`(?:^|${mark})[ \t]{0,20}${character}[^\r\n]{0,200}?${character}[ \t]{0,20}(?=${mark}|[\r\n]|$)`,
      'gm',
    );
  if (quote === 'none') return { quote: '', isEscaped: false };
  const isApostrophe =
    quote === "'" ||
    (quote === undefined &&
      !new RegExp(String.raw`(?:^|${mark})[ \t]{0,20}"`, 'm').test(sample) &&
      (sample.match(isWrapped("'"))?.length ?? 0) >= minLines);
  return {
    quote: isApostrophe ? "'" : '"',
    isEscaped: isBackslashUsed(sample, isApostrophe ? "'" : '"', mark),
  };
}

/** A backslash before a quote behind which the cell goes on, where no quote is doubled. */
function isBackslashUsed(sample: string, quote: string, mark: string): boolean {
  if (mark === String.raw`\\`) return false;
  const isEscaped = new RegExp(String.raw`[^\\]\\${quote}(?!${quote}|${mark}|[ \t]{0,20}[\r\n]|$)`).test(
    sample,
  );
  return isEscaped && !new RegExp(String.raw`[^\r\n]${quote}${quote}(?!${mark}|[\r\n]|$)`).test(sample);
}
