// Runs a few rows of a draft workflow in its preview worker: a worker that has served earlier drafts of the same workflow.
// Who calls: PreviewService. Rows run one after another, each node attempt is announced, and waits end at once, since
// no other row could use them.
// INVARIANT: when `previewRows` has resolved, no node of the draft runs any more, or its worker has been killed.
import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { describeDuration } from '../../domain/duration.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { Plan, RunSeed } from '../plan.ts';
import { withOwnWorkflows } from '../upstream/share-equal-calls.ts';
import { Watchdog } from '../pool/watchdog.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import type { RowWorker, WorkerLoss } from '../pool/row-worker.ts';
import type { Upstream } from '../ports.ts';
import type { BatchDone, FromWorker, NodeStarted, PresetFailure } from '../protocol.ts';
import { answerCall, AnswerLock, RowRequests } from './answer-call.ts';
import { plannedCalls } from './planned-calls.ts';
import { WorkflowClaims } from './workflow-claims.ts';
import { RowSessions } from './row-sessions.ts';
import { WarmWorker } from './warm-worker.ts';
import { WorkerSlot } from './worker-slot.ts';

export type PreviewOptions = {
  /** Idempotency keys of its calls begin with it. */
  readonly previewId: string;
  /** Pool of preview workers. */
  readonly pool: WorkerPool;
  /** Key of the worker in the pool: previews of one workflow share it, whatever their plan. */
  readonly planKey: string;
  readonly plan: Plan;
  /** Plan that runs instead if the first one is stopped; absent: the same one. */
  readonly planIfStopped?: Plan | undefined;
  /** The node that cannot end either if this one does not; undefined: not known. */
  readonly stoppedWith?: (nodeId: string) => string | undefined;
  readonly seed: RunSeed;
  readonly rows: readonly PreviewRow[];
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Maximum computing time of all rows, in ms. */
  readonly maxComputingMs: number;
  /** Aborting ends the preview; the rows that have ended by then are returned. */
  readonly signal: AbortSignal;
};

export type PreviewRow = {
  /** Unique among the rows. */
  readonly number: number;
  /** JSON on one line. */
  readonly json: string;
  /** Values of nodes that do not run, as a line of `worker/row-run.ts`; absent for none. */
  readonly reusedValues?: string;
};

type EndedPreviewRow = {
  readonly number: number;
  /** Line of the trace. */
  readonly trace: string;
  /** Absent: the row failed. */
  readonly output?: string;
  /** True if the node that stopped an earlier row did not run in this one. */
  readonly isCutShort?: true;
};

/** Why a preview stopped, and where. */
export type PreviewStop = {
  readonly cause: WorkerLoss['cause'];
  readonly message: string;
  readonly row: number;
  /** Absent: no node had begun. */
  readonly nodeId?: string;
};

export type PreviewEnd = {
  /** In the order in which they ended. */
  readonly rows: readonly EndedPreviewRow[];
  /** Absent: all rows have ended, or the preview was aborted. */
  readonly stop?: PreviewStop;
  /** Plan of these rows. */
  readonly plan: Plan;
};

/** An aborted preview may end by itself for this time, in ms: its worker then serves the next one, which saves a start. */
const abortGraceMs = 50;

/**
 * Rejects when no worker can be started. A row that exceeds a limit stops the preview. The rows that had not ended then
 * run once more up to the node that stopped it, which fails in all of them, so that the values before it are known.
 */
export async function previewRows(options: PreviewOptions): Promise<PreviewEnd> {
  const warm = new WarmWorker(options);
  try {
    return await previewWith(warm, options);
  } finally {
    warm.close();
  }
}

async function previewWith(warm: WarmWorker, options: PreviewOptions): Promise<PreviewEnd> {
  const { plan, planIfStopped, signal } = options;
  const first = await new PreviewExecution(options, warm).run();
  const { stop } = first;
  if (stop === undefined || signal.aborted) return { ...first, plan };
  const { nodeId: stopped, message } = stop;
  const nodeId = planIfStopped === undefined ? stopped : stopped && options.stoppedWith?.(stopped);
  if (nodeId !== undefined && stopped !== undefined && !first.isOverTotal) {
    const ended = new Set(first.rows.map(({ number }) => number));
    const rows = options.rows.filter(({ number }) => !ended.has(number));
    const failures = [...new Set([stopped, nodeId])].map((id) => ({ nodeId: id, message, attempts: 1 }));
    const again = await new PreviewExecution({ ...options, rows }, warm, failures).run();
    const cutShort = again.rows.map((row) => ({ ...row, isCutShort: true as const }));
    if (again.stop === undefined || planIfStopped === undefined)
      return { rows: [...first.rows, ...cutShort], stop: { ...stop, nodeId }, plan };
  }
  if (planIfStopped === undefined) return { ...first, plan };
  return previewWith(warm, { ...options, plan: planIfStopped, planIfStopped: undefined });
}

type ExecutionEnd = Omit<PreviewEnd, 'plan'> & { readonly isOverTotal: boolean };

class PreviewExecution {
  readonly #options: PreviewOptions;
  readonly #plan: Plan;
  readonly #warm: WarmWorker;
  readonly #presetFailures: readonly PresetFailure[];
  readonly #openRequests = new RowRequests();
  readonly #sessions = new RowSessions();
  readonly #workflows = new WorkflowClaims();
  readonly #ended = deferred<ExecutionEnd>();
  readonly #rows: EndedPreviewRow[] = [];
  readonly #timeoutMessage: string;
  #slot: WorkerSlot | undefined;
  #worker: RowWorker | undefined;
  #totalWatch: Watchdog | undefined;
  /** The last node attempt since a row ended. */
  #node: NodeStarted | undefined;
  #hasEnded = false;

  constructor(options: PreviewOptions, warm: WarmWorker, presetFailures: readonly PresetFailure[] = []) {
    this.#options = options;
    this.#warm = warm;
    // Every row is shown, also after one that failed.
    this.#plan = { ...options.plan, onRowError: 'skip' };
    this.#presetFailures = presetFailures;
    this.#timeoutMessage = timeLimitMessage(options.pool.timeLimitMs);
  }

  async run(): Promise<ExecutionEnd> {
    const { pool, planKey, signal, rows, clock } = this.#options;
    if (signal.aborted || rows.length === 0) return { rows: [], isOverTotal: false };
    const onAbort = (): void => {
      pool.withdraw(this);
      clock.setTimer(abortGraceMs, () => this.#end());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const worker = await this.#warm.lease(this).catch((error: unknown) => {
        // The pool was closed, too.
        if (signal.aborted) return undefined;
        throw error;
      });
      if (worker !== undefined && signal.aborted) pool.release(worker, planKey);
      if (worker === undefined || signal.aborted) return { rows: [], isOverTotal: false };
      this.#worker = worker;
      this.#start(worker);
      return await this.#ended.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #start(worker: RowWorker): void {
    const { pool, seed, clock, rows, maxComputingMs } = this.#options;
    this.#totalWatch = new Watchdog({
      clock,
      nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
      cpuMs: () => worker.cpuMs(),
      onSilent: () => this.#stop('time', `stopped after ${describeDuration(maxComputingMs)}`, true),
    });
    const slot = new WorkerSlot({
      worker,
      plan: this.#plan,
      mayWait: this.#plan.mayWait,
      load: {
        type: 'load',
        planText: JSON.stringify(this.#plan),
        seed,
        scenario: {},
        timeLimitMs: pool.timeLimitMs,
        rowsInFlight: 1,
        reportsIdle: false,
      },
      onMessage: (message) => this.#receive(slot, message),
      onLost: ({ cause, message }) => this.#stop(cause, cause === 'time' ? this.#timeoutMessage : message),
    });
    this.#slot = slot;
    this.#totalWatch.start(maxComputingMs);
    rows.forEach((row, index) => this.#sendRow(slot, row, index));
  }

  #sendRow(slot: WorkerSlot, { number, json, reusedValues }: PreviewRow, index: number): void {
    const row = {
      firstRow: index + 1,
      numbers: [number],
      rows: 1,
      bytes: Buffer.from(`${json}\n`),
      ...(reusedValues === undefined ? {} : { reusedValues: Buffer.from(`${reusedValues}\n`) }),
      isolated: true,
      presetFailures: this.#presetFailures,
      crashes: 0,
    };
    slot.sendBatch(row, this.#options.clock.monotonic(), 'full');
  }

  #receive(slot: WorkerSlot, message: FromWorker): void {
    if (this.#hasEnded) return;
    switch (message.type) {
      case 'batch-done':
        return this.#afterRow(slot, message);
      case 'node-started':
        this.#node = message;
        return;
      case 'wait':
        return slot.endWait(message.wait);
      case 'call': {
        const { previewId: runId, clock, upstream } = this.#options;
        const deps = {
          runId,
          clock,
          upstream: plannedCalls(this.#plan, withOwnWorkflows(upstream, { runId, clock })),
          openRequests: this.#openRequests,
          answerLock: new AnswerLock(),
          sessions: this.#sessions,
          workflows: this.#workflows,
          pauseSignal: () => undefined,
          onBroken: async (error: unknown) => this.#break(error),
        };
        return void answerCall(deps, slot, message);
      }
      case 'claim-ended':
      case 'claim-released':
        return this.#workflows.endClaim(slot, message);
      case 'load-failed':
        return this.#break(new Error(`A row worker could not take a draft: ${message.message}`));
      default:
    }
  }

  #afterRow(slot: WorkerSlot, done: BatchDone): void {
    const { batch } = slot.finishBatch(done, this.#options.clock.monotonic());
    this.#openRequests.cancelBatch(slot, done.batchId);
    this.#sessions.endRows(batch);
    const { failures, trace, outputs } = done.result;
    const [failure] = failures;
    const isSlow = failure !== undefined && this.#isOverLimit(failure);
    // It runs again, with the rest.
    if (isSlow && !slot.isFree) return this.#stopAt(failure);
    const number = batch.numbers?.[0] ?? batch.firstRow;
    const output = textOf(outputs);
    this.#rows.push({ number, trace: textOf(trace), ...(output === '' ? {} : { output }) });
    this.#node = undefined;
    if (isSlow) this.#stopAt(failure);
    else if (slot.isFree) this.#end();
  }

  /** True if the worker itself has found that a node took too long. */
  #isOverLimit({ nodeId, message }: RowFailure): boolean {
    return (
      message.endsWith(this.#timeoutMessage) && !this.#presetFailures.some((each) => each.nodeId === nodeId)
    );
  }

  #stopAt({ row, nodeId, message }: RowFailure): void {
    this.#end({ cause: 'time', message, row, nodeId });
  }

  #stop(cause: WorkerLoss['cause'], message: string, isOverTotal = false): void {
    const [batch] = this.#slot?.batches ?? [];
    const row = batch?.numbers?.[0] ?? 0;
    const nodeId = this.#node?.nodeId;
    this.#end({ cause, message, row, ...(nodeId === undefined ? {} : { nodeId }) }, isOverTotal);
  }

  #end(stop?: PreviewStop, isOverTotal = false): void {
    this.#close();
    this.#ended.resolve({ rows: this.#rows, ...(stop === undefined ? {} : { stop }), isOverTotal });
  }

  #break(error: unknown): void {
    this.#close();
    this.#ended.reject(error);
  }

  #close(): void {
    if (this.#hasEnded || this.#worker === undefined) return;
    this.#hasEnded = true;
    const { pool, planKey } = this.#options;
    this.#warm.stop();
    this.#totalWatch?.stop();
    this.#openRequests.cancelAll();
    if (this.#slot?.isFree === true) pool.release(this.#worker, planKey);
    else void pool.discard(this.#worker);
  }
}

/** The message with which the worker fails a node that takes longer than that. */
export const timeLimitMessage = (timeLimitMs: number): string =>
  `time limit of ${describeDuration(timeLimitMs)} exceeded`;

const textOf = (line: Uint8Array): string =>
  Buffer.from(line[line.length - 1] === newline ? line.subarray(0, -1) : line).toString('utf8');
