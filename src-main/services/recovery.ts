// Decides how often, and after which wait, a run is tried again after crashes of the process that executes it.
import type { RowCounts, Run } from '../domain/run/run.ts';

/**
 * Crashes that a run may be executing in, one after the other with no row finished between them, before it is taken for
 * their cause. Rows run in other processes, so a crash is far more often a power cut or a kill from outside: to fail an
 * accepted run for those would break the promise, while a few more restarts cost little.
 */
const maxFailedRecoveries = 10;
/**
 * After two of those it waits before it is tried again, each time twice as long, in ms: a process that never lives that
 * long counts no further against it, and one that its rows do end has time for other runs first.
 */
const firstDelayMs = 2_000;
const maxDelayMs = 60_000;

/** Wait, in ms, before a run starts again after a shortage of the system. */
export const shortageRestMs = 1000;

/** How long a run rests after so many crashes in a row without progress, in ms. */
export function recoveryDelayMs(
  { fruitlessRecoveries: failedRecoveries, rowsAtRecovery }: Run,
  { rowsDone, rowsFailed }: RowCounts,
): number {
  if (rowsDone + rowsFailed > rowsAtRecovery || failedRecoveries < 2) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (failedRecoveries - 2));
}

/** The record with one more crash noted, after which `committedRows` are there. */
export const withRecovery = (run: Run, committedRows: number): Run => ({
  ...run,
  fruitlessRecoveries: committedRows > run.rowsAtRecovery ? 0 : run.fruitlessRecoveries + 1,
  rowsAtRecovery: committedRows,
});

/** The error with which a run ends that was in too many crashes; undefined for any other. */
export const interruption = ({ fruitlessRecoveries: failedRecoveries }: Run): string | undefined =>
  failedRecoveries < maxFailedRecoveries
    ? undefined
    : `Interrupted: Rowbench ended ${failedRecoveries} times while this run was executing, without a row being finished`;
