// Decides how a run goes on after crashes of the process that executes it: whether it has ended already, how often it is
// tried again, and after which delay.
import { describeFailure } from '../domain/run/row-failure.ts';
import { wasCancelled, type RowCounts, type Run } from '../domain/run/run.ts';
import type { Plan } from '../executor/plan.ts';
import type { RunReading, RunResults } from './ports.ts';

/**
 * Maximum crashes in a row, with no row finished between them, before the run that was executing counts as their cause
 * and fails. Rows run in other processes, so most crashes are power cuts or kills from outside: failing an accepted run
 * for those would break the promise, while a few more restarts cost little.
 */
const maxFailedRecoveries = 10;
/**
 * Delay in ms after the second such crash; it doubles with each further one. A process that ends sooner counts no crash
 * against the run. If the run's rows do end the process, other runs get their turn first.
 */
const firstDelayMs = 2_000;
const maxDelayMs = 60_000;

/** Delay in ms before a run starts again after a shortage of the system. */
export const shortageDelayMs = 1000;

/** Delay in ms before a run starts again after crashes in a row without progress. */
export function recoveryDelayMs(
  { fruitlessRecoveries: failedRecoveries, rowsAtRecovery }: Run,
  { rowsDone, rowsFailed }: RowCounts,
): number {
  if (rowsDone + rowsFailed > rowsAtRecovery || failedRecoveries < 2) return 0;
  return Math.min(maxDelayMs, firstDelayMs * 2 ** (failedRecoveries - 2));
}

/** The record with one more crash counted; `committedRows`: rows that are committed now. */
export const withRecovery = (run: Run, committedRows: number): Run => ({
  ...run,
  fruitlessRecoveries: committedRows > run.rowsAtRecovery ? 0 : run.fruitlessRecoveries + 1,
  rowsAtRecovery: committedRows,
});

/** The error of a run that was executing in too many crashes; undefined for other runs. */
export const interruption = ({ fruitlessRecoveries: failedRecoveries }: Run): string | undefined =>
  failedRecoveries < maxFailedRecoveries
    ? undefined
    : `Interrupted: Rowbench ended ${failedRecoveries} times while this run was executing, without a row being finished`;

/** The end of a run whose last row was committed before a crash, but not its end; undefined: it has rows left to run. */
export async function unrecordedEnd(
  runId: string,
  {
    plan,
    results,
    store,
  }: {
    readonly plan: Plan;
    readonly results: Pick<RunResults, 'counts'>;
    readonly store: Pick<RunReading, 'readFailures'>;
  },
): Promise<{ readonly move: 'cancel' | 'fail'; readonly error?: string } | undefined> {
  if (wasCancelled(results.counts)) return { move: 'cancel' };
  if (plan.onRowError !== 'fail' || results.counts.rowsFailed === 0) return undefined;
  const [failure] = await store.readFailures(runId, 1);
  return { move: 'fail', error: failure === undefined ? 'A row failed' : describeFailure(failure) };
}
