// The statements that insert rows into a team's database, each blob with its checksum. Who calls: TeamWriter.
import { batchId, blobAndCrc, blobCrc } from '../storage/sqlite/checksums.ts';
import type { NewPiece, NewRowBatch } from '../storage/sqlite/stored-batches.ts';

/** An INSERT to use inside a larger statement; its values are the parameters from `$1` on. */
type Insert = { readonly text: string; readonly values: readonly unknown[]; readonly bytes: number };

/** Columns in the order of the parameters of `rowsInsert`. */
export const rowColumns =
  'owner, first_row, rows, lines, lines_crc, first_number, numbers, numbers_crc, reused, reused_crc';

export function rowsInsert(owner: number, batch: NewRowBatch): Insert {
  const { firstRow, rows, lines, numbers, reused } = batch;
  const key = { id: batchId(owner, firstRow), firstRow, rows };
  const firstNumber = numbers && new DataView(numbers.buffer, numbers.byteOffset).getUint32(0, true);
  return {
    text: `insert into rowbench.row_batches (${rowColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      owner,
      firstRow,
      rows,
      ...blobAndCrc(key, lines),
      firstNumber ?? null,
      ...blobAndCrc(key, numbers),
      ...blobAndCrc(key, reused),
    ],
    bytes: [lines, numbers, reused].reduce((sum, each) => sum + (each?.length ?? 0), 0),
  };
}

export function pieceInsert(owner: number, { firstRow, piece, bytes }: NewPiece): Insert {
  const crc = blobCrc({ id: batchId(owner, firstRow), firstRow, rows: piece }, bytes);
  return {
    text: 'insert into rowbench.pieces (owner, kind, first_row, piece, bytes, crc) values ($1, 0, $2, $3, $4, $5)',
    values: [owner, firstRow, piece, bytes, crc],
    bytes: bytes.length,
  };
}
