// One run in this worker: its steps, and the rows that the main process has sent. Rows start in order; rows that wait
// overlap, up to `rowsInFlight`.
// INVARIANT: between two turns of the event loop at most one piece of author code runs.
import type { Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { rowNumberAt } from '../../domain/run/row-numbers.ts';
import type { Plan } from '../plan.ts';
import type { CallOrigin, UpstreamRequest } from '../ports.ts';
import type { CallAnswered, LoadRun, WorkerBatch } from '../protocol.ts';
import { splitBatch } from '../split-batch.ts';
import { compilePlan } from './compile-plan.ts';
import { PauseGate } from './pause-gate.ts';
import { type MainChannel, PendingRequests } from './main-channel.ts';
import { NodeCounts } from './node-counts.ts';
import { NodeError, toNodeError } from './node-error.ts';
import { plainCopy } from './plain-value.ts';
import { BatchResultBuilder, type RowEnd } from './batch-result-builder.ts';
import { tracedCall } from './trace-buffer.ts';
import {
  assertRowNeeded,
  attemptPosition,
  runAlreadyEnded,
  outermostRun,
  type RowRun,
  readReusedValues,
} from './row-run.ts';
import type { RowRunner } from './row-runner.ts';
import type { Sandboxes } from './sandboxes.ts';
import { messageOf, WorkflowRequests, type CallMessage, type CallReply } from './workflow-requests.ts';
import type { AttemptLimit } from './compiled-step.ts';

/** Maximum time between two reads of messages, in ms, so that a pause is noticed during a long batch. */
const maxBusyMs = 50;
/** Rows that have ended are reported after this time, in ms, although the rest of their batch has not begun. */
const maxBatchMs = 100;

/** Maximum calls under way where fewer rows are in flight; a row can make many at once. */
const maxCallsOfFewRows = 256;

/** @property startedAt in monotonic ms */
type StartedBatch = {
  readonly batch: WorkerBatch;
  readonly results: BatchResultBuilder;
  readonly startedAt: number;
};

type RunSessionDeps = {
  readonly channel: MainChannel;
  readonly clock: Clock;
  /** Computing time of this process so far, in ms. */
  readonly cpuMs: () => number;
  readonly nextTurn: () => Promise<void>;
  readonly sandboxes: Sandboxes;
  /** Called for an error that is not the row's; the worker cannot continue. */
  readonly onBroken: (error: unknown) => void;
};

export class RunSession {
  readonly #deps: RunSessionDeps;
  readonly #plan: Plan;
  readonly #nodeIds: readonly string[];
  readonly #rowsInFlight: number;
  readonly #runner: RowRunner;
  readonly #pauseGate: PauseGate;
  readonly #waits = new PendingRequests();
  readonly #calls = new PendingRequests<CallReply>();
  readonly #workflows: WorkflowRequests;
  readonly #maxCalls: number;
  #callEnded: Deferred<void> | undefined;
  readonly #queue: WorkerBatch[] = [];
  #inFlight = 0;
  /** Work that runs beside other work of its row, in all rows. */
  #moreLanes = 0;
  #slotFree: Deferred<void> | undefined;
  #isRunningBatches = false;
  #busySince = 0;
  /** Number of messages that started or woke rows. */
  #heardMessages = 0;
  readonly #reportsIdle: boolean;
  #isIdleCheckDue = false;

  constructor(load: LoadRun, deps: RunSessionDeps) {
    const { channel, clock, cpuMs, nextTurn, sandboxes } = deps;
    this.#deps = deps;
    this.#plan = sandboxes.usePlan(load.planText);
    this.#rowsInFlight = load.rowsInFlight;
    this.#maxCalls = Math.max(load.rowsInFlight, maxCallsOfFewRows);
    this.#reportsIdle = load.reportsIdle;
    this.#pauseGate = new PauseGate((pauseId) => channel.send({ type: 'paused', pauseId }));
    this.#workflows = new WorkflowRequests({
      channel,
      pauseGate: this.#pauseGate,
      send: (run, message) => {
        const reply = this.#sendCall(run, message);
        this.#checkIdleSoon();
        return reply;
      },
      trace: (position, run, call) => this.#traceCall(position, run, call),
    });
    this.#nodeIds = this.#plan.nodes.map(({ id }) => id);
    this.#runner = compilePlan(this.#plan, load.scenario, {
      seed: load.seed,
      sandboxes,
      timeLimitMs: load.timeLimitMs,
      pauseGate: this.#pauseGate,
      channel,
      clock,
      cpuMs,
      nextTurn,
      countLanes: (change) => {
        this.#moreLanes += change;
        this.#checkIdleSoon();
      },
      wait: (ms, run) => this.#wait(ms, run),
      call: (request, run, origin) => this.#call(request, run, origin),
      requestWorkflow: (request, run, options) => this.#workflows.request(request, run, options),
      settle: (promise, limit) => this.#settle(promise, limit),
    });
  }

  /** True if rows run or wait to start. */
  get hasRows(): boolean {
    return this.#isRunningBatches || this.#inFlight > 0;
  }

  runBatch(batch: WorkerBatch): void {
    this.#heardMessages += 1;
    this.#queue.push(batch);
    // The batch is reported as received even if waiting rows delay its start.
    this.#checkIdleSoon();
    if (this.#isRunningBatches) return;
    this.#isRunningBatches = true;
    this.#runBatches().catch(this.#deps.onBroken);
  }

  endWait(wait: number): void {
    this.#heardMessages += 1;
    if (!this.#waits.answer(wait, undefined)) this.#checkIdleSoon();
  }

  endCall(over: CallReply): void {
    this.#heardMessages += 1;
    if (!this.#calls.answer(over.call, over)) return this.#checkIdleSoon();
    // The attempt's own work on the answer comes first.
    this.#deps
      .nextTurn()
      .then(() => this.#pauseGate.endCall())
      .catch(this.#deps.onBroken);
  }

  pause(pauseId: number): void {
    // A message just before this one may have begun attempts: they reach their calls before the pause is reported.
    this.#pauseGate.lock();
    this.#pauseGate.pause(pauseId);
    this.#deps
      .nextTurn()
      .then(() => this.#pauseGate.unlock())
      .catch(this.#deps.onBroken);
  }

  resume(): void {
    this.#pauseGate.resume();
  }

  async #runBatches(): Promise<void> {
    this.#busySince = this.#deps.clock.monotonic();
    for (let batch = this.#queue.shift(); batch !== undefined; batch = this.#queue.shift()) {
      await this.#startRows(batch);
      await this.#yieldToMessages();
    }
    this.#isRunningBatches = false;
    this.#checkIdleSoon();
  }

  async #startRows(batch: WorkerBatch): Promise<void> {
    const counts = new NodeCounts(this.#nodeIds);
    const results = new BatchResultBuilder(batch, counts, this.#plan.onRowError === 'fail');
    const reused = batch.reusedValues === undefined ? [] : readReusedValues(batch.reusedValues);
    const lines = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset, batch.bytes.byteLength)
      .toString('utf8')
      .split('\n');
    const startedAt = this.#deps.clock.monotonic();
    for (let index = 0; index < batch.rows; index += 1) {
      while (this.#pauseGate.isBlocked) await this.#pauseGate.unblocked();
      if (!results.isNeeded(index)) return;
      const source = { batch, results, position: batch.firstRow + index, reusedValues: reused[index] };
      const end = this.#runner.runRow(rowNumberAt(batch, index), lines[index] ?? '', source);
      if (!(end instanceof Promise)) {
        if (results.recordEnd(index, end)) this.#finishBatch(results);
        else if (this.#cutBatch({ batch, results, startedAt }, index)) return;
        if (this.#runner.now - this.#busySince > maxBusyMs) await this.#yieldToMessages();
        continue;
      }
      this.#endRowLater(results, index, end).catch(this.#deps.onBroken);
      while (this.#inFlight >= this.#rowsInFlight) {
        this.#slotFree ??= deferred();
        this.#checkIdleSoon();
        await this.#slotFree.promise;
      }
    }
  }

  /** Reports the rows up to `index` if the batch takes long; the rest of it comes next. False if it goes on. */
  #cutBatch({ batch, results, startedAt }: StartedBatch, index: number): boolean {
    if (this.#runner.now - startedAt <= maxBatchMs || !results.cutAfter(index)) return false;
    this.#finishBatch(results);
    const [, rest] = splitBatch(batch, index + 1);
    this.#queue.unshift(rest);
    return true;
  }

  async #endRowLater(results: BatchResultBuilder, index: number, end: Promise<RowEnd>): Promise<void> {
    this.#inFlight += 1;
    const isLast = results.recordEnd(index, await end);
    this.#inFlight -= 1;
    this.#slotFree?.resolve();
    this.#slotFree = undefined;
    if (isLast) this.#finishBatch(results);
    this.#checkIdleSoon();
  }

  /**
   * Reports the batch. Open requests of rows after a failed one get no answer any more, so they are rejected here: no pause
   * and no other row waits for them.
   */
  #finishBatch(results: BatchResultBuilder): void {
    const done = results.build();
    this.#deps.channel.send(done);
    this.#waits.rejectBatch(done.batchId, runAlreadyEnded);
    const calls = this.#calls.rejectBatch(done.batchId, runAlreadyEnded);
    for (let call = 0; call < calls; call += 1) this.#pauseGate.endCall();
    this.#workflows.endBatch(done.batchId);
  }

  /** Checks, after all running code, whether every row waits. */
  #checkIdleSoon(): void {
    if (!this.#reportsIdle || this.#isIdleCheckDue) return;
    this.#isIdleCheckDue = true;
    const look = (): void => {
      this.#isIdleCheckDue = false;
      if (this.#isIdle) this.#deps.channel.send({ type: 'idle', heardMessages: this.#heardMessages });
    };
    this.#deps.nextTurn().then(look).catch(this.#deps.onBroken);
  }

  /** True if all work of rows in flight waits for the main process. Rows in an author's promise or at a pause do not. */
  get #isIdle(): boolean {
    const startsNoRow = !this.#isRunningBatches || this.#slotFree !== undefined;
    const working = this.#inFlight + this.#moreLanes;
    const waiting = this.#waits.size + this.#workflows.open;
    return startsNoRow && waiting > 0 && waiting === working;
  }

  async #yieldToMessages(): Promise<void> {
    await this.#deps.nextTurn();
    this.#busySince = this.#deps.clock.monotonic();
  }

  async #wait(ms: number, run: RowRun): Promise<void> {
    assertRowNeeded(run);
    const { id, resolveRequest } = this.#waits.openRequest(run.batch.id);
    const { row, nodeIndex } = outermostRun(run);
    const nodeId = this.#nodeIds[nodeIndex] ?? '';
    this.#deps.channel.send({ type: 'wait', wait: id, batchId: run.batch.id, ms, row, nodeId });
    this.#checkIdleSoon();
    await resolveRequest;
  }

  async #call(request: UpstreamRequest, run: RowRun, origin: CallOrigin): Promise<CallAnswered> {
    const position = attemptPosition(run);
    let over = await this.#requestCall(request, run, origin);
    while (over.type !== 'call-answered') {
      while (this.#pauseGate.isBlocked) await this.#pauseGate.unblocked();
      over = await this.#requestCall(request, run, origin);
    }
    this.#traceCall(position, run, { request, over });
    return over;
  }

  /** Called with the answer: the row may have ended without it. */
  #traceCall(
    position: readonly number[],
    run: RowRun,
    { request, over }: { readonly request: UpstreamRequest; readonly over: CallAnswered },
  ): void {
    const { trace, nodeIndex, hasItem, itemIndex, round } = outermostRun(run);
    const item = hasItem ? itemIndex : undefined;
    trace?.addCall(position, tracedCall({ nodeIndex, item, round }, request, over));
  }

  async #requestCall(request: UpstreamRequest, run: RowRun, origin: CallOrigin): Promise<CallReply> {
    await this.#roomForCall();
    return this.#sendCall(run, messageOf(request, run, origin)).finally(() => {
      this.#callEnded?.resolve();
      this.#callEnded = undefined;
    });
  }

  #sendCall(run: RowRun, message: CallMessage): Promise<CallReply> {
    assertRowNeeded(run);
    const { id, resolveRequest } = this.#calls.openRequest(run.batch.id);
    this.#pauseGate.startCall();
    this.#deps.channel.send({ ...message, call: id });
    return resolveRequest;
  }

  /** Resolves when another call may begin: not in a pause, and not while too many are under way. */
  async #roomForCall(): Promise<void> {
    while (this.#calls.size - this.#workflows.open >= this.#maxCalls) {
      this.#callEnded ??= deferred();
      await this.#callEnded.promise;
      while (this.#pauseGate.isBlocked) await this.#pauseGate.unblocked();
    }
  }

  /**
   * Author code can only await its own promises: no event from outside ever settles them. So it keeps the lock until its
   * promise settles, and a promise that never settles runs into the time limit.
   */
  #settle(promise: Promise<unknown>, limit: AttemptLimit): Promise<unknown> {
    this.#pauseGate.lock();
    const settled = deferred<unknown>();
    const cancel = this.#deps.clock.setTimer(limit.computeMs, () =>
      settled.reject(new NodeError(limit.timeoutMessage)),
    );
    const fail = (error: unknown): void => settled.reject(toNodeError(error));
    const onValue = (value: unknown): void => {
      try {
        settled.resolve(plainCopy(value));
      } catch (error) {
        fail(error);
      }
    };
    try {
      // The method itself, not `promise.then`: an author can put anything there, and even so it may throw, since it
      // reads the promise's `constructor`. What is resolved with is a plain copy.
      void Promise.prototype.then.call(promise, onValue, fail);
    } catch (error) {
      fail(error);
    }
    return settled.promise.finally(() => {
      cancel();
      this.#pauseGate.unlock();
    });
  }
}
