// The entries of an output's `data` as bytes. Who calls: streamOutput.
import { rowId } from '../../domain/run/row-id.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { rowNumberAt, type RowPiece } from '../../domain/run/row-numbers.ts';

const pieceBytes = 64 * 1024;

/**
 * `"<row id>":<line>` for each line that is not empty, with a comma before each but the very first, in pieces of a
 * bounded size: a reader that has stopped must not cost a second copy of what was read for it.
 */
export class OutputEntries {
  readonly #heads: EntryHeads;
  #isFirst = true;
  /** The last line goes on. */
  #isInside = false;
  #piece = Buffer.alloc(0);
  #length = 0;

  constructor(runId: string) {
    this.#heads = new EntryHeads(runId);
  }

  /** What follows upon what it was asked for before. */
  *of(lines: RowPiece): Generator<Buffer> {
    const { bytes } = lines;
    this.#begin();
    for (let at = 0, index = 0; at < bytes.length;) {
      if (!this.#isInside && bytes[at] !== newline) {
        const head = this.#head(rowNumberAt(lines, index));
        if (this.#length + head.length > pieceBytes) {
          yield this.#filled;
          this.#begin();
        }
        this.#copy(head, 0);
        this.#isInside = true;
      }
      at = this.#copy(bytes, at);
      if (at === bytes.length) break;
      if (bytes[at] !== newline) {
        yield this.#filled;
        this.#begin();
        continue;
      }
      this.#isInside = false;
      at += 1;
      index += 1;
    }
    if (this.#length > 0) yield this.#filled;
  }

  #head(row: number): Uint8Array {
    const head = this.#heads.of(row);
    if (!this.#isFirst) return head;
    this.#isFirst = false;
    return head.subarray(1);
  }

  /**
   * Copies up to the line's end, or for as long as there is room; where it stopped. One loop of our own looks for the
   * end and copies: for lines of 150 bytes a third of the time that a search and a copy by Buffer take.
   */
  #copy(bytes: Uint8Array, from: number): number {
    const piece = this.#piece;
    const end = Math.min(bytes.length, from + pieceBytes - this.#length);
    let to = this.#length;
    let at = from;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === newline) break;
      piece[to] = byte;
      to += 1;
    }
    this.#length = to;
    return at;
  }

  #begin(): void {
    this.#piece = Buffer.allocUnsafe(pieceBytes);
    this.#length = 0;
  }

  get #filled(): Buffer {
    return this.#piece.subarray(0, this.#length);
  }
}

const nine = 0x39;
const zero = 0x30;
/** `":` follows upon the last digit. */
const afterDigits = 2;

/** What stands before a line. Rows mostly follow each other: then the number is counted on in the bytes themselves. */
class EntryHeads {
  readonly #runId: string;
  #row = Number.NaN;
  #bytes: Uint8Array = new Uint8Array();

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** `,"<row id>":`, good until the next call. */
  of(row: number): Uint8Array {
    if (row !== this.#row + 1 || !countOn(this.#bytes))
      this.#bytes = Buffer.from(`,"${rowId(this.#runId, row)}":`, 'latin1');
    this.#row = row;
    return this.#bytes;
  }
}

/** False when the number needs one more digit. */
function countOn(bytes: Uint8Array): boolean {
  let digit = bytes.length - afterDigits - 1;
  for (; bytes[digit] === nine; digit -= 1) bytes[digit] = zero;
  const value = bytes[digit] ?? 0;
  if (value < zero || value > nine) return false;
  bytes[digit] = value + 1;
  return true;
}
