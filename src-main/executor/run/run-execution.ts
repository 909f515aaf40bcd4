// One run under way: hands rows out to workers, commits their results in row order, and can be paused, resumed and
// cancelled. Who calls: services, once per run and start.
// INVARIANT: when `run` has settled, or `cancel` or `stop` has resolved, no node of the run runs any more.
import { deferred, type Deferred } from '../../base/deferred.ts';
import { VirtualClock } from '../../base/virtual-clock.ts';
import { describeFailure, type RowFailure } from '../../domain/run/row-failure.ts';
import { maxTraceBytes, type TraceDetail } from '../../domain/run/trace-form.ts';
import { answerCall, type CallParts } from './answer-call.ts';
import { AnswerTurns } from './answer-turns.ts';
import { BatchSize } from './batch-size.ts';
import { CommitPace } from './commit-pace.ts';
import { CommitQueue, type Committed, type OrderedResult } from './commit-queue.ts';
import { Crew } from './crew.ts';
import { isCarefulAlone, judgeLoss, type Work } from './loss-verdict.ts';
import { lostRow } from './lost-row.ts';
import { Outstanding } from './outstanding.ts';
import { PausableWaits } from './pausable-waits.ts';
import { plannedCalls } from './planned-calls.ts';
import type { FromWorker, PortionDone, WaitAsked } from '../protocol.ts';
import type { WorkerLoss } from '../pool/row-worker.ts';
import type { RunExecutionOptions, RunOutcome } from './run-execution-options.ts';
import type { Seat } from './seat.ts';
import { WorkSource } from './work-source.ts';

/** Bytes of rows and results on their way at once; keeps memory flat however slow the disk or one row is. */
const maxBytesUnderWay = 16_000_000;

/** Number of pauses in all executions: a worker's late answer to one run's pause must not count for its next run. */
let pausesOfAll = 0;

export class RunExecution {
  readonly #options: RunExecutionOptions;
  readonly #source: WorkSource;
  readonly #size: BatchSize;
  readonly #waits: PausableWaits;
  readonly #commits: CommitQueue;
  readonly #crew: Crew;
  readonly #ended = deferred<RunOutcome>();
  readonly #calls: CallParts;
  readonly #outstanding = new Outstanding();
  /** Bytes of rows given out and not done. */
  #bytesGiven = 0;
  /** Bytes of the traces kept so far. */
  #traceBytes: number;
  #isEnding = false;
  #isDispatching = false;
  /** Something changed since the last look at what could be handed out. */
  #isDispatchDue = false;
  /** A row from here on has failed for good: rows before it go on, as one of them may fail too, others do not. */
  #lastRow = Infinity;
  /** The last one's number. */
  #nthPause = 0;
  #pause: 'off' | 'pausing' | 'paused' = 'off';
  #settled: Deferred<void> | undefined;

  constructor(options: RunExecutionOptions) {
    const { plan, seed, pool, clock, reader, sink, firstRow, rowsLeft, scenario = {} } = options;
    this.#options = options;
    this.#calls = {
      runId: options.runId,
      clock,
      upstream: plannedCalls(options.plan, options.upstream),
      outstanding: this.#outstanding,
      answerTurns: new AnswerTurns(),
      onBroken: (error) => this.#break(error),
    };
    this.#traceBytes = options.traceBytes ?? 0;
    this.#source = new WorkSource(reader, options);
    this.#size = new BatchSize(plan.reachesOut);
    this.#waits = new PausableWaits(clock);
    this.#commits = new CommitQueue({
      firstRow,
      sink,
      pace: new CommitPace(clock, () => this.#awaitsNothing),
      onCommitted: (committed) => this.#afterCommit(committed),
      onWaiting: options.onWaiting,
      onBroken: (error) => void this.#break(error),
    });
    this.#crew = new Crew({
      plan,
      seed,
      scenario,
      pool,
      rows: rowsLeft,
      tellsRest: clock instanceof VirtualClock,
      onFree: () => this.#dispatch(),
      onMessage: (seat, message) => this.#receive(seat, message),
      onLost: (seat, loss) => this.#afterLoss(seat, loss),
      onBroken: (error) => void this.#break(error),
    });
    // The caller of `run` gets the error; `cancel` and `stop` only wait for the end.
    this.#ended.promise.catch(() => undefined);
  }

  /** Resolves when the run has ended. Rejects when rows cannot be read, results not written or workers not started. */
  run(): Promise<RunOutcome> {
    if (this.#options.rowsLeft === 0) void this.#end({ kind: 'completed' });
    else if (!this.#isEnding) this.#dispatch();
    return this.#ended.promise;
  }

  /** A pause has settled: nothing runs, and rows wait where they are. */
  get isPaused(): boolean {
    return this.#pause === 'paused';
  }

  /** Rows are kept back by one of the `stops`. */
  get isAtStop(): boolean {
    return this.#source.isAtStop;
  }

  /** Resolves when nothing runs any more, or the run has ended. Not by a `resume`: then only with the next pause. */
  async pause(): Promise<void> {
    if (this.#isEnding || this.#pause === 'paused') return;
    const settled = (this.#settled ??= deferred());
    if (this.#pause === 'off') {
      this.#pause = 'pausing';
      this.#nthPause = pausesOfAll += 1;
      this.#waits.freeze();
      this.#crew.pause(this.#nthPause);
      this.#commits.flush();
      this.#settle();
    }
    await settled.promise;
  }

  resume(): void {
    if (this.#isEnding || this.#pause === 'off') return;
    this.#pause = 'off';
    this.#source.passStops(this.#commits.nextRow - 1);
    this.#crew.resume();
    this.#waits.thaw();
    this.#dispatch();
  }

  /** Interrupts whatever is in flight. Rows that have ended are committed, whatever became of rows before them. */
  async cancel(): Promise<void> {
    await this.#end({ kind: 'cancelled' });
  }

  /** For a shutdown: interrupts too, but only committed rows stay; a later execution goes on after them. */
  async stop(): Promise<void> {
    await this.#end({ kind: 'stopped' });
  }

  #dispatch(): void {
    this.#isDispatchDue = true;
    if (!this.#isDispatching) void this.#dispatchWhileDue();
  }

  async #dispatchWhileDue(): Promise<void> {
    this.#isDispatching = true;
    while (this.#isDispatchDue) {
      this.#isDispatchDue = false;
      try {
        await this.#handOut();
      } catch (error) {
        await this.#break(error);
      }
    }
    this.#isDispatching = false;
    this.#settle();
    this.#skipIfResting();
  }

  /** Gives rows to workers until none can take more. */
  async #handOut(): Promise<void> {
    while (this.#mayHandOut) {
      this.#crew.open();
      const seat = this.#crew.free(this.#source.needsFreeWorker);
      if (seat === undefined) return;
      const work = await this.#source.next(this.#size.rowsOf(this.#rowsToRead, this.#crew.size));
      if (work === undefined) break;
      if (!this.#isOpen || !this.#giveTo(seat, work)) this.#source.putBack([work]);
    }
    // What is left is up to the disk.
    if (this.#isOpen && this.#source.isEmpty) this.#crew.releaseIdle();
    this.#breakIfShort();
  }

  get #rowsToRead(): number {
    const { firstRow, rowsLeft } = this.#options;
    return firstRow + rowsLeft - this.#source.nextRow;
  }

  /** Whether rows may start at all. */
  get #isOpen(): boolean {
    return !this.#isEnding && this.#pause === 'off';
  }

  get #mayHandOut(): boolean {
    if (!this.#isOpen || !this.#source.hasRowsBefore(this.#lastRow)) return false;
    return this.#bytesGiven === 0 || this.#bytesGiven + this.#commits.bytes < maxBytesUnderWay;
  }

  /** False when the seat was lost, or can no longer take the work, while it was being read. */
  #giveTo(seat: Seat, work: Work): boolean {
    if (!this.#crew.seats.includes(seat) || (work.careful && !seat.isIdle)) return false;
    const { plan, rowsLeft } = this.#options;
    this.#bytesGiven += work.bytes.byteLength;
    const given = { ...work, careful: work.careful || (rowsLeft === 1 && isCarefulAlone(plan)) };
    seat.give(given, this.#options.clock.monotonic(), this.#detail);
    return true;
  }

  get #detail(): TraceDetail {
    const { detail = 'usual', maxTraceBytes: most = maxTraceBytes } = this.#options;
    return this.#traceBytes > most ? 'failures' : detail;
  }

  #receive(seat: Seat, message: FromWorker): void {
    switch (message.type) {
      case 'portion-done':
        return this.#afterPortion(seat, message);
      case 'wait':
        return this.#startWait(seat, message);
      case 'call':
        return void answerCall(this.#calls, seat, message);
      case 'node-started':
        return seat.noteNode(message);
      case 'held':
        if (message.nth !== this.#nthPause) return;
        seat.isHeld = true;
        return this.#settle();
      case 'resting':
        seat.noteRest(message.heard);
        return this.#skipIfResting();
      case 'load-failed':
        return void this.#break(new Error(`A row worker could not take the run: ${message.message}`));
      case 'ready':
      case 'alive':
        return;
    }
  }

  #afterPortion(seat: Seat, done: PortionDone): void {
    const taken = seat.take(done, this.#options.clock.monotonic());
    if (taken === undefined) return;
    const { work, ms } = taken;
    this.#bytesGiven -= work.bytes.byteLength;
    this.#outstanding.drop(seat, done.portion);
    if (!work.careful) this.#size.note(work.rows, ms);
    this.#takeResult({ firstRow: work.firstRow, result: done.result, endsRun: done.endsRun });
  }

  #takeResult(ordered: OrderedResult): void {
    this.#traceBytes += ordered.result.trace.byteLength;
    if (ordered.endsRun) this.#lastRow = Math.min(this.#lastRow, ordered.firstRow);
    this.#commits.add(ordered);
    this.#dispatch();
  }

  /** Whether results should be committed at once: no more will join them soon, or a pause or the end waits for them. */
  get #awaitsNothing(): boolean {
    const isWaitedFor = this.#pause !== 'off' || this.#lastRow < Infinity;
    return this.#crew.mayWait || this.#bytesGiven === 0 || isWaitedFor;
  }

  #afterCommit({ rows, failed, endsRun }: Committed): void {
    this.#options.onCommit?.({ rows, failed });
    // First, since a run that has ended cannot settle into a pause any more.
    if (endsRun !== undefined) void this.#end({ kind: 'failed', error: describeFailure(endsRun) });
    else if (this.#isDone) void this.#end({ kind: 'completed' });
    this.#settle();
    this.#dispatch();
  }

  #afterLoss(seat: Seat, loss: WorkerLoss): void {
    this.#outstanding.dropSeat(seat);
    const { log, runId } = this.#options;
    const firstNodeId = this.#options.plan.nodes[0]?.id ?? '';
    const judged = seat.works.map((work) => ({
      work,
      verdict: judgeLoss(work, { loss, node: seat.node, firstNodeId }),
    }));
    if (judged.some(({ verdict }) => verdict.kind === 'rerun'))
      log.warn(
        { runId, cause: loss.cause, portions: seat.portions },
        'rows run again after the loss of their worker',
      );
    for (const { work, verdict } of judged) {
      this.#bytesGiven -= work.bytes.byteLength;
      if (verdict.kind === 'rerun') this.#source.putBack(verdict.works);
      else this.#failRow(work, verdict.failure);
    }
    this.#settle();
    this.#dispatch();
  }

  #failRow({ firstRow }: Work, failure: RowFailure): void {
    const endsRun = this.#options.plan.onRowError === 'fail';
    this.#takeResult({ firstRow, result: lostRow(failure), endsRun });
  }

  #startWait(seat: Seat, { wait, portion, ms }: WaitAsked): void {
    const callOff = this.#waits.add(ms, () => {
      forget();
      seat.wake(wait);
    });
    const forget = this.#outstanding.add(seat, portion, callOff);
  }

  /** With a virtual clock: ends the waits that are due next, when every row that has begun waits. */
  #skipIfResting(): void {
    const { clock } = this.#options;
    if (!(clock instanceof VirtualClock) || !this.#isOpen || this.#isDispatching) return;
    if (this.#crew.isResting) clock.skip();
  }

  #settle(): void {
    if (this.#isEnding || this.#pause !== 'pausing' || this.#isDispatching) return;
    if (!this.#crew.isHeld || !this.#commits.isIdle) return;
    this.#pause = 'paused';
    this.#crew.park();
    this.#settled?.resolve();
    this.#settled = undefined;
  }

  /** Every row is committed. */
  get #isDone(): boolean {
    return this.#commits.nextRow === this.#options.firstRow + this.#options.rowsLeft;
  }

  /** Nothing is under way, and the reader gave fewer rows than it should have. */
  #breakIfShort(): void {
    if (this.#isEnding || this.#lastRow < Infinity || this.#isDone) return;
    if (this.#source.isEmpty && this.#crew.isIdle && this.#commits.isIdle)
      void this.#break(new Error('The rows ended before all rows of the run were read'));
  }

  async #end(outcome: RunOutcome): Promise<void> {
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

  /** @param keepsWaiting commits what waits for rows before it, once no row can end any more */
  async #close(keepsWaiting: boolean): Promise<void> {
    this.#isEnding = true;
    this.#outstanding.clear();
    this.#waits.clear();
    if (keepsWaiting) await this.#crew.close().then(() => this.#commits.closeKeeping());
    else await Promise.all([this.#crew.close(), this.#commits.close()]);
    this.#settled?.resolve();
    this.#settled = undefined;
  }
}
