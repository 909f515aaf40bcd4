// Every message that crosses between the main process and a row worker. Rows and outputs cross as bytes of JSON
// text, the plan as JSON text: nothing that an author's code made is ever rebuilt as objects in the main process.
import type { TraceDetail } from '../domain/run/trace-form.ts';
import type { BatchResult, CallOrigin, RowBatch, UpstreamAnswer, UpstreamRequest } from './ports.ts';
import type { RowScenario, RunSeed } from './plan.ts';

/** A node that an earlier try of the row did not survive: it fails at once instead of being tried again. */
export type PresetFailure = { readonly nodeId: string; readonly message: string; readonly attempts: number };

/** Rows handed to one worker. */
export type WorkerBatch = RowBatch & {
  readonly id: number;
  /** The start of each node attempt is announced first, so that a kill names the culprit. */
  readonly isolated: boolean;
  readonly presetFailures: readonly PresetFailure[];
  /** How much is kept of its rows. */
  readonly detail: TraceDetail;
};

export type LoadRun = {
  readonly type: 'load';
  /** Null: of the run that the worker was given before. */
  readonly planText: string | null;
  readonly seed: RunSeed;
  readonly scenario: RowScenario;
  /** For one attempt of one node on one row (or one item of its `each`), in ms. */
  readonly timeLimitMs: number;
  /** Rows of this run that may be started and not ended at once in this worker. */
  readonly rowsInFlight: number;
  /** True if to say so when all that is left to do is to wait; only a virtual clock wants to know. */
  readonly reportsIdle: boolean;
};

/** Main process to worker. */
export type ToWorker =
  | LoadRun
  | { readonly type: 'batch'; readonly batch: WorkerBatch }
  | { readonly type: 'wait-ended'; readonly wait: number }
  | CallAnswered
  | { readonly type: 'pause'; readonly pauseId: number }
  | { readonly type: 'resume' };

export type NodeStarted = {
  readonly type: 'node-started';
  readonly nodeId: string;
  /** From 1. */
  readonly attempt: number;
  /** How long the attempt may compute, in ms, and what the row is told when it takes longer. */
  readonly allowedMs: number;
  readonly timeoutMessage: string;
};

export type BatchDone = {
  readonly type: 'batch-done';
  readonly batchId: number;
  /** Shorter than the batch when the plan ends at the first failed row: that row is then the last. */
  readonly result: BatchResult;
  readonly endsRun: boolean;
};

/** A row asks to be woken in `ms`; the main process answers, since its clock and its pause gate rule. */
export type WaitRequested = {
  readonly type: 'wait';
  readonly wait: number;
  readonly batchId: number;
  readonly ms: number;
};

/** A row asks for something from outside; a worker has no network of its own. */
export type CallRequested = {
  readonly type: 'call';
  readonly call: number;
  readonly batchId: number;
  readonly origin: CallOrigin;
  readonly request: UpstreamRequest;
};

/** The answer to the call of that number, and how long it took: whole ms of the run's clock. */
export type CallAnswered = {
  readonly type: 'call-answered';
  readonly call: number;
  readonly answer: UpstreamAnswer;
  readonly ms: number;
};

/** Worker to main process. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** Nothing but a sign of life. */
  | { readonly type: 'alive' }
  /** The run could not be set up at all: a fault of Rowbench, not of a row. */
  | { readonly type: 'load-failed'; readonly message: string }
  | NodeStarted
  | WaitRequested
  | CallRequested
  | BatchDone
  /** Nothing computes: every row begun waits. Of the batches and ends of waits sent, `heard` had arrived by then. */
  | { readonly type: 'idle'; readonly heardMessages: number }
  /** Answer to the `nth` pause: no node attempt runs, and none will start before `resume`. */
  | { readonly type: 'paused'; readonly pauseId: number };
