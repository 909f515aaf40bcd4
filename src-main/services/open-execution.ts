import { VirtualClock } from '../base/virtual-clock.ts';
import type { Run } from '../domain/run/run.ts';
import type { Plan } from '../executor/plan.ts';
import type { RowReader, Upstream } from '../executor/ports.ts';
import { RunExecution } from '../executor/run-execution.ts';
import type { RunExecutionOptions } from '../executor/run-execution-options.ts';
import type { OutputFile } from '../storage/output-file.ts';
import type { RunLifeParts } from './run-life-parts.ts';
import { rowScenarioOf, stopsOf } from './run-scenario.ts';

/** A run with all that its rows need. */
export type RunToExecute = {
  readonly run: Run;
  readonly plan: Plan;
  readonly reader: RowReader;
  readonly outputs: OutputFile;
  readonly upstream: Upstream;
};

/** The execution of the rows that are not committed yet. */
export function openExecution(
  { pool, clock, log, mostTraceBytes }: RunLifeParts,
  { run, plan, reader, outputs, upstream }: RunToExecute,
  { onCommit, onWaiting }: Required<Pick<RunExecutionOptions, 'onCommit' | 'onWaiting'>>,
): RunExecution {
  // One by one: an object that begins as a copy of another one takes the engine's slow way for all that follows.
  return new RunExecution({
    onCommit,
    onWaiting,
    runId: run.runId,
    plan,
    seed: run.seed,
    reader,
    sink: outputs,
    pool,
    upstream,
    clock: run.clock === 'virtual' ? new VirtualClock(run.seed.time) : clock,
    log,
    traceBytes: outputs.traceBytes,
    mostTraceBytes,
    firstRow: outputs.committedRows + 1,
    rowsLeft: run.rows - outputs.committedRows,
    scenario: rowScenarioOf(run),
    stops: stopsOf(run),
  });
}
