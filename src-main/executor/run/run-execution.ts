// One run under way: sends rows to workers in batches, commits their results in row order, and can be paused, resumed and
// cancelled. Who calls: services, once per run and start.
// INVARIANT: when `run` has settled, or `cancel` or `stop` has resolved, no node of the run runs any more.
import { deferred, type Deferred } from '../../base/deferred.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import type { SpentBudget } from '../../domain/run/spent-budget.ts';
import { describeFailure, type RowFailure } from '../../domain/run/row-failure.ts';
import { maxTraceBytes, type TraceDetail } from '../../domain/results/trace-form.ts';
import { answerCall, type CallDeps, AnswerLock, RowRequests } from './answer-call.ts';
import { BatchDispatcher } from './batch-dispatcher.ts';
import { CommitThrottle } from './commit-throttle.ts';
import { CommitQueue, type Committed, type OrderedResult } from './commit-queue.ts';
import { RunWorkers } from './run-workers.ts';
import { recoverLostBatch, type PendingBatch } from './recover-lost-batch.ts';
import { lostRow } from './substitute-results.ts';
import { PausableWaits } from './pausable-waits.ts';
import { plannedCalls } from './planned-calls.ts';
import { RowSessions } from './row-sessions.ts';
import { WorkflowClaims } from './workflow-claims.ts';
import { RunningRows } from './running-rows.ts';
import type { BatchDone, FromWorker, WaitRequested } from '../protocol.ts';
import type { WorkerLoss } from '../pool/row-worker.ts';
import type { RunExecutionOptions, ExecutionOutcome, LiveProgress } from './run-execution-options.ts';
import { TokenBudget } from './token-budget.ts';
import type { WorkerSlot } from './worker-slot.ts';
import { BatchSource } from './batch-source.ts';

/** Ids are unique among all executions: a worker's late answer to one run's pause must not count for its next run. */
let lastPauseId = 0;

export class RunExecution {
  readonly #options: RunExecutionOptions;
  readonly #source: BatchSource;
  readonly #waits: PausableWaits;
  readonly #commits: CommitQueue;
  readonly #workers: RunWorkers;
  readonly #dispatcher: BatchDispatcher;
  readonly #ended = deferred<ExecutionOutcome>();
  readonly #calls: CallDeps;
  readonly #openRequests = new RowRequests();
  readonly #sessions = new RowSessions();
  readonly #workflows = new WorkflowClaims();
  readonly #budget: TokenBudget | undefined;
  readonly #runningRows: RunningRows;
  /** Bytes of the traces kept so far. */
  #traceBytes: number;
  #isEnding = false;
  /** Position from which on a row has failed and ends the run. Rows before it go on, since one of them may fail too. */
  #lastRow = Infinity;
  /** Id of the last pause. */
  #pauseId = 0;
  #pause: 'off' | 'pausing' | 'paused' = 'off';
  #settled: Deferred<void> | undefined;

  constructor(options: RunExecutionOptions) {
    const { plan, seed, pool, planKey, clock, reader, sink, firstRow, rowsLeft, scenario = {} } = options;
    this.#options = options;
    this.#calls = {
      runId: options.runId,
      clock,
      upstream: this.#workflows.count(plannedCalls(options.plan, options.upstream)),
      openRequests: this.#openRequests,
      answerLock: new AnswerLock(),
      sessions: this.#sessions,
      workflows: this.#workflows,
      pauseSignal: () => this.#waits.pauseSignal,
      onBroken: (error) => this.#break(error),
    };
    this.#traceBytes = options.traceBytes ?? 0;
    this.#budget = options.budget === undefined ? undefined : new TokenBudget(options.budget);
    this.#runningRows = new RunningRows(clock, options.onProgress);
    this.#source = new BatchSource(reader, options);
    this.#waits = new PausableWaits(clock);
    this.#commits = new CommitQueue({
      firstRow,
      sink,
      throttle: new CommitThrottle(clock, () => this.#expectsNoMore),
      onCommitted: (committed) => this.#afterCommit(committed),
      onBroken: (error) => void this.#break(error),
    });
    this.#workers = new RunWorkers({
      plan,
      seed,
      scenario,
      pool,
      planKey,
      rows: rowsLeft,
      reportsIdle: clock instanceof VirtualClock,
      onFree: () => this.#dispatcher.dispatch(),
      onMessage: (slot, message) => this.#receive(slot, message),
      onLost: (slot, loss) => this.#afterLoss(slot, loss),
      onBroken: (error) => void this.#break(error),
    });
    this.#dispatcher = new BatchDispatcher(options, {
      source: this.#source,
      workers: this.#workers,
      isOpen: () => this.#isOpen && this.#budget?.spent === undefined,
      lastRow: () => this.#lastRow,
      uncommittedBytes: () => this.#commits.bytes,
      traceDetail: () => this.#traceDetail,
      onSent: () => this.#breakIfShort(),
      onIdle: () => {
        this.#settlePause();
        this.#endIfSpent();
        this.#skipIfIdle();
      },
      onBroken: (error) => this.#break(error),
    });
    // The caller of `run` gets the error; `cancel` and `stop` only wait for the end.
    this.#ended.promise.catch(() => undefined);
  }

  /** Resolves when the run has ended. Rejects when rows cannot be read, results not written or workers not started. */
  run(): Promise<ExecutionOutcome> {
    if (this.#options.rowsLeft === 0) void this.#end({ kind: 'completed' });
    else if (!this.#isEnding) {
      if (this.isAtLimit) this.#options.onLimit?.();
      this.#dispatcher.dispatch();
    }
    return this.#ended.promise;
  }

  /** True once a pause has settled: no node runs, and rows wait where they are. */
  get isPaused(): boolean {
    return this.#pause === 'paused';
  }

  /** True if no row starts until the run was paused and resumed: at one of the `breakpoints`, or for its budget. */
  get isAtLimit(): boolean {
    return this.#source.isAtBreakpoint || this.spentBudget !== undefined;
  }

  /** The token budget, if it is spent and does not fail the run. */
  get spentBudget(): SpentBudget | undefined {
    return this.#budget?.failsRun === false ? this.#budget.spent : undefined;
  }

  get progress(): LiveProgress {
    return { ...this.#commits.progress, running: this.#runningRows.list };
  }

  /** Resolves when no node runs any more, or the run has ended. After a `resume` it resolves with the next pause. */
  async pause(): Promise<void> {
    if (this.#isEnding || this.#pause === 'paused') return;
    const settled = (this.#settled ??= deferred());
    if (this.#pause === 'off') {
      this.#pause = 'pausing';
      this.#pauseId = lastPauseId += 1;
      this.#waits.pause();
      this.#workers.pause(this.#pauseId);
      this.#commits.flush();
      this.#settlePause();
    }
    await settled.promise;
  }

  resume(): void {
    if (this.#isEnding || this.#pause === 'off') return;
    this.#pause = 'off';
    this.#budget?.raise();
    this.#source.passBreakpoints(this.#commits.nextRow - 1);
    this.#workers.resume();
    this.#waits.resume();
    this.#dispatcher.dispatch();
  }

  /** Interrupts all rows in flight. Rows that have ended are committed, even if rows before them have not. */
  async cancel(): Promise<void> {
    await this.#end({ kind: 'cancelled' });
  }

  /** Interrupts all rows for a shutdown. Only committed rows stay; a later execution continues after them. */
  async stop(): Promise<void> {
    await this.#end({ kind: 'stopped' });
  }

  /** True if rows may start at all. */
  get #isOpen(): boolean {
    return !this.#isEnding && this.#pause === 'off';
  }

  get #traceDetail(): TraceDetail {
    const { detail = 'usual', maxTraceBytes: most = maxTraceBytes } = this.#options;
    return this.#traceBytes > most ? 'failures' : detail;
  }

  #receive(slot: WorkerSlot, message: FromWorker): void {
    switch (message.type) {
      case 'batch-done':
        return this.#afterBatch(slot, message);
      case 'wait':
        this.#runningRows.add(message, slot.batchOf(message.batchId));
        return this.#startWait(slot, message);
      case 'call':
        this.#runningRows.add(message, slot.batchOf(message.batchId));
        return void answerCall(this.#calls, slot, message);
      case 'claim-ended':
      case 'claim-released':
        return this.#workflows.endClaim(slot, message);
      case 'paused':
        // A late answer, to an earlier pause or after the resume, is ignored.
        if (this.#pause === 'off' || message.pauseId !== this.#pauseId) return;
        this.#workers.markPaused(slot);
        return this.#settlePause();
      case 'idle':
        return this.#skipIfIdle();
      case 'load-failed':
        return void this.#break(new Error(`A row worker could not take the run: ${message.message}`));
      default:
    }
  }

  #afterBatch(slot: WorkerSlot, done: BatchDone): void {
    const { batch, ms } = slot.finishBatch(done, this.#options.clock.monotonic());
    this.#dispatcher.finishBatch(batch, ms);
    this.#runningRows.removeBatch(batch);
    this.#sessions.endRows(batch);
    this.#openRequests.cancelBatch(slot, done.batchId);
    this.#addResult({ firstRow: batch.firstRow, result: done.result, endsRun: done.endsRun });
  }

  #addResult(ordered: OrderedResult): void {
    this.#traceBytes += ordered.result.trace.byteLength;
    if (ordered.endsRun) this.#lastRow = Math.min(this.#lastRow, ordered.firstRow);
    this.#budget?.add(ordered.result.nodes);
    this.#commits.addResult(ordered);
    this.#options.onProgress?.();
    this.#dispatcher.dispatch();
  }

  /** True if results should be committed at once: no more will join them soon, or a pause or the end waits for them. */
  get #expectsNoMore(): boolean {
    const isWaitedFor = this.#pause !== 'off' || this.#lastRow < Infinity;
    return this.#workers.mayWait || !this.#dispatcher.hasSentRows || isWaitedFor;
  }

  #afterCommit({ endsRun }: Committed): void {
    this.#options.onCommit?.();
    if (this.isAtLimit) this.#options.onLimit?.();
    // First, since a run that has ended cannot settle into a pause any more.
    if (endsRun !== undefined) void this.#end({ kind: 'failed', error: describeFailure(endsRun) });
    else if (this.#isDone) void this.#end({ kind: 'completed' });
    this.#settlePause();
    this.#endIfSpent();
    this.#dispatcher.dispatch();
  }

  #afterLoss(slot: WorkerSlot, loss: WorkerLoss): void {
    this.#openRequests.cancelSlot(slot);
    const { log, runId, plan } = this.#options;
    const details = { loss, node: slot.node, firstNodeId: plan.nodes[0]?.id ?? '' };
    const { batches } = slot;
    const actions = batches.map((batch) => ({ batch, action: recoverLostBatch(batch, details) }));
    if (actions.some(({ action }) => action.kind === 'rerun'))
      log.warn(
        { runId, cause: loss.cause, batches: batches.length },
        'rows run again after the loss of their worker',
      );
    for (const { batch, action } of actions) {
      this.#dispatcher.dropBatch(batch);
      this.#runningRows.removeBatch(batch);
      this.#sessions.endRows(batch);
      if (action.kind === 'rerun') this.#source.requeue(action.batches);
      else this.#failRow(batch, action.failure);
    }
    this.#settlePause();
    this.#dispatcher.dispatch();
  }

  #failRow({ firstRow }: PendingBatch, failure: RowFailure): void {
    const endsRun = this.#options.plan.onRowError === 'fail';
    this.#addResult({ firstRow, result: lostRow(failure), endsRun });
  }

  #startWait(slot: WorkerSlot, { wait, batchId, ms }: WaitRequested): void {
    const callOff = this.#waits.startWait(ms, () => {
      forget();
      slot.endWait(wait);
    });
    const forget = this.#openRequests.addRequest(slot, batchId, callOff);
  }

  /** With a virtual clock: ends the waits that are due next, when every row that has begun waits. */
  #skipIfIdle(): void {
    const { clock } = this.#options;
    if (!(clock instanceof VirtualClock) || !this.#isOpen || this.#dispatcher.isDispatching) return;
    if (this.#workers.areIdle && this.#workflows.isRunning) clock.skip();
  }

  #settlePause(): void {
    if (this.#isEnding || this.#pause !== 'pausing' || this.#dispatcher.isDispatching) return;
    if (!this.#workers.arePaused || !this.#commits.isIdle) return;
    this.#pause = 'paused';
    this.#settled?.resolve();
    this.#settled = undefined;
  }

  /** True if every row is committed. */
  get #isDone(): boolean {
    return this.#commits.nextRow === this.#options.firstRow + this.#options.rowsLeft;
  }

  /** Fails the run if no row is in progress and the reader gave too few rows. */
  #breakIfShort(): void {
    if (this.#isEnding || this.#lastRow < Infinity || this.#isDone) return;
    if (this.#source.isEmpty && this.#workers.areFree && this.#commits.isIdle)
      void this.#break(new Error('The rows ended before all rows of the run were read'));
  }

  /** Fails the run if its budget is spent, and no row is in progress. */
  #endIfSpent(): void {
    const budget = this.#budget;
    if (budget?.spent === undefined || !budget.failsRun || this.#isEnding || this.#isDone) return;
    if (this.#workers.areFree && this.#commits.isIdle && !this.#dispatcher.isDispatching)
      void this.#end({ kind: 'failed', error: budget.error });
  }

  async #end(outcome: ExecutionOutcome): Promise<void> {
    if (!this.#isEnding) {
      await this.#close(outcome.kind === 'cancelled');
      this.#ended.resolve(outcome);
    }
    await this.#ended.promise.catch(() => undefined);
  }

  async #break(error: unknown): Promise<void> {
    if (this.#isEnding) return;
    await this.#close(false);
    this.#ended.reject(error);
  }

  /** @param keepsWaiting true to commit results that wait for earlier rows, once no row can end any more */
  async #close(keepsWaiting: boolean): Promise<void> {
    this.#isEnding = true;
    this.#openRequests.cancelAll();
    this.#waits.cancelAll();
    if (keepsWaiting) await this.#workers.close().then(() => this.#commits.closeKeepingResults());
    else await Promise.all([this.#workers.close(), this.#commits.close()]);
    this.#settled?.resolve();
    this.#settled = undefined;
  }
}
