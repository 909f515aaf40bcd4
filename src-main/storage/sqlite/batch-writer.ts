// Inserts the batches of rows and of results into `rowbench.db`, each blob with its checksum. Who calls: StoreWriter,
// inside its transactions.
import { invariant } from '../../base/invariant.ts';
import { batchId, blobAndCrc, blobCrc } from './checksums.ts';
import type { Statements } from './statements.ts';
import type { NewOutputBatch, NewPiece, NewRowBatch } from './stored-batches.ts';

/** Maximum size of a line, or of the outputs of a commit, that is stored in one blob, in bytes. */
export const maxBlobBytes = 1024 * 1024;
/** Size of the pieces of larger lines and outputs, in bytes. */
export const pieceBytes = 256 * 1024;

export class BatchWriter {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Inserts a batch of rows. @returns the bytes that are stored */
  insertRows(owner: number, { firstRow, rows, lines, numbers, reused }: NewRowBatch): number {
    const key = { id: batchId(owner, firstRow), firstRow, rows };
    const firstNumber = numbers && new DataView(numbers.buffer, numbers.byteOffset).getUint32(0, true);
    this.#sql.run(
      'insert into row_batches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      key.id,
      firstRow,
      rows,
      ...blobAndCrc(key, lines),
      firstNumber ?? null,
      ...blobAndCrc(key, numbers),
      ...blobAndCrc(key, reused),
    );
    return [lines, numbers, reused].reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0);
  }

  /** Inserts a piece of a row, or of outputs, that are too large for one blob. */
  insertPiece(of: 'rows' | 'outputs', owner: number, { firstRow, piece, bytes }: NewPiece): void {
    const batch = batchId(owner, firstRow);
    const crc = blobCrc({ id: batch, firstRow, rows: piece }, bytes);
    this.#sql.run(
      'insert into pieces values (?, ?, ?, ?, ?)',
      of === 'rows' ? 0 : 1,
      batch,
      piece,
      bytes,
      crc,
    );
  }

  /** Inserts the results of consecutive rows. @returns the bytes that are stored */
  insertResults(
    owner: number,
    { firstRow, rows, rowsFailed, outputs, states, trace }: NewOutputBatch,
  ): number {
    invariant(outputs.length > 0 && states.length > 0, 'a commit has rows');
    const isLarge = outputs.length > maxBlobBytes;
    const key = { id: batchId(owner, firstRow), firstRow, rows };
    this.#sql.run(
      'insert into output_batches values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      key.id,
      firstRow,
      rows,
      rowsFailed,
      ...blobAndCrc(key, isLarge ? undefined : outputs),
      ...blobAndCrc(key, states),
      ...blobAndCrc(key, trace.length === 0 ? undefined : trace),
    );
    for (let at = 0; isLarge && at < outputs.length; at += pieceBytes)
      this.insertPiece('outputs', owner, {
        firstRow,
        piece: at / pieceBytes,
        bytes: outputs.subarray(at, at + pieceBytes),
      });
    return outputs.length + states.length + trace.length;
  }
}
