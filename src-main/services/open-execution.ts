import { VirtualClock } from '../base/virtual-clock.ts';
import type { Run } from '../domain/run/run.ts';
import type { Plan } from '../executor/plan.ts';
import type { OutputSink, RowReader, Upstream } from '../executor/ports.ts';
import { RunExecution } from '../executor/run/run-execution.ts';
import type { RunExecutionOptions } from '../executor/run/run-execution-options.ts';
import type { RunResults } from './ports.ts';
import { rowScenarioOf, stopsOf } from './run-scenario.ts';

/** Needed for the executions of all runs. */
export type ExecutionDeps = Pick<RunExecutionOptions, 'pool' | 'clock' | 'log' | 'maxTraceBytes'>;

/** A run with all that its rows need. */
export type RunToExecute = {
  readonly run: Run;
  readonly plan: Plan;
  readonly reader: RowReader;
  readonly results: Pick<RunResults, 'traceBytes' | 'committedRows'>;
  readonly sink: OutputSink;
  readonly upstream: Upstream;
};

/** The execution of the rows that are not committed yet. */
export function openExecution(
  { pool, clock, log, maxTraceBytes }: ExecutionDeps,
  { run, plan, reader, results, sink, upstream }: RunToExecute,
  { onCommit, onProgress }: Required<Pick<RunExecutionOptions, 'onCommit' | 'onProgress'>>,
): RunExecution {
  return new RunExecution({
    onCommit,
    onProgress,
    runId: run.runId,
    plan,
    seed: run.seed,
    reader,
    sink,
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
  });
}
