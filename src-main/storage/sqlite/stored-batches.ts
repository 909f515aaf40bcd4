// The shapes in which rows and results go to the storage thread and come back from it.
import type { RunStatistics } from '../../domain/results/run-statistics.ts';
import type { RowCounts } from '../../domain/run/run.ts';

/** Consecutive rows, as they are stored. */
export type NewRowBatch = {
  /** Position, from 1. */
  readonly firstRow: number;
  readonly rows: number;
  /** Whole lines, each ended by a newline. Undefined: the batch is one large row, stored as pieces. */
  readonly lines: Uint8Array | undefined;
  /** Row numbers, encoded; undefined where numbers are positions. */
  readonly numbers?: Uint8Array | undefined;
  /** Reused node values, one line a row. */
  readonly reused?: Uint8Array | undefined;
};

/** A part of a line that is too large to be stored at once. */
export type NewPiece = { readonly firstRow: number; readonly piece: number; readonly bytes: Uint8Array };

/** Results of consecutive rows, as they are stored. */
export type NewOutputBatch = {
  readonly firstRow: number;
  readonly rows: number;
  readonly rowsFailed: number;
  readonly outputs: Uint8Array;
  readonly states: Uint8Array;
  readonly trace: Uint8Array;
};

/** The answer to a call that rows of a run share, as bytes that the executor reads. */
export type NewSharedAnswer = { readonly version: number; readonly bytes: Uint8Array };

export type OutputPart = 'outputs' | 'states' | 'trace';

export type OutputBatchPart = {
  readonly firstRow: number;
  readonly rows: number;
  /** Undefined for outputs: they are too large, and are read piece by piece. Undefined for a trace: there is none. */
  readonly bytes?: Uint8Array;
};

/** Counts and statistics of the committed results of a run, or of some of its rows. */
export type CommittedProgress = {
  readonly counts: RowCounts;
  readonly traceBytes: number;
  readonly statistics?: RunStatistics | undefined;
};

/** Who owns rows. */
export type RowOwner = { readonly runId: string } | { readonly setId: string };

/** The owner in a message. */
export const nameOfOwner = (owner: RowOwner): string =>
  'runId' in owner ? `run ${owner.runId}` : `row set ${owner.setId}`;
