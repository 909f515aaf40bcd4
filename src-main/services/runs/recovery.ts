// Decides how a run goes on after crashes of the process that executes it: whether it has ended already, how often it is
// tried again, and after which delay.
import type { Clock } from '../../base/clock.ts';
import { describeFailure } from '../../domain/run/row-failure.ts';
import { wasCancelled, type RowCounts, type Run } from '../../domain/run/run.ts';
import type { Plan } from '../../executor/plan.ts';
import type { RunReading, RunResults } from '../ports.ts';
import type { RunRecordWriter } from './run-record-writer.ts';

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
const withRecovery = (run: Run, committedRows: number): Run => ({
  ...run,
  fruitlessRecoveries: committedRows > run.rowsAtRecovery ? 0 : run.fruitlessRecoveries + 1,
  rowsAtRecovery: committedRows,
});

/** The error of a run that was executing in too many crashes; undefined for other runs. */
export const interruption = ({ fruitlessRecoveries: failedRecoveries }: Run): string | undefined =>
  failedRecoveries < maxFailedRecoveries
    ? undefined
    : `Interrupted: Rowbench ended ${failedRecoveries} times while this run was executing, without a row being finished`;

/** The end of a run that cannot go on. */
type End = { readonly move: 'cancel' | 'fail'; readonly error?: string };

type OpenedRun = {
  readonly plan: Plan;
  readonly results: Pick<RunResults, 'counts' | 'committedRows'>;
  readonly store: Pick<RunReading, 'readFailures'>;
};

/** The end of a run whose last row was committed before a crash, but not its end; undefined: it has rows left to run. */
async function unrecordedEnd(runId: string, { plan, results, store }: OpenedRun): Promise<End | undefined> {
  if (wasCancelled(results.counts)) return { move: 'cancel' };
  if (plan.onRowError !== 'fail' || results.counts.rowsFailed === 0) return undefined;
  const [failure] = await store.readFailures(runId, 1);
  return { move: 'fail', error: failure === undefined ? 'A row failed' : describeFailure(failure) };
}

/** Recovery of one run after crashes and shortages. */
export class RunRecovery {
  readonly #clock: Clock;
  /** True until the crash is counted against the run. */
  #hasCrashed = false;
  /** The run does not start again before, in monotonic ms. */
  #notBefore = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Time in ms until the run may start again; not above 0: at once. */
  get delayMs(): number {
    return this.#notBefore - this.#clock.monotonic();
  }

  /** Notes that the process ended while the run was executing. */
  noteCrash(run: Run, counts: RowCounts): void {
    this.#hasCrashed = true;
    this.#notBefore = this.#clock.monotonic() + recoveryDelayMs(run, counts);
  }

  /** Notes that the system is short of something that the run needs. */
  noteShortage(): void {
    this.#notBefore = this.#clock.monotonic() + shortageDelayMs;
  }

  /**
   * Counts a crash against a running run when it begins again.
   * @returns the end of a run that cannot go on; undefined: it goes on
   */
  async endOf(record: RunRecordWriter, opened: OpenedRun): Promise<End | undefined> {
    const end = await unrecordedEnd(record.stored.runId, opened);
    if (end !== undefined || !this.#hasCrashed) return end;
    this.#hasCrashed = false;
    if (record.latest.status !== 'running') return undefined;
    const error = interruption(await record.save(withRecovery(record.latest, opened.results.committedRows)));
    return error === undefined ? undefined : { move: 'fail', error };
  }
}
