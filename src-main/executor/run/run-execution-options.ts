// Options of a run's execution, and its possible outcomes.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { RunningRow } from '../../domain/run/run.ts';
import type { TraceDetail } from '../../domain/results/trace-form.ts';
import type { BudgetOptions } from './token-budget.ts';
import type { Plan, RowScenario, RunSeed } from '../plan.ts';
import type { OutputSink, RowReader, Upstream } from '../ports.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

export type ExecutionOutcome =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'stopped' };

/** Progress of rows that are not committed yet. */
export type LiveProgress = {
  /** Rows that have ended and cannot be committed yet, and the row that they wait for; undefined: there are none. */
  readonly waiting: { readonly rows: number; readonly forRow: number } | undefined;
  /** Rows that have ended and are not committed yet. */
  readonly unsaved: { readonly rowsDone: number; readonly rowsFailed: number };
  readonly running: readonly RunningRow[];
};

export type RunExecutionOptions = {
  readonly runId: string;
  readonly plan: Plan;
  readonly seed: RunSeed;
  readonly reader: RowReader;
  readonly sink: OutputSink;
  readonly pool: WorkerPool;
  /** Key of its workers in the pool, if not the plan's own: executions with the same key share them. */
  readonly planKey?: string | undefined;
  readonly upstream: Upstream;
  /** Clock for the rows' waits; a virtual clock skips them once every started row waits. */
  readonly clock: Clock;
  readonly log: Log;
  /** Rows that the reader has left, the first of them at position `firstRow`. */
  readonly rowsLeft: number;
  readonly firstRow: number;
  readonly scenario?: RowScenario;
  /** Breakpoints: no row after such a position starts until the run was paused and resumed. */
  readonly breakpoints?: readonly number[];
  /** Absent: models may use any number of tokens. */
  readonly budget?: BudgetOptions | undefined;
  /** Detail of the traces; default `usual`. */
  readonly detail?: TraceDetail;
  /** Bytes of the traces that earlier executions of the run have kept. */
  readonly traceBytes?: number;
  /** Bytes of traces above which only the reasons of failures are stored; default: the usual limit. */
  readonly maxTraceBytes?: number | undefined;
  /** Rows of the first batch; default: one where rows may wait, else 32. */
  readonly firstBatchRows?: number;
  /** Called when `progress` may have changed, often many times a second. */
  readonly onProgress?: () => void;
  readonly onCommit?: () => void;
  /** Called at the start and after commits while `isAtLimit`. */
  readonly onLimit?: () => void;
};
