// Holds the rows of a run or of a saved set, as they are read from the first to the last, against the checksum that they were accepted with.
import { crc32 } from 'node:zlib';
import { dataUnreadable } from '../../domain/errors.ts';

export type CheckedRows = {
  /** For messages. */
  readonly label: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Of the whole file; undefined: nobody knows. */
  readonly crc: number | undefined;
};

export class RowsCheck {
  readonly #rows: CheckedRows;
  #seen = 0;
  #crc = 0;

  constructor(rows: CheckedRows) {
    this.#rows = rows;
  }

  /** Throws `data_unreadable` at the last piece: before it is handed out, so that nothing is taken for whole. */
  take(piece: Uint8Array): void {
    this.#seen += piece.length;
    this.#crc = crc32(piece, this.#crc);
    if (this.#seen === this.#rows.size) this.end();
  }

  /** After the last piece, if there was any. Throws `data_unreadable`. */
  end(): void {
    const { label, crc } = this.#rows;
    if (crc !== undefined && this.#crc !== crc)
      throw dataUnreadable(`${label}: the rows are not those that were accepted`);
  }
}
