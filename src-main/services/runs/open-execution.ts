import { VirtualClock } from '../../base/virtual-clock.ts';
import { stopsOf } from '../../domain/run/run-decisions.ts';
import type { RowReader, Upstream } from '../../executor/ports.ts';
import { RunExecution } from '../../executor/run/run-execution.ts';
import type { RunExecutionOptions } from '../../executor/run/run-execution-options.ts';
import { RunCommitter, type CommitterDeps } from './run-committer.ts';
import { rowScenarioOf } from '../../executor/plan.ts';

/** Needed for the executions of all runs. */
export type ExecutionDeps = Pick<RunExecutionOptions, 'pool' | 'clock' | 'log' | 'maxTraceBytes'>;

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
