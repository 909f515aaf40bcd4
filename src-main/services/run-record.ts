import type { RowCounts, Run } from '../domain/run/run.ts';
import type { WaitingRows } from '../executor/run/commit-queue.ts';

/** A run and how far it has come, as they are stored. */
export type RunRecord = {
  readonly run: Run;
  readonly counts: RowCounts;
  /** Rows that have ended and wait for one before them. */
  readonly waiting?: WaitingRows | undefined;
};
