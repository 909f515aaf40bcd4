// Rows and results of runs and row sets in the database of a team, a batch at a time, each compared with its checksum;
// BatchQueries answers the same questions for a data folder. Who calls: TeamDatabase, and the thread of row questions.
import { runNotFound } from '../../domain/run-errors.ts';
import { rowSetNotFound } from '../../domain/workflow-errors.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { decodeRowNumbers, rowNumberBytes } from '../../domain/run/row-numbers.ts';
import type {
  BatchReads,
  NumberPosition,
  PieceAddress,
  StoredRange,
} from '../../storage/sqlite/batch-queries.ts';
import { batchId, checkedBlob, gatherBatches, gatheredBytes } from '../../storage/sqlite/checksums.ts';
import type {
  NewRowBatch,
  OutputBatchPart,
  OutputPart,
  RowOwner,
} from '../../storage/sqlite/stored-batches.ts';
import type { Asynchronous } from './question-thread.ts';
import { type Sql, storableText } from '../sql.ts';

type NumbersColumns = {
  readonly first_row: number;
  readonly rows: number;
  readonly numbers: Uint8Array | null;
  readonly numbers_crc: number;
};

type RowColumns = NumbersColumns & {
  readonly lines: string | null;
  readonly lines_crc: number;
  readonly reused: Uint8Array | null;
  readonly reused_crc: number;
};

/** An owner with what a query looked for; the columns are null if it has none. */
type Found<Columns> = { readonly owner: number } & (Columns | { readonly [Name in keyof Columns]: null });

/** Maximum commits whose results are handed out together. */
const maxGathered = 200;

/**
 * A column of lines as text: PostgreSQL sends bytes as hexadecimal digits, which take twice the room and time. Lines are
 * UTF-8, as is the database. Bytes that are not end the statement with an error: they are damaged.
 */
const asText = (column: string): string => `convert_from(${column}, 'UTF8')`;

export class TeamBatchQueries implements Asynchronous<BatchReads> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The batch that holds a row, by the row's position; undefined past the last one. Throws `data_unreadable`, `run_not_found`. */
  async rowBatch(owner: RowOwner, row: number): Promise<NewRowBatch | undefined> {
    const [found] = await this.#ask<RowColumns>(
      owner,
      `select first_row, rows, ${asText('lines')} as lines, lines_crc, numbers, numbers_crc, reused, reused_crc
       from rowbench.row_batches where owner = found.owner and first_row <= $2::bigint order by first_row desc limit 1`,
      [row],
    );
    if (found === undefined || found.first_row === null) return undefined;
    const { first_row: firstRow, rows } = found;
    const part = (name: 'lines' | 'numbers' | 'reused', label: string): Uint8Array | undefined =>
      checkedBlob(bytesOf(found[name]), found[`${name}_crc`], {
        owner,
        name: label,
        id: batchId(found.owner, firstRow),
        firstRow,
        rows,
      });
    const batch = {
      firstRow,
      rows,
      lines: part('lines', 'text'),
      numbers: part('numbers', 'row numbers'),
      reused: part('reused', 'reused values'),
    };
    // Only after the checksums: the row numbers of a damaged batch mean nothing.
    return row < firstRow + rows ? batch : undefined;
  }

  /**
   * How far the rows and results of a run reach. Of a run that goes on, the results up to the first row that has none:
   * later segments may have theirs already. Throws `run_not_found`.
   */
  async extent(runId: string): Promise<StoredRange> {
    const [found] = await this.#sql.query<{
      last_row: number | null;
      last_result: number | null;
      first_number: number | null;
    }>(
      `select
         (select first_row + rows - 1 from rowbench.row_batches where owner = runs.owner
            order by first_row desc limit 1) as last_row,
         (select first_number from rowbench.row_batches where owner = runs.owner order by first_row limit 1)
            as first_number,
         coalesce(
           (select first_row + rows_done + rows_failed + rows_unfinished - 1 from rowbench.segments
              where owner = runs.owner and runs.ended_at_ms is null and state <> 'done'
              order by first_row limit 1),
           (select first_row + rows - 1 from rowbench.output_batches where owner = runs.owner
              order by first_row desc limit 1)
         ) as last_result
       from rowbench.runs where run_id = $1`,
      [storableText(runId)],
    );
    if (found === undefined) throw runNotFound();
    return {
      lastRow: found.last_row ?? 0,
      lastResult: found.last_result ?? 0,
      hasNumbers: found.first_number !== null,
    };
  }

  /** Numbers of consecutive rows, encoded; undefined where numbers are positions. Throws as `rowBatch`. */
  async rowNumbers(runId: string, firstRow: number, rows: number): Promise<Uint8Array | undefined> {
    const batches = await this.#ask<NumbersColumns>(
      { runId },
      `select first_row, rows, numbers, numbers_crc from rowbench.row_batches
       where owner = found.owner and first_row < $3::bigint and first_row >= coalesce((
         select max(first_row) from rowbench.row_batches where owner = found.owner and first_row <= $2::bigint), 1)
       order by first_row`,
      [firstRow, firstRow + Math.max(1, rows)],
    );
    const numbers = new Uint8Array(rows * rowNumberBytes);
    let next = firstRow;
    for (const batch of batches) {
      if (batch.first_row === null) break;
      const inBatch = numbersOf(runId, batch);
      if (inBatch === undefined) return undefined;
      const offset = (next - firstRow) * rowNumberBytes;
      const from = (next - batch.first_row) * rowNumberBytes;
      numbers.set(inBatch.subarray(from, from + numbers.length - offset), offset);
      next = Math.min(firstRow + rows, batch.first_row + batch.rows);
    }
    if (next < firstRow + rows) {
      if (!(await this.extent(runId)).hasNumbers) return undefined;
      throw dataUnreadable(`run ${runId} has no row ${next}`);
    }
    return numbers;
  }

  /**
   * The position of the row with that number; where there is none, of the next one. Undefined where numbers are
   * positions. Throws as `rowBatch`.
   */
  async positionOfNumber(runId: string, number: number): Promise<NumberPosition | undefined> {
    const [first] = await this.#ask<{ first_number: number | null }>(
      { runId },
      'select first_number from rowbench.row_batches where owner = found.owner order by first_row limit 1',
      [],
    );
    const lowest = first?.first_number ?? undefined;
    if (lowest === undefined) return undefined;
    if (number < lowest) return { position: 1, isThere: false };
    const [batch] = await this.#ask<NumbersColumns>(
      { runId },
      `select first_row, rows, numbers, numbers_crc from rowbench.row_batches
       where owner = found.owner and first_number <= $2::bigint order by first_row desc limit 1`,
      [number],
    );
    if (batch === undefined || batch.first_row === null) return { position: 1, isThere: false };
    const encoded = numbersOf(runId, batch);
    if (encoded === undefined) return { position: 1, isThere: false };
    const numbers = decodeRowNumbers(encoded);
    const index = numbers.findIndex((one) => one >= number);
    return {
      position: batch.first_row + (index < 0 ? batch.rows : index),
      isThere: numbers[index] === number,
    };
  }

  /**
   * One part of the results of consecutive rows from the commit on that holds a row: of that commit, and of small ones
   * after it. Undefined past the last commit. Throws as `rowBatch`.
   */
  async outputBatch(runId: string, row: number, part: OutputPart): Promise<OutputBatchPart | undefined> {
    const found = await this.#ask<{
      first_row: number;
      rows: number;
      bytes: Uint8Array | string | null;
      crc: number;
    }>(
      { runId },
      `select first_row, rows, ${part === 'states' ? 'bytes' : asText('bytes')} as bytes, crc from (
         select first_row, rows, bytes, crc, sum(octet_length(bytes)) over (
           order by first_row rows between unbounded preceding and 1 preceding) as bytes_before
         from (
           select first_row, rows, ${part} as bytes, ${part}_crc as crc from rowbench.output_batches
           where owner = found.owner and first_row >= (
             select max(first_row) from rowbench.output_batches
             where owner = found.owner and first_row <= $2::bigint)
           order by first_row limit ${maxGathered}
         ) as batches
       ) as summed where coalesce(bytes_before, 0) < ${gatheredBytes} order by first_row`,
      [row],
    );
    const stored = found.flatMap((each) =>
      each.first_row === null
        ? []
        : [{ ...each, id: batchId(each.owner, each.first_row), bytes: bytesOf(each.bytes) }],
    );
    const gathered = gatherBatches(stored, part, { runId });
    return gathered === undefined || row >= gathered.firstRow + gathered.rows ? undefined : gathered;
  }

  /** Position of the first row of the next commit, from that row on, in which rows failed. */
  async nextFailedBatch(runId: string, row: number): Promise<number | undefined> {
    const [found] = await this.#ask<{ first_row: number }>(
      { runId },
      `select first_row from rowbench.output_batches
       where owner = found.owner and first_row >= $2::bigint and rows_failed > 0 order by first_row limit 1`,
      [row],
    );
    return found?.first_row ?? undefined;
  }

  /** A piece of a row, or of outputs, too large to be read at once; undefined after the last one. */
  async piece({ owner, of, firstRow, piece }: PieceAddress): Promise<Uint8Array | undefined> {
    const [found] = await this.#ask<{ bytes: Uint8Array; crc: number }>(
      owner,
      `select bytes, crc from rowbench.pieces
       where owner = found.owner and kind = $2::integer and first_row = $3::integer and piece = $4::integer`,
      [of === 'rows' ? 0 : 1, firstRow, piece],
    );
    if (found === undefined || found.bytes === null) return undefined;
    const id = batchId(found.owner, firstRow);
    return checkedBlob(found.bytes, found.crc, { owner, name: of, id, firstRow, rows: piece });
  }

  /**
   * Asks for something of an owner, whose number the query has as `found.owner`; its own parameters begin with $2. Throws
   * `run_not_found`, `row_set_not_found`.
   */
  async #ask<Columns>(
    owner: RowOwner,
    query: string,
    values: readonly unknown[],
  ): Promise<readonly Found<Columns>[]> {
    const isRun = 'runId' in owner;
    const rows = await this.#sql.query<Found<Columns>>(
      `select found.owner, of_owner.* from rowbench.${isRun ? 'runs' : 'row_sets'} as found
       left join lateral (${query}) as of_owner on true where found.${isRun ? 'run_id' : 'set_id'} = $1`,
      [storableText(isRun ? owner.runId : owner.setId), ...values],
    );
    if (rows.length === 0) throw isRun ? runNotFound() : rowSetNotFound();
    return rows;
  }
}

const bytesOf = (stored: Uint8Array | string | null): Uint8Array | null =>
  typeof stored === 'string' ? Buffer.from(stored) : stored;

/** The numbers of a batch, encoded; undefined where it has none. Throws `data_unreadable`. */
function numbersOf(
  runId: string,
  found: NumbersColumns & { readonly owner: number },
): Uint8Array | undefined {
  const { owner, first_row: firstRow, rows, numbers, numbers_crc: crc } = found;
  const id = batchId(owner, firstRow);
  return checkedBlob(numbers, crc, { owner: { runId }, name: 'row numbers', id, firstRow, rows });
}
