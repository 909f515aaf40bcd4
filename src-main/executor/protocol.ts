// All messages between the main process and a row worker. Rows and outputs are sent as bytes of JSON text, the plan as
// JSON text: the main process never rebuilds objects from values that author code made.
import type { BatchResult } from '../domain/run/stored-run.ts';
import type { TraceDetail } from '../domain/results/trace-form.ts';
import type { CallOrigin, RowBatch, UpstreamAnswer, UpstreamRequest } from './ports.ts';
import type { RowScenario, RunSeed } from './plan.ts';

/** A node at which an earlier try of the row lost its worker: it fails at once instead of running again. */
export type PresetFailure = { readonly nodeId: string; readonly message: string; readonly attempts: number };

/** Rows handed to one worker. */
export type WorkerBatch = RowBatch & {
  readonly id: number;
  /** True if the worker announces each node attempt, so that the node is known if the worker is killed. */
  readonly isolated: boolean;
  readonly presetFailures: readonly PresetFailure[];
  /** Detail of the traces of its rows. */
  readonly detail: TraceDetail;
};

export type LoadRun = {
  readonly type: 'load';
  /** Null: the plan of the previous run of the worker. */
  readonly planText: string | null;
  readonly seed: RunSeed;
  readonly scenario: RowScenario;
  /** Time limit of one attempt of one node on one row (or one item of its `each`), in ms. */
  readonly timeLimitMs: number;
  /** Maximum rows of this run that are in flight in this worker. */
  readonly rowsInFlight: number;
  /** True if the worker reports when all its rows wait; only a virtual clock needs that. */
  readonly reportsIdle: boolean;
};

/** Main process to worker. */
export type ToWorker =
  | LoadRun
  | { readonly type: 'batch'; readonly batch: WorkerBatch }
  | { readonly type: 'wait-ended'; readonly wait: number }
  | CallAnswered
  | CallDeferred
  | CallClaimed
  | { readonly type: 'pause'; readonly pauseId: number }
  | { readonly type: 'resume' };

export type NodeStarted = {
  readonly type: 'node-started';
  readonly nodeId: string;
  /** From 1. */
  readonly attempt: number;
  /** Maximum computing time of the attempt, in ms, and the error of the row if it takes longer. */
  readonly allowedMs: number;
  readonly timeoutMessage: string;
};

export type BatchDone = {
  readonly type: 'batch-done';
  readonly batchId: number;
  /**
   * The results; shorter than the batch if a failed row, which is then the last one, ends the run. Otherwise a shorter
   * result is a part: the rest of the batch goes on under the same id.
   */
  readonly result: BatchResult;
  readonly endsRun: boolean;
};

/** A row waits `ms`. The main process measures the time, since it has the clock and stops it in a pause. */
export type WaitRequested = {
  readonly type: 'wait';
  readonly wait: number;
  readonly batchId: number;
  readonly ms: number;
  /** Number of the row, and the node of the run's workflow that it waits in. */
  readonly row: number;
  readonly nodeId: string;
};

/** A row requests a call to the outside; a worker has no network. */
export type CallRequested = {
  readonly type: 'call';
  readonly call: number;
  readonly batchId: number;
  readonly origin: CallOrigin;
  readonly request: UpstreamRequest;
  /** The claimed call in whose workflow the row makes this one. */
  readonly claim?: number | undefined;
};

/** A row has run a workflow that rows share. The reply is that of the claimed call. */
export type ClaimEnded = WorkflowEnd & {
  readonly type: 'claim-ended';
  readonly claim: number;
  /** Id of the reply. */
  readonly call: number;
  readonly batchId: number;
};

export type WorkflowEnd = {
  /** JSON of the output, or of the failure (`worker/workflow-once.ts`). */
  readonly text: string;
  readonly hasFailed: boolean;
};

/** The row could not run the workflow to its end: another row that waits for it runs it anew. */
export type ClaimReleased = { readonly type: 'claim-released'; readonly claim: number };

/** The answer to a call, and its duration in whole ms of the run's clock. */
export type CallAnswered = {
  readonly type: 'call-answered';
  readonly call: number;
  readonly answer: UpstreamAnswer;
  readonly ms: number;
  /** Wait for the rate limit before the call began, in whole ms; absent without a wait. */
  readonly waitedMs?: number;
};

/** The run was paused before the call began: the row requests it again when the run goes on. */
export type CallDeferred = { readonly type: 'call-deferred'; readonly call: number };

/** The row runs the workflow of the call, for all rows that wait for it. */
export type CallClaimed = {
  readonly type: 'call-claimed';
  readonly call: number;
  /** 32-bit unsigned: takes the place of the row in random numbers. */
  readonly seed: number;
  /** How often this process has run it, from 1. */
  readonly attempt: number;
  /** How long the row has waited for rows that did not end it, in whole ms. */
  readonly waitedMs: number;
};

/** Worker to main process. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** Heartbeat of a busy worker. */
  | { readonly type: 'alive' }
  /** The worker could not load the run: a bug of Rowbench, not the fault of a row. */
  | { readonly type: 'load-failed'; readonly message: string }
  | NodeStarted
  | WaitRequested
  | CallRequested
  | ClaimEnded
  | ClaimReleased
  | BatchDone
  /** Every started row waits. `heard` is the number of batches and ended waits that had arrived by then. */
  | { readonly type: 'idle'; readonly heardMessages: number }
  /** Answer to a pause: no node attempt runs, and none will start before `resume`. */
  | { readonly type: 'paused'; readonly pauseId: number };
