// Rows of a body as lines, each ended by a newline, chunk by chunk. Who calls: RowSplitter, which finds where they begin and
// end. INVARIANT: a row's bytes leave as they came, but for line breaks between its tokens, which become spaces, and quotes
// around integers that no double holds.
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;

export class RowLineCutter {
  #chunk: Buffer = Buffer.alloc(0);
  #hasLineBreaks = false;
  /** Where the row under way, or what this chunk has of it, begins; -1 between rows. */
  #rowAt = -1;
  /**
   * The rows so far follow on each other in this chunk with one byte between two, as programs write them, and leave in
   * the chunk itself. Others are copied: those with blanks or line breaks between.
   */
  #isContiguous = false;
  /** Where the first of them, or what this chunk has of it, begins; -1 while there is none. */
  #firstRowAt = -1;
  /** Where the next one has to begin, once the last has ended. */
  #nextRowAt = 0;
  /** Where their newlines have to be. */
  readonly #rowEnds: number[] = [];
  /** The rows so far, if they are copied. */
  #lines: Buffer = Buffer.alloc(0);
  #linesLength = 0;
  /** Where the row under way gets a quote, in this chunk. */
  readonly #quotes: number[] = [];
  /** Beginning of a number that goes on in this chunk, in ASCII: it leaves with its end, since it may need quotes. */
  #numberHead = '';

  /** The next piece of the body. A row that was under way goes on at its beginning. */
  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#hasLineBreaks = chunk.includes(newline) || chunk.includes(carriageReturn);
    this.#isContiguous = !this.#hasLineBreaks && this.#numberHead === '';
    if (this.#rowAt >= 0) this.#rowAt = 0;
    this.#firstRowAt = this.#rowAt;
    this.#rowEnds.length = 0;
    this.#linesLength = 0;
  }

  openRow(at: number): void {
    if (this.#isContiguous && this.#firstRowAt < 0) this.#firstRowAt = at;
    else if (this.#isContiguous && at !== this.#nextRowAt) this.#copySoFar();
    this.#rowAt = at;
  }

  /** Bytes that this chunk has of the row under way, up to `end`. */
  bytesOfRow(end: number): number {
    return end - this.#rowAt;
  }

  /**
   * Makes a text of a number of the row under way.
   * @param from its first byte in this chunk
   * @param end behind its last byte
   * @param isContinued it began in an earlier chunk, which was taken with `holdFrom`
   */
  quoteNumber(from: number, end: number, isContinued: boolean): void {
    if (this.#isContiguous) this.#copySoFar();
    if (isContinued) this.#numberHead = `"${this.#numberHead}`;
    else this.#quotes.push(from);
    this.#quotes.push(end);
  }

  /** @param end behind its last byte */
  closeRow(end: number): void {
    if (this.#isContiguous) {
      this.#rowEnds.push(end);
      this.#nextRowAt = end + 1;
    } else {
      this.#copyRow(end);
      this.#lines[this.#linesLength] = newline;
      this.#linesLength += 1;
    }
    this.#rowAt = -1;
  }

  /**
   * All of the chunk's rows; the last may be cut off. Good until the next `begin`; writes into the chunk.
   * @param holdFrom where a number of the row under way begins, or goes on, that the chunk's end cuts off
   */
  take(holdFrom = this.#chunk.length): Buffer {
    const lines = this.#rowsUpTo(holdFrom);
    if (holdFrom < this.#chunk.length) this.#numberHead += this.#chunk.toString('latin1', holdFrom);
    return lines;
  }

  /** @param cut end of the last row, if it is cut off */
  #rowsUpTo(cut: number): Buffer {
    const chunk = this.#chunk;
    const isCut = this.#rowAt >= 0;
    if (this.#isContiguous && this.#firstRowAt < 0) return chunk.subarray(0, 0);
    // The comma behind the last row is in the next chunk: there is no room for its newline in this one.
    if (this.#isContiguous && !isCut && this.#nextRowAt > chunk.length) this.#copySoFar();
    if (this.#isContiguous) {
      // Newlines replace the commas, which are no longer needed.
      for (const end of this.#rowEnds) chunk[end] = newline;
      return chunk.subarray(this.#firstRowAt, isCut ? cut : this.#nextRowAt);
    }
    if (isCut && cut > this.#rowAt) this.#copyRow(cut);
    return this.#lines.subarray(0, this.#linesLength);
  }

  /** Whole rows with their newlines; from here on rows are copied one by one. */
  #copySoFar(): void {
    this.#isContiguous = false;
    this.#makeRoom();
    if (this.#rowEnds.length === 0) return;
    this.#linesLength = this.#nextRowAt - this.#firstRowAt;
    this.#chunk.copy(this.#lines, 0, this.#firstRowAt, this.#nextRowAt);
    for (const end of this.#rowEnds) this.#lines[end - this.#firstRowAt] = newline;
  }

  #copyRow(end: number): void {
    this.#makeRoom();
    const from = this.#linesLength;
    this.#linesLength += this.#lines.write(this.#numberHead, from, 'latin1');
    this.#numberHead = '';
    let at = this.#rowAt;
    for (const next of this.#quotes) {
      this.#copy(at, next);
      this.#lines[this.#linesLength] = quote;
      this.#linesLength += 1;
      at = next;
    }
    this.#quotes.length = 0;
    this.#copy(at, end);
    if (!this.#hasLineBreaks) return;
    const copy = this.#lines.subarray(from, this.#linesLength);
    replaceAll(copy, newline);
    replaceAll(copy, carriageReturn);
  }

  #copy(from: number, end: number): void {
    this.#chunk.copy(this.#lines, this.#linesLength, from, end);
    this.#linesLength += end - from;
  }

  /**
   * Each newline added stands for a comma or bracket left out, but for one: its comma may be in the next chunk. Two quotes
   * are added for 16 digits and the mark behind them, but for a number that began earlier.
   */
  #makeRoom(): void {
    const needed = this.#numberHead.length + Math.ceil(this.#chunk.length * (1 + 2 / 17)) + 4;
    if (this.#lines.length >= needed) return;
    const copied = this.#lines.subarray(0, this.#linesLength);
    this.#lines = Buffer.allocUnsafe(needed);
    copied.copy(this.#lines);
  }
}

function replaceAll(bytes: Buffer, unwanted: number): void {
  for (let at = bytes.indexOf(unwanted); at >= 0; at = bytes.indexOf(unwanted, at + 1)) bytes[at] = space;
}
