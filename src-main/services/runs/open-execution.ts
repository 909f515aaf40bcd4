import type { BatchResult } from '../../domain/run/stored-run.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { stopsOf, completedRun, completesWith } from '../../domain/run/run-decisions.ts';
import type { RowReader, Upstream, OutputSink } from '../../executor/ports.ts';
import { RunExecution } from '../../executor/run/run-execution.ts';
import type { RunExecutionOptions } from '../../executor/run/run-execution-options.ts';
import { rowScenarioOf, type Plan } from '../../executor/plan.ts';
import { type Clock, isoTime } from '../../base/clock.ts';
import type { Mutex } from '../../base/mutex.ts';
import type { RowCounts, Run } from '../../domain/run/run.ts';
import type { Settings } from '../../domain/settings.ts';
import type { RunExecutionStore, RunReading, RunRecords, RunResults, StoreHealth } from '../ports.ts';
import type { PlanCache } from './plan-cache.ts';
import type { RunRecordWriter } from './run-record-writer.ts';

/** Needed for the executions of all runs of this process. */
export type ExecutionDeps = Pick<RunExecutionOptions, 'pool' | 'clock' | 'log' | 'maxTraceBytes'> & {
  readonly store: RunReading & Pick<RunRecords, 'save' | 'listUnfinished'> & RunExecutionStore;
  readonly health: StoreHealth;
  readonly plans: PlanCache;
  readonly settings: () => Settings;
  readonly upstreamOf: (run: Run) => Promise<Upstream>;
  /** True if the process that had the data folder last ended without closing it. */
  readonly wasCrashed: boolean;
};

/** A run with all that its rows need. */
type RunToExecute = Pick<CommitterDeps, 'record' | 'mutex' | 'plan' | 'results'> & {
  readonly reader: RowReader;
  readonly upstream: Upstream;
  readonly budget: RunExecutionOptions['budget'];
};

type ExecutionListeners = Required<Pick<RunExecutionOptions, 'onCommit' | 'onLimit' | 'onProgress'>> &
  Pick<CommitterDeps, 'onStored'>;

/** Opens the execution of the rows that are not committed yet. */
export function openExecution(
  { pool, clock, log, maxTraceBytes }: ExecutionDeps,
  { record, mutex, plan, reader, results, upstream, budget }: RunToExecute,
  { onStored, ...listeners }: ExecutionListeners,
): RunExecution {
  const run = record.stored;
  // Recorded calls must be stored before the record says that the run has ended.
  const mayEndWithResults = upstream.close === undefined;
  return new RunExecution({
    ...listeners,
    runId: run.runId,
    plan,
    seed: run.seed,
    reader,
    sink: new RunCommitter({ results, record, mutex, plan, mayEndWithResults, clock, onStored }),
    pool,
    upstream,
    clock: run.clock === 'virtual' ? new VirtualClock(run.seed.time) : clock,
    log,
    traceBytes: results.traceBytes,
    maxTraceBytes,
    firstRow: results.committedRows + 1,
    rowsLeft: run.rows - results.committedRows,
    scenario: rowScenarioOf(run),
    breakpoints: stopsOf(run),
    budget,
  });
}

// Stores the results of a run as the executor hands them over. A start that is not stored yet, or the end of the run,
// is stored in the same transaction, unless another change of the record is under way.
// Who calls: ActiveRun opens one for each execution.

type CommitterDeps = {
  readonly results: RunResults;
  readonly record: RunRecordWriter;
  /** Locked while the record changes. */
  readonly mutex: Mutex;
  readonly plan: Plan;
  /** True if nothing else has to be stored before the run says that it has ended. */
  readonly mayEndWithResults: boolean;
  readonly clock: Clock;
  /** Called with what is stored, before the changed record is published. */
  readonly onStored: (counts: RowCounts) => void;
};

class RunCommitter implements OutputSink {
  readonly #deps: CommitterDeps;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  async commit(batch: BatchResult): Promise<void> {
    const { results, mutex, onStored } = this.#deps;
    // Never waits for the mutex: a cancel holds it while it waits for the results that are under way.
    if (!mutex.isLocked) return mutex.run(() => this.#commitWithRecord(batch));
    await results.commit(batch);
    onStored(results.counts);
  }

  async #commitWithRecord(batch: BatchResult): Promise<void> {
    const { results, record, plan, mayEndWithResults, clock, onStored } = this.#deps;
    const run = record.latest;
    const counts = results.countsWith(batch);
    const ends = mayEndWithResults && run.status === 'running' && completesWith(run, counts, plan);
    const changed = ends
      ? record.stamped(completedRun(run, { at: isoTime(clock), counts }))
      : record.unsavedStart;
    await results.commit(batch, changed);
    onStored(counts);
    if (changed !== undefined) record.noteStored(changed);
  }
}
