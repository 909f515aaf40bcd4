// The statements that insert rows into a team's database, each blob with its checksum. Who calls: TeamWriter and Orphans.
import { batchId, blobAndCrc, blobCrc } from '../storage/sqlite/checksums.ts';
import type { NewPiece, NewRowBatch } from '../storage/sqlite/stored-batches.ts';

/** An INSERT to use inside a larger statement; its values are the parameters from `$1` on. */
type Insert = { readonly text: string; readonly values: readonly unknown[]; readonly bytes: number };

/** An owner's last batch, as a part of the statement that accepts the run or stores the row set. */
export type LastBatch = {
  readonly ctes: string;
  readonly values: readonly unknown[];
  readonly bytes: number;
};

/** Segments that a run has before any of them has more than one batch, so that all slots of a team take part. */
const minSegments = 24;

/** Columns in the order of the parameters of `rowsInsert`. */
const rowColumns =
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

/** The parameters of `rowsInsert` with their types, for a statement in which PostgreSQL cannot guess them. */
const batchColumns =
  '$1::bigint, $2::integer, $3::integer, $4::bytea, $5::bigint, $6::bigint, $7::bytea, $8::bigint, $9::bytea, $10::bigint';

/**
 * Inserts the last batch of an owner, if there is one, and ends the arrival of its rows. The first ten parameters of the
 * statement are those of the batch, $1 the owner; `arrival` has the size of the rows that had arrived before, and
 * `all_batches` the numbers of all rows.
 */
export function lastBatchInsert(owner: number, last: NewRowBatch | undefined): LastBatch {
  const insert = rowsInsert(owner, last ?? { firstRow: 0, rows: 0, lines: undefined });
  return {
    ctes: `arrival as (delete from rowbench.orphans where owner = $1 and is_arriving returning bytes),
      last_batch as (
        insert into rowbench.row_batches (${rowColumns}) select ${batchColumns} where $3::integer > 0 returning first_row, rows
      ),
      all_batches as (
        select first_row, rows from rowbench.row_batches where owner = $1
        union all select first_row, rows from last_batch
      )`,
    values: insert.values,
    bytes: insert.bytes,
  };
}

/**
 * Cuts the rows of `all_batches` into segments of one batch, or of more where there are many; `segment` has their first rows.
 * @param maxBatches the parameter with the maximum batches of a segment
 */
export const segmentsInsert = (maxBatches: `$${number}`): string =>
  `numbered_batches as (
     select first_row, rows, row_number() over (order by first_row) - 1 as number,
       greatest(1, least(${maxBatches}::integer, count(*) over () / ${minSegments})) as in_segment
     from all_batches
   ),
   segment as (
     insert into rowbench.segments (owner, first_row, rows, state)
     select $1, min(first_row), sum(rows), 'waiting' from numbered_batches group by number / in_segment
     returning first_row
   )`;

export function pieceInsert(owner: number, { firstRow, piece, bytes }: NewPiece): Insert {
  const crc = blobCrc({ id: batchId(owner, firstRow), firstRow, rows: piece }, bytes);
  return {
    text: 'insert into rowbench.pieces (owner, kind, first_row, piece, bytes, crc) values ($1, 0, $2, $3, $4, $5)',
    values: [owner, firstRow, piece, bytes, crc],
    bytes: bytes.length,
  };
}
