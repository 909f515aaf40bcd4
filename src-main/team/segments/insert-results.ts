// Inserts the results of consecutive rows into a team's database, each blob with its checksum. Who calls: SegmentAttempts
// and settle-run.ts, inside their transactions.
import { batchId, blobAndCrc, blobCrc } from '../../storage/sqlite/checksums.ts';
import { maxBlobBytes, pieceBytes } from '../../storage/sqlite/batch-writer.ts';
import type { NewOutputBatch } from '../../storage/sqlite/stored-batches.ts';
import type { Sql } from '../sql.ts';

/** Pieces of outputs, in `rowbench.pieces.kind`. */
const outputPieces = 1;

export async function insertResults(
  sql: Sql,
  owner: number,
  { firstRow, rows, rowsFailed, outputs, states, trace }: NewOutputBatch,
): Promise<void> {
  const isLarge = outputs.length > maxBlobBytes;
  const key = { id: batchId(owner, firstRow), firstRow, rows };
  await sql.query(
    `insert into rowbench.output_batches
       (owner, first_row, rows, rows_failed, outputs, outputs_crc, states, states_crc, trace, trace_crc)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      owner,
      firstRow,
      rows,
      rowsFailed,
      ...blobAndCrc(key, isLarge ? undefined : outputs),
      ...blobAndCrc(key, states),
      ...blobAndCrc(key, trace.length === 0 ? undefined : trace),
    ],
  );
  for (let at = 0; isLarge && at < outputs.length; at += pieceBytes) {
    const [piece, bytes] = [at / pieceBytes, outputs.subarray(at, at + pieceBytes)];
    await sql.query(
      'insert into rowbench.pieces (owner, kind, first_row, piece, bytes, crc) values ($1, $2, $3, $4, $5, $6)',
      [owner, outputPieces, firstRow, piece, bytes, blobCrc({ ...key, rows: piece }, bytes)],
    );
  }
}
