// What the executor needs of the outside. Storage's classes fit these shapes; services pass them in.
import type { RowFailure } from '../domain/run/row-failure.ts';

/** Consecutive rows as bytes: one line of JSON each, every line ended by a newline. Never parsed in this process. */
export type RowBatch = {
  /** Number of the first row, from 1. */
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Uint8Array;
};

/** Hands out a run's rows in order, from the row after the last committed one. */
export interface RowReader {
  /** The next rows, at least one and within both bounds (one row may exceed `maxBytes`); undefined at the end. */
  next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined>;
  close(): Promise<void>;
}

/** The results of consecutive rows. */
export type BatchResult = {
  readonly rows: number;
  /** One line a row, each ended by a newline; an empty line for a row that has no output. */
  readonly outputs: Uint8Array;
  /** `rowStateBytes` a row. */
  readonly states: Uint8Array;
  readonly failures: readonly RowFailure[];
};

/** Takes results in row order. When `commit` resolves they survive a power cut. */
export interface OutputSink {
  commit(result: BatchResult): Promise<void>;
}
