// One unfinished run: its record, its execution, and the only code that moves it along the status table.
// Who calls: RunService (verbs), RunQueue (execute).
// INVARIANT: every change of the record happens in one turn at a time, is durable, and only then is told. The start alone
// is told before: a small run has ended by the time it would be on the disk. It is recorded a moment later, or with the
// next change; without it a crash only means that the run is told as queued once more.
import { isoTime } from '../base/clock.ts';
import { deferred, type Deferred } from '../base/deferred.ts';
import { isShortage } from '../domain/store-errors.ts';
import { describeFailure } from '../domain/run/row-failure.ts';
import { canMove, nextStatus, type RunMove } from '../domain/run/run-status.ts';
import { moveRun, wasCancelled, type RowCounts, type Run } from '../domain/run/run.ts';
import type { Plan } from '../executor/plan.ts';
import type { RowReader, Upstream } from '../executor/ports.ts';
import type { WaitingRows } from '../executor/commit-queue.ts';
import type { RunExecution } from '../executor/run-execution.ts';
import type { RunOutcome } from '../executor/run-execution-options.ts';
import type { OutputFile } from '../storage/output-file.ts';
import { openExecution } from './open-execution.ts';
import { interruption, restMs, shortageRestMs, withRecovery } from './recovery-rest.ts';
import type { Queued } from './run-queue.ts';
import { RunRecord } from './run-record.ts';
import type { RunLifeParts } from './run-life-parts.ts';
import { heldMs, moveAt } from './run-scenario.ts';

type MoveParts = { readonly error?: string; readonly from?: Run | undefined };

export class RunLife implements Queued {
  readonly #parts: RunLifeParts;
  readonly #record: RunRecord;
  /** As told: what they count is durable. */
  #counts: RowCounts;
  /** As the outputs have them. */
  #committed: RowCounts;
  #waiting: WaitingRows | undefined;
  #execution: RunExecution | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #began: Promise<void> = Promise.resolve();
  #isStopping = false;
  #hasCrashed = false;
  #isOfEarlierProcess = false;
  /** Not tried again before, in monotonic ms. */
  #restsUntil = 0;
  /** Settled when the slot that `execute` holds can go to another run. */
  #slot: Deferred | undefined;

  constructor(parts: RunLifeParts, run: Run, counts: RowCounts) {
    this.#parts = parts;
    this.#record = new RunRecord({ ...parts, onChange: () => parts.onChange(this) }, run);
    this.#counts = counts;
    this.#committed = counts;
  }

  get run(): Run {
    return this.#record.run;
  }

  get counts(): RowCounts {
    return this.run.finishedAt === null ? this.#counts : this.run.counts;
  }

  get waiting(): WaitingRows | undefined {
    return this.#waiting;
  }

  /** How long it must still be left in the queue, in ms. */
  get holdMs(): number {
    const { clock } = this.#parts;
    return Math.max(heldMs(this.run, clock.now()), this.#restsUntil - clock.monotonic());
  }

  /** Starts or goes on with the run. Resolves when it has ended, is paused or was stopped. */
  async execute(): Promise<void> {
    const slot = deferred();
    const goes = await this.#inTurn(async () => {
      if (this.#slot !== undefined || this.#isStopping) return false;
      if (this.run.status === 'queued') await this.#start();
      // A shortage kept its pause from being recorded.
      if (this.run.status === 'pausing' && this.#execution === undefined) await this.#settle();
      if (this.run.status !== 'running') return false;
      this.#slot = slot;
      if (this.#execution === undefined) this.#beginNext(slot);
      else this.#execution.resume();
      return true;
    }).catch((error: unknown) => this.#onBroken(error));
    if (goes === true) await slot.promise;
  }

  /** Queued: paused at once. Running: pausing, until the last in-flight node attempt has ended. */
  pause(): Promise<Run> {
    return this.#inTurn(() => this.#pauseInTurn());
  }

  /** Paused: back to the queue (the caller pushes it). Pausing: running again. */
  resume(): Promise<Run> {
    return this.#inTurn(async () => {
      const wasPausing = this.run.status === 'pausing';
      await this.#move('resume');
      if (wasPausing) this.#execution?.resume();
      return this.run;
    });
  }

  /** Interrupts what is in flight. When it resolves, no node of the run runs any more. */
  cancel(): Promise<Run> {
    return this.#inTurn(() => this.#cancelInTurn());
  }

  /** For shutdown: ends the execution, not the run; a later start goes on from the last commit. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#execution?.stop();
    await this.#turn;
    await this.#began;
    await this.#inTurn(() => this.#record.saveIfOlder()).catch((error: unknown) =>
      this.#parts.log.warn({ runId: this.run.runId, error }, 'the start of a run could not be recorded'),
    );
    this.#releaseSlot();
  }

  /** Whether it is paused in the middle of rows, which keeps processes and files. */
  get isParked(): boolean {
    return this.run.status === 'paused' && this.#execution !== undefined;
  }

  /** Gives up what a paused run keeps; when resumed it goes on from its last commit. */
  unpark(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.isParked) return;
      await this.#execution?.stop();
      this.#execution = undefined;
    });
  }

  /** At start-up: what was pausing is paused, since nothing runs any more, and a cancel that had begun is made whole. */
  settleAfterRestart(): Promise<Run> {
    this.#isOfEarlierProcess = true;
    return this.#inTurn(async () => {
      if (wasCancelled(this.#counts)) return this.#move('cancel');
      return this.run.status === 'pausing' ? this.#move('settle') : this.run;
    });
  }

  /** At start-up after a crash, for a run that had been executing when the process ended. */
  noteCrash(): void {
    this.#hasCrashed = true;
    this.#restsUntil = this.#parts.clock.monotonic() + restMs(this.run, this.#counts);
  }

  /** One execution at a time may have the run's files open: a new one begins when the last has let go of them. */
  #beginNext(slot: Deferred): void {
    this.#began = this.#began
      .then(() => this.#begin())
      .catch((error: unknown) => this.#onBroken(error))
      .finally(() => {
        if (this.#slot === slot) this.#releaseSlot();
      });
  }

  /** Paused, cancelled, ended or shut down meanwhile: then there is nothing to execute. */
  get #mayExecute(): boolean {
    return this.run.status === 'running' && !this.#isStopping;
  }

  async #begin(): Promise<void> {
    if (!this.#mayExecute) return;
    const { store, plans } = this.#parts;
    const plan = await plans.get(this.run);
    const outputs = await store.openOutputs(this.run.runId, this.run.rows);
    try {
      this.#counts = outputs.counts;
      this.#committed = outputs.counts;
      if (await this.#endIfEndedBefore(plan, outputs)) return;
      if (this.#hasCrashed && !(await this.#mayTryAgain(outputs.committedRows))) return;
      await this.#obeyScenario(outputs.committedRows);
      if (!this.#mayExecute) return;
      const reader = await store.openReader(this.run.runId, outputs.committedRows, this.run);
      try {
        await this.#executeRows(plan, reader, outputs);
      } finally {
        await reader.close();
      }
    } finally {
      await outputs.close();
    }
  }

  async #executeRows(plan: Plan, reader: RowReader, outputs: OutputFile): Promise<void> {
    const { run } = this;
    const upstream = await this.#parts.upstreamOf(run);
    const execution = openExecution(
      this.#parts,
      { run, plan, reader, outputs, upstream },
      {
        onCommit: () => this.#noteProgress(outputs),
        onWaiting: (waiting) => this.#noteWaiting(waiting),
      },
    );
    const outcome = await this.#runToItsEnd(execution, upstream);
    if (outcome === undefined) return;
    await this.#inTurn(async () => {
      const { status } = this.run;
      if (outcome.kind === 'completed' && canMove(status, 'complete')) await this.#move('complete');
      if (outcome.kind === 'failed' && canMove(status, 'fail'))
        await this.#move('fail', { error: outcome.error });
      if (this.#execution !== execution) return;
      this.#execution = undefined;
      // A shortage kept its cancel from being recorded: it goes on, or is cancelled, as after a restart.
      if (outcome.kind === 'cancelled' && canMove(status, 'cancel')) this.#parts.onTryLater(this);
      // Not always the slot that it began with: after a pause it goes on in another one.
      this.#releaseSlot();
    });
  }

  /** Undefined when there was nothing to run any more. */
  async #runToItsEnd(execution: RunExecution, upstream: Upstream): Promise<RunOutcome | undefined> {
    try {
      return (await this.#adopt(execution)) ? await execution.run() : undefined;
    } finally {
      // Before the record says that the run has ended, so that what it kept of its calls is there by then.
      await upstream.close?.();
    }
  }

  /** In turn, so that a verb finds either an execution that it can end or none, and none begins behind its back. */
  #adopt(execution: RunExecution): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!this.#mayExecute) return false;
      this.#execution = execution;
      return true;
    });
  }

  /** An earlier process committed the run's last row, and was gone before the record said so. */
  #endIfEndedBefore(plan: Plan, outputs: OutputFile): Promise<boolean> {
    return this.#inTurn(async () => {
      if (wasCancelled(this.#counts)) {
        if (this.#mayExecute) await this.#move('cancel');
        return true;
      }
      if (plan.onRowError !== 'fail' || outputs.counts.rowsFailed === 0) return false;
      const [failure] = await this.#parts.store.readFailures(this.run.runId, 1);
      const error = failure === undefined ? 'A row failed' : describeFailure(failure);
      if (this.#mayExecute) await this.#move('fail', { error });
      return true;
    });
  }

  /** Counts a crash against the run when it begins again; false when it has failed for having been in too many. */
  #mayTryAgain(committedRows: number): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#hasCrashed = false;
      if (this.run.status !== 'running') return true;
      const error = interruption(await this.#record.save(withRecovery(this.run, committedRows)));
      if (error === undefined) return true;
      await this.#move('fail', { error });
      return false;
    });
  }

  #noteProgress(outputs: OutputFile): void {
    this.#committed = outputs.counts;
    if (!outputs.lastsWithRecord) {
      this.#counts = outputs.counts;
      this.#parts.onChange(this);
    }
    this.#obeyScenario(outputs.committedRows).catch((error: unknown) => this.#onBroken(error));
  }

  #noteWaiting(waiting: WaitingRows | undefined): void {
    this.#waiting = waiting;
    this.#parts.onChange(this);
  }

  /** Pauses or cancels the run where its scenario says so. */
  async #obeyScenario(committedRows: number): Promise<void> {
    const move = moveAt(this.run, committedRows);
    if (move === undefined) return;
    await this.#inTurn(async () => {
      // A verb may have come first: then the run is where the scenario wants it, or past it because somebody does.
      const isPast = this.#execution !== undefined && !this.#execution.isAtStop;
      if (isPast || !canMove(this.run.status, move)) return;
      if (move === 'cancel') await this.#cancelInTurn();
      else await this.#pauseInTurn({ ...this.run, pausedByScenario: true });
    });
  }

  /**
   * The disk failed, the system is short of something, or the execution has a fault of its own: no run is ever left
   * without an end or a way on. With the disk at fault nothing can be recorded; the run keeps its status and a restart
   * goes on with it.
   */
  async #onBroken(error: unknown): Promise<void> {
    const { log, health, onTryLater } = this.#parts;
    log.error({ runId: this.run.runId, error }, 'a run could not go on');
    await this.#execution?.stop();
    this.#execution = undefined;
    if (isShortage(error)) {
      // It goes on from its last commit in a moment.
      this.#restsUntil = this.#parts.clock.monotonic() + shortageRestMs;
      if (!this.#isStopping) onTryLater(this);
    } else if (!health.degraded && canMove(this.run.status, 'fail')) {
      const cause = error instanceof Error ? error.message : String(error);
      await this.#inTurn(() =>
        this.#move('fail', { error: `Rowbench could not execute the run: ${cause}` }),
      ).catch((failure: unknown) =>
        log.error({ runId: this.run.runId, error: failure }, 'a broken run could not be recorded as failed'),
      );
    }
    this.#releaseSlot();
  }

  /** @param from the record with what else changes with the move */
  async #pauseInTurn(from?: Run): Promise<Run> {
    await this.#move('pause', { from });
    if (this.run.status !== 'pausing') return this.run;
    if (this.#execution !== undefined) this.#settleLater(this.#execution);
    else await this.#settle();
    return this.run;
  }

  async #cancelInTurn(): Promise<Run> {
    nextStatus(this.run.status, 'cancel');
    await this.#execution?.cancel();
    await this.#move('cancel');
    this.#releaseSlot();
    return this.run;
  }

  #settleLater(execution: RunExecution): void {
    const settle = async (): Promise<void> => {
      await execution.pause();
      await this.#inTurn(async () => {
        // Resumed, cancelled or finished meanwhile; or resumed and paused once more, which settles by itself.
        if (this.run.status === 'pausing' && execution.isPaused) await this.#settle();
      });
    };
    settle().catch((error: unknown) => this.#onBroken(error));
  }

  async #settle(): Promise<void> {
    await this.#move('settle');
    this.#releaseSlot();
  }

  async #move(move: RunMove, { error, from = this.run }: MoveParts = {}): Promise<Run> {
    const at = isoTime(this.#parts.clock);
    const counts = this.#committed;
    const run = await this.#record.save(
      moveRun(from, move, { at, counts, ...(error === undefined ? {} : { error }) }),
    );
    this.#counts = counts;
    return run;
  }

  async #start(): Promise<void> {
    // Nothing could be recorded of it: it stays queued until a restart.
    this.#parts.health.assertWritable();
    // Recorded first, so that a run that keeps ending the process is found out.
    if (this.#isOfEarlierProcess) return void (await this.#move('start'));
    const at = isoTime(this.#parts.clock);
    this.#record.saveSoon(moveRun(this.run, 'start', { at, counts: this.#counts }), () => {
      this.#inTurn(() => this.#record.saveIfOlder()).catch((error: unknown) => this.#onBroken(error));
    });
  }

  #releaseSlot(): void {
    this.#slot?.resolve();
    this.#slot = undefined;
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(act, act);
    // The chain goes on whatever one turn came to; its caller hears of the failure through `result`.
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
