// Hands a run's rows to the executor, in order, as bytes. Fits `RowReader` of the executor's ports. While rows of one
// piece of the file are handed out the next one is read, so that workers do not wait for the disk.
import { asUnreadable, release } from '../durable/read-bytes.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { dataUnreadable } from '../../domain/errors.ts';
import type { OpenFile } from '../file-system.ts';
import { RowsCheck } from './rows-check.ts';
import { offsetAfterLines, wholeLines } from './whole-lines.ts';

/** Large beside a batch, so that few batches are cut short by the end of a piece. */
const pieceBytes = 2 * 1024 * 1024;

export type RowReaderSource = {
  readonly file: OpenFile;
  /** For messages. */
  readonly label: string;
  readonly afterRow: number;
  /** CRC32 of the whole file, where it is known. */
  readonly crc?: number | undefined;
};

/** Neither: there is nothing more. */
type Ahead = { readonly piece?: Uint8Array | undefined; readonly error?: unknown };

export class RowReader {
  readonly #source: RowReaderSource;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  /** The piece after that one, or its failure; undefined before the first is asked for. */
  #ahead: Promise<Ahead> | undefined;
  #offset = 0;
  #rowsToSkip: number;
  #nextRow: number;
  readonly #check: RowsCheck;

  private constructor(source: RowReaderSource, size: number) {
    this.#source = source;
    this.#check = new RowsCheck({ label: source.label, size, crc: source.crc });
    this.#pieces = wholeLines(source.file, { from: 0, to: size, chunkBytes: pieceBytes });
    this.#rowsToSkip = source.afterRow;
    this.#nextRow = source.afterRow + 1;
  }

  static async open(source: RowReaderSource): Promise<RowReader> {
    return new RowReader(source, await source.file.size());
  }

  /**
   * The next rows, each ended by a newline: at most `maxRows`, and at most `maxBytes` unless one row alone is larger.
   * Undefined at the end. Throws `data_unreadable` when the file ends inside a row.
   */
  async next(
    maxRows: number,
    maxBytes: number,
  ): Promise<{ firstRow: number; rows: number; bytes: Uint8Array } | undefined> {
    while (this.#offset === this.#piece.length) if (!(await this.#loadPiece())) return undefined;
    const start = this.#offset;
    let end = start;
    let rows = 0;
    while (rows < maxRows && end < this.#piece.length) {
      const lineEnd = this.#piece.indexOf(newline, end) + 1;
      if (rows > 0 && lineEnd - start > maxBytes) break;
      end = lineEnd;
      rows += 1;
    }
    const firstRow = this.#nextRow;
    this.#offset = end;
    this.#nextRow += rows;
    return { firstRow, rows, bytes: this.#piece.subarray(start, end) };
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
    await release(this.#source.file);
  }

  async #loadPiece(): Promise<boolean> {
    const { piece, error } = await (this.#ahead ?? this.#read());
    if (error !== undefined) throw asUnreadable(this.#source.label, error);
    if (piece === undefined) {
      this.#check.end();
      return false;
    }
    this.#ahead = this.#read();
    this.#piece = piece;
    if (this.#piece.at(-1) !== newline) throw dataUnreadable(`${this.#source.label}: it ends inside a row`);
    this.#check.take(this.#piece);
    this.#offset = this.#skipIn(this.#piece);
    return true;
  }

  async #read(): Promise<Ahead> {
    try {
      const read = await this.#pieces.next();
      return { piece: read.done ? undefined : read.value };
    } catch (error) {
      return { error };
    }
  }

  /** Where the first wanted row of a piece begins; its length if none does. */
  #skipIn(piece: Uint8Array): number {
    let offset = 0;
    while (this.#rowsToSkip > 0 && offset < piece.length) {
      offset = offsetAfterLines(piece, 1, offset);
      this.#rowsToSkip -= 1;
    }
    return offset;
  }
}
