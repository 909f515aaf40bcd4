// Rows of a body as lines, each ended by a newline, chunk by chunk. Who calls: RowSplitter, which finds where they begin and
// end. INVARIANT: a row's bytes leave as they came, but for line breaks between its tokens, which become spaces.
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;

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

  /** The next piece of the body. A row that was under way goes on at its beginning. */
  begin(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#hasLineBreaks = chunk.includes(newline) || chunk.includes(carriageReturn);
    this.#isContiguous = !this.#hasLineBreaks;
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

  /** All of the chunk's rows; the last may be cut off. Good until the next `begin`; writes into the chunk. */
  take(): Buffer {
    const chunk = this.#chunk;
    const isCut = this.#rowAt >= 0;
    if (this.#isContiguous && this.#firstRowAt < 0) return chunk.subarray(0, 0);
    // The comma behind the last row is in the next chunk: there is no room for its newline in this one.
    if (this.#isContiguous && !isCut && this.#nextRowAt > chunk.length) this.#copySoFar();
    if (this.#isContiguous) {
      // Newlines replace the commas, which are no longer needed.
      for (const end of this.#rowEnds) chunk[end] = newline;
      return chunk.subarray(this.#firstRowAt, isCut ? chunk.length : this.#nextRowAt);
    }
    if (isCut) this.#copyRow(chunk.length);
    return this.#lines.subarray(0, this.#linesLength);
  }

  /** Whole rows with their newlines; from here on rows are copied one by one. */
  #copySoFar(): void {
    this.#isContiguous = false;
    this.#makeRoom();
    this.#linesLength = this.#nextRowAt - this.#firstRowAt;
    this.#chunk.copy(this.#lines, 0, this.#firstRowAt, this.#nextRowAt);
    for (const end of this.#rowEnds) this.#lines[end - this.#firstRowAt] = newline;
  }

  #copyRow(end: number): void {
    this.#makeRoom();
    const from = this.#linesLength;
    this.#linesLength += end - this.#rowAt;
    this.#chunk.copy(this.#lines, from, this.#rowAt, end);
    if (!this.#hasLineBreaks) return;
    const copy = this.#lines.subarray(from, this.#linesLength);
    replaceAll(copy, newline);
    replaceAll(copy, carriageReturn);
  }

  /** Each newline added stands for a comma or bracket left out, but for one: its comma may be in the next chunk. */
  #makeRoom(): void {
    if (this.#lines.length <= this.#chunk.length) this.#lines = Buffer.allocUnsafe(this.#chunk.length + 1);
  }
}

function replaceAll(bytes: Buffer, unwanted: number): void {
  for (let at = bytes.indexOf(unwanted); at >= 0; at = bytes.indexOf(unwanted, at + 1)) bytes[at] = space;
}
