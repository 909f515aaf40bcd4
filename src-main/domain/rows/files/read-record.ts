// One record of delimited text (RFC 4180, and what other programs make of it), cut into its cells.

/** How the records of a text are cut into cells. */
export type Dialect = {
  readonly delimiter: string;
  /** Character around cells; an empty text if there is none. */
  readonly quote: string;
  /** True if a backslash stands before quotes inside of cells. */
  readonly isEscaped: boolean;
  /** True if each delimiter has a blank behind it. */
  readonly hasBlanks: boolean;
  /** True if some cells are quoted: a quote inside of a plain cell is remarkable then. */
  readonly quotesCells: boolean;
  /** Usual number of cells in a record; 0 as long as it is not known. */
  readonly width: number;
};

/** A record as it reads by the rules, up to the first quote that breaks them. */
export type RecordReading = {
  readonly cells: string[];
  /** Indexes of the cells that are quoted. */
  readonly quoted: number[];
  /** Index behind the record, before its line break. */
  readonly end: number;
  /** Index of the first quote inside a plain cell; -1: none. */
  readonly stray: number;
  /** Index of the quote that is never closed, or behind which the cell goes on; -1: none. */
  readonly fault: number;
  /** True if the quote at `fault` is not closed in the text. */
  readonly isOpen: boolean;
};

/** A reading of a damaged record: one quote is text, or one delimiter is missing. */
type Repair = {
  readonly literal?: number;
  /** Index behind the missing delimiter. */ readonly boundary?: number;
};

type Cell = {
  readonly text: string;
  /** Index behind the cell. */
  readonly end: number;
  readonly isQuoted: boolean;
  readonly stray: number;
};

type Fault = Pick<RecordReading, 'fault' | 'isOpen'>;

/** Cuts records of one dialect. */
export class RecordReader {
  readonly dialect: Dialect;
  readonly #cellEnd: RegExp;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
    this.#cellEnd = new RegExp(
      `${dialect.delimiter.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)}|[\\r\\n]`,
      'g',
    );
  }

  /** The record that begins at `from`. It may have several lines. */
  read(text: string, from: number, repair: Repair = {}): RecordReading {
    const { delimiter } = this.dialect;
    const cells: string[] = [];
    const quoted: number[] = [];
    let { boundary } = repair;
    let stray = -1;
    for (let at = from; ;) {
      const cell = this.#quotedCell(text, at, repair) ?? this.#plainCell(text, at, repair);
      if ('fault' in cell) return { cells, quoted, end: at, stray, ...cell };
      if (cell.isQuoted) quoted.push(cells.length);
      if (stray < 0) stray = cell.stray;
      cells.push(cell.text);
      at = cell.end;
      if (at === boundary) {
        boundary = undefined;
        continue;
      }
      if (at >= text.length || !text.startsWith(delimiter, at))
        return { cells, quoted, end: at, stray, fault: -1, isOpen: false };
      at += delimiter.length;
    }
  }

  /** Undefined if the cell at `at` is not quoted. */
  #quotedCell(text: string, at: number, repair: Repair): Cell | Fault | undefined {
    const { quote } = this.dialect;
    if (quote === '') return undefined;
    const first = this.#behindBlanks(text, at);
    const prefix = first === repair.literal ? quote : '';
    const start = first + prefix.length;
    if (text[start] !== quote) return undefined;
    const close = this.#closingQuote(text, start + 1, repair);
    if (close < 0) return { fault: start, isOpen: true };
    const end = close + 1 === repair.boundary ? close + 1 : this.#behindBlanks(text, close + 1);
    if (end !== repair.boundary && !this.#isCellEnd(text, end)) return { fault: close, isOpen: false };
    return { text: prefix + this.#unescaped(text.slice(start + 1, close)), end, isQuoted: true, stray: -1 };
  }

  #plainCell(text: string, at: number, { literal, boundary = -1 }: Repair): Cell {
    const { quote, hasBlanks } = this.dialect;
    const end = this.#plainEnd(text, at, boundary);
    const cell = text.slice(at, end);
    let found = quote === '' ? -1 : cell.indexOf(quote);
    if (found >= 0 && at + found === literal) found = cell.indexOf(quote, found + 1);
    return {
      text: hasBlanks ? cell.trimStart() : cell,
      end,
      isQuoted: false,
      stray: found < 0 ? -1 : at + found,
    };
  }

  /** The cells of a line whose quotes are broken: a quote that does not wrap a whole cell is text. */
  readBroken(line: string): RecordReading {
    const { delimiter, quote } = this.dialect;
    const cells: string[] = [];
    const quoted: number[] = [];
    const lastClose = this.#lastClose(line);
    for (let at = 0; ;) {
      const start = this.#behindBlanks(line, at);
      let close = line[start] === quote && start < lastClose ? line.indexOf(quote, start + 1) : -1;
      while (close >= 0 && !this.#isCellEnd(line, this.#behindBlanks(line, close + 1)))
        close = line.indexOf(quote, close + 1);
      const end = close < 0 ? this.#plainEnd(line, at, -1) : this.#behindBlanks(line, close + 1);
      if (close >= 0) quoted.push(cells.length);
      cells.push(close < 0 ? line.slice(at, end) : this.#unescaped(line.slice(start + 1, close)));
      if (end >= line.length)
        return { cells, quoted, end, stray: line.indexOf(quote), fault: -1, isOpen: false };
      at = end + delimiter.length;
    }
  }

  /** Index of the last quote that may end a cell. */
  #lastClose(line: string): number {
    let at = line.lastIndexOf(this.dialect.quote);
    while (at > 0 && !this.#isCellEnd(line, this.#behindBlanks(line, at + 1)))
      at = line.lastIndexOf(this.dialect.quote, at - 1);
    return at;
  }

  #behindBlanks(text: string, from: number): number {
    const { delimiter } = this.dialect;
    let at = from;
    while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at += 1;
    return at;
  }

  #isCellEnd(text: string, at: number): boolean {
    return (
      at >= text.length ||
      text[at] === '\n' ||
      text[at] === '\r' ||
      text.startsWith(this.dialect.delimiter, at)
    );
  }

  #plainEnd(text: string, from: number, boundary: number): number {
    this.#cellEnd.lastIndex = from;
    const end = this.#cellEnd.exec(text)?.index ?? text.length;
    return boundary > from && boundary < end ? boundary : end;
  }

  #closingQuote(text: string, from: number, { literal, boundary }: Repair): number {
    const { quote, isEscaped } = this.dialect;
    let close = text.indexOf(quote, from);
    while (close >= 0) {
      if (close + 1 === boundary) return close;
      if (close === literal || (isEscaped && isBackslashed(text, close, from)))
        close = text.indexOf(quote, close + 1);
      else if (text[close + 1] === quote && close + 1 !== literal) close = text.indexOf(quote, close + 2);
      else return close;
    }
    return close;
  }

  #unescaped(content: string): string {
    const { quote, isEscaped } = this.dialect;
    if (isEscaped && content.includes('\\')) return content.replaceAll(/\\(["'\\])/g, '$1');
    return content.includes(quote) ? content.replaceAll(quote + quote, quote) : content;
  }
}

/** True if an odd number of backslashes stands before the index. */
function isBackslashed(text: string, index: number, from: number): boolean {
  let at = index;
  while (at > from && text[at - 1] === '\\') at -= 1;
  return (index - at) % 2 === 1;
}
