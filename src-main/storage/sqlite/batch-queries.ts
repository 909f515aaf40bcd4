// Rows and results of runs and row sets, a batch at a time, each held against its checksum. Runs in the reading thread.
import { dataUnreadable } from '../../domain/store-errors.ts';
import { rowSetNotFound } from '../../domain/workflow-errors.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import { decodeRowNumbers, rowNumberBytes } from '../../domain/run/row-numbers.ts';
import { batchId, checkedBlob, gatherBatches, type StoredPart } from './checksums.ts';
import type { Database } from './open-database.ts';
import { Statements } from './statements.ts';
import type { OutputBatchPart, OutputPart, NewRowBatch, RowOwner } from './stored-batches.ts';

type RowColumns = {
  readonly id: number;
  readonly first_row: number;
  readonly rows: number;
  readonly lines: Uint8Array | null;
  readonly lines_crc: number;
  readonly numbers: Uint8Array | null;
  readonly numbers_crc: number;
  readonly reused: Uint8Array | null;
  readonly reused_crc: number;
};

type NumbersBatch = { readonly firstRow: number; readonly rows: number; readonly numbers: Uint8Array };

/** A position, from 1, and whether the row there has the number that was looked for. */
export type NumberPosition = { readonly position: number; readonly isThere: boolean };

/** How far the rows and results of a run reach. */
export type StoredRange = {
  /** Position of the last row; 0: there is none. */
  readonly lastRow: number;
  /** Position of the last row that has results; 0: there is none. */
  readonly lastResult: number;
  /** True if the rows go by numbers that are not their positions. */
  readonly hasNumbers: boolean;
};

/** A piece of a row, or of outputs, too large to be read at once. */
export type PieceAddress = {
  readonly owner: RowOwner;
  readonly of: 'rows' | 'outputs';
  /** First row of the batch. */
  readonly firstRow: number;
  /** Index of the piece, from 0. */
  readonly piece: number;
};

/** The questions of `BatchQueries`, whatever answers them. */
export type BatchReads = Pick<BatchQueries, keyof BatchQueries>;

export class BatchQueries {
  readonly #sql: Statements;

  constructor(database: Database) {
    this.#sql = new Statements(database);
  }

  /** The batch that holds a row, by the row's position; undefined past the last one. Throws `data_unreadable`, `run_not_found`. */
  rowBatch(owner: RowOwner, row: number): NewRowBatch | undefined {
    const number = this.#numberOf(owner);
    const found = this.#sql.get<RowColumns>(
      `select id, first_row, rows, lines, lines_crc, numbers, numbers_crc, reused, reused_crc from row_batches
       where id > ? and id <= ? order by id desc limit 1`,
      batchId(number, 0),
      batchId(number, row),
    );
    if (found === undefined) return undefined;
    const { id, first_row: firstRow, rows } = found;
    const part = (name: 'lines' | 'numbers' | 'reused', label: string): Uint8Array | undefined =>
      checkedBlob(found[name], found[`${name}_crc`], { owner, name: label, id, firstRow, rows });
    const batch = {
      firstRow,
      rows,
      lines: part('lines', 'text'),
      numbers: part('numbers', 'row numbers'),
      reused: part('reused', 'reused values'),
    };
    // After the checksums: what a damaged batch says of its rows means nothing.
    return row < firstRow + rows ? batch : undefined;
  }

  /** How far the rows and results of a run reach. Throws `run_not_found`. */
  extent(runId: string): StoredRange {
    const owner = this.#numberOf({ runId });
    const lastOf = (table: 'row_batches' | 'output_batches'): number =>
      this.#sql.get<{ last: number }>(
        `select first_row + rows - 1 as last from ${table} where id > ? and id < ? order by id desc limit 1`,
        batchId(owner, 0),
        batchId(owner + 1, 0),
      )?.last ?? 0;
    return {
      lastRow: lastOf('row_batches'),
      lastResult: lastOf('output_batches'),
      hasNumbers: this.#firstNumber(owner) !== undefined,
    };
  }

  /** Numbers of consecutive rows, encoded; undefined where numbers are positions. Throws as `rowBatch`. */
  rowNumbers(runId: string, firstRow: number, rows: number): Uint8Array | undefined {
    const owner = this.#numberOf({ runId });
    if (this.#firstNumber(owner) === undefined) return undefined;
    const found = new Uint8Array(rows * rowNumberBytes);
    for (let row = firstRow; row < firstRow + rows;) {
      const batch = this.#numbersAt(runId, owner, row);
      if (batch === undefined) throw dataUnreadable(`run ${runId} has no row ${row}`);
      const numbers = batch.numbers.subarray((row - batch.firstRow) * rowNumberBytes);
      const offset = (row - firstRow) * rowNumberBytes;
      found.set(numbers.subarray(0, found.length - offset), offset);
      row = batch.firstRow + batch.rows;
    }
    return found;
  }

  /**
   * The position of the row with that number; where there is none, of the next one. Undefined where numbers are
   * positions. Throws as `rowBatch`.
   */
  positionOfNumber(runId: string, number: number): NumberPosition | undefined {
    const owner = this.#numberOf({ runId });
    const first = this.#firstNumber(owner);
    if (first === undefined) return undefined;
    if (number < first) return { position: 1, isThere: false };
    const found = this.#sql.get<{ first_row: number }>(
      'select first_row from row_batches where id > ? and id < ? and first_number <= ? order by id desc limit 1',
      batchId(owner, 0),
      batchId(owner + 1, 0),
      number,
    );
    const batch = this.#numbersAt(runId, owner, found?.first_row ?? 1);
    if (batch === undefined) return { position: 1, isThere: false };
    const numbers = decodeRowNumbers(batch.numbers);
    const index = numbers.findIndex((one) => one >= number);
    return {
      position: batch.firstRow + (index < 0 ? batch.rows : index),
      isThere: numbers[index] === number,
    };
  }

  /**
   * One part of the results of consecutive rows from the commit on that holds a row: of that commit, and of small ones
   * after it. Undefined past the last commit. Throws as `rowBatch`.
   */
  outputBatch(runId: string, row: number, part: OutputPart): OutputBatchPart | undefined {
    const owner = this.#numberOf({ runId });
    const start = this.#sql.get<{ id: number }>(
      'select id from output_batches where id > ? and id <= ? order by id desc limit 1',
      batchId(owner, 0),
      batchId(owner, row),
    );
    if (start === undefined) return undefined;
    const batches = this.#sql.iterate<StoredPart>(
      `select id, first_row, rows, ${part} as bytes, ${part}_crc as crc from output_batches
       where id >= ? and id < ? order by id`,
      start.id,
      batchId(owner + 1, 0),
    );
    const found = gatherBatches(batches, part, { runId });
    return found === undefined || row >= found.firstRow + found.rows ? undefined : found;
  }

  /** Position of the first row of the next commit, from that row on, in which rows failed. */
  nextFailedBatch(runId: string, row: number): number | undefined {
    const number = this.#numberOf({ runId });
    return this.#sql.get<{ first_row: number }>(
      'select first_row from output_batches where id >= ? and id < ? and rows_failed > 0 order by id limit 1',
      batchId(number, row),
      batchId(number + 1, 0),
    )?.first_row;
  }

  /** A piece of a row, or of outputs, too large to be read at once; undefined after the last one. */
  piece({ owner, of, firstRow, piece }: PieceAddress): Uint8Array | undefined {
    const id = batchId(this.#numberOf(owner), firstRow);
    const found = this.#sql.get<{ bytes: Uint8Array; crc: number }>(
      'select bytes, crc from pieces where kind = ? and batch = ? and piece = ?',
      of === 'rows' ? 0 : 1,
      id,
      piece,
    );
    return found && checkedBlob(found.bytes, found.crc, { owner, name: of, id, firstRow, rows: piece });
  }

  /** The number of the owner's first row; undefined where numbers are positions. */
  #firstNumber(owner: number): number | undefined {
    const found = this.#sql.get<{ first_number: number | null }>(
      'select first_number from row_batches where id > ? and id < ? order by id limit 1',
      batchId(owner, 0),
      batchId(owner + 1, 0),
    );
    return found?.first_number ?? undefined;
  }

  #numbersAt(runId: string, owner: number, row: number): NumbersBatch | undefined {
    const found = this.#sql.get<Pick<RowColumns, 'id' | 'first_row' | 'rows' | 'numbers' | 'numbers_crc'>>(
      `select id, first_row, rows, numbers, numbers_crc from row_batches
       where id > ? and id <= ? order by id desc limit 1`,
      batchId(owner, 0),
      batchId(owner, row),
    );
    if (found === undefined) return undefined;
    const { id, first_row: firstRow, rows } = found;
    const batch = { owner: { runId }, name: 'row numbers', id, firstRow, rows };
    const numbers = checkedBlob(found.numbers, found.numbers_crc, batch);
    return numbers === undefined || row >= firstRow + rows ? undefined : { firstRow, rows, numbers };
  }

  #numberOf(owner: RowOwner): number {
    const found =
      'runId' in owner
        ? this.#sql.get<{ number: number }>('select number from runs where run_id = ?', owner.runId)
        : this.#sql.get<{ number: number }>('select number from row_sets where set_id = ?', owner.setId);
    if (found === undefined) throw 'runId' in owner ? runNotFound() : rowSetNotFound();
    return found.number;
  }
}
