// Reads a run's rows for the executor, in order, as bytes. Implements `RowReader` of the executor's ports. The next batch is
// read while rows of this one are used, so that workers do not wait for the disk.
import { invariant } from '../../base/invariant.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { decodeRowNumbers, rowNumberBytes } from '../../domain/run/row-numbers.ts';
import { readRowBatches, type WholeRowBatch } from './read-batches.ts';
import type { StoreDatabase } from './store-database.ts';

type RunRows = {
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly numbers?: readonly number[];
  readonly reusedValues?: Uint8Array;
};

/** Maximum rows with reused values in one batch, since values can be much larger than rows. */
const maxRowsWithValues = 16;

export class RunRowReader {
  readonly #batches: AsyncGenerator<WholeRowBatch>;
  readonly #rows: number;
  #batch: WholeRowBatch | undefined;
  #nextRow: number;
  /** Offsets of the next row in its batch's lines and reused values. */
  #offset = 0;
  #reusedOffset = 0;

  /**
   * @param rows number of rows of the run; a missing row is `data_unreadable`
   * @param firstBatch the first batch, if it is known and need not be read; only with `afterRow` 0
   */
  constructor(
    database: Pick<StoreDatabase, 'read'>,
    runId: string,
    {
      afterRow,
      rows,
      firstBatch,
    }: { afterRow: number; rows: number; firstBatch?: WholeRowBatch | undefined },
  ) {
    this.#rows = rows;
    this.#nextRow = afterRow + 1;
    this.#batch = firstBatch;
    const range = { fromRow: this.#nextRow, toRow: rows, isWhole: true };
    this.#batches = readRowBatches(database, { runId }, range);
  }

  /**
   * The next rows, each ended by a newline: at most `maxRows`, and at most `maxBytes` unless one row alone is larger.
   * Undefined at the end. Throws `data_unreadable`.
   */
  async next(maxRows: number, maxBytes: number): Promise<RunRows | undefined> {
    if (this.#nextRow > this.#rows) return undefined;
    const batch = await this.#currentBatch();
    const { lines, numbers, reused } = batch;
    const firstRow = this.#nextRow;
    const lastRow = batch.firstRow + batch.rows - 1;
    const most = Math.min(
      lastRow - firstRow + 1,
      reused === undefined ? maxRows : Math.min(maxRows, maxRowsWithValues),
    );
    const start = this.#offset;
    let end = start;
    let rows = 0;
    while (rows < most) {
      const lineEnd = lines.indexOf(newline, end) + 1;
      if (rows > 0 && lineEnd - start > maxBytes) break;
      end = lineEnd;
      rows += 1;
    }
    this.#offset = end;
    this.#nextRow += rows;
    const from = (firstRow - batch.firstRow) * rowNumberBytes;
    return {
      firstRow,
      rows,
      bytes: lines.subarray(start, end),
      ...(numbers === undefined
        ? {}
        : { numbers: decodeRowNumbers(numbers.slice(from, from + rows * rowNumberBytes)) }),
      ...(reused === undefined ? {} : { reusedValues: this.#takeReused(reused, rows) }),
    };
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }

  #takeReused(reused: Uint8Array, rows: number): Uint8Array {
    const start = this.#reusedOffset;
    this.#reusedOffset = offsetAfter(reused, rows, start);
    return reused.subarray(start, this.#reusedOffset);
  }

  async #currentBatch(): Promise<WholeRowBatch> {
    const current = this.#batch;
    if (current !== undefined && this.#nextRow < current.firstRow + current.rows) return current;
    const next = await this.#batches.next();
    invariant(next.done !== true, 'a reader that has failed is asked no more');
    const batch = next.value;
    this.#batch = batch;
    const skipped = this.#nextRow - batch.firstRow;
    this.#offset = offsetAfter(batch.lines, skipped, 0);
    this.#reusedOffset = batch.reused === undefined ? 0 : offsetAfter(batch.reused, skipped, 0);
    return batch;
  }
}

/** The offset after so many lines, counted from `start`. */
function offsetAfter(bytes: Uint8Array, lines: number, start: number): number {
  let offset = start;
  for (let left = lines; left > 0; left -= 1) offset = bytes.indexOf(newline, offset) + 1;
  return offset;
}
