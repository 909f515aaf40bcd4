import type { RowCounts, Run } from '../domain/run/run.ts';
import type { LiveProgress } from '../executor/run/run-execution-options.ts';

/** A run and how far it has come, as they are stored. */
export type RunRecord = {
  readonly run: Run;
  readonly counts: RowCounts;
  /** Progress of rows that are not stored; absent: the run is not executing. Only pages show it. */
  readonly progress?: LiveProgress | undefined;
};
