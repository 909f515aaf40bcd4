// One unfinished run: its record, its execution, and the only code that moves it along the status table.
// Who calls: RunService (verbs), RunQueue (execute).
// INVARIANT: changes of the record happen one at a time; each is durable before it is published.
import { isoTime } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import { Mutex } from '../../base/mutex.ts';
import { Throttled } from '../../base/throttled.ts';
import { notExecuted } from '../../domain/run-errors.ts';
import { isRefusedForNow } from '../../domain/store-errors.ts';
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import { canMove, type RunMove, type RunStatus } from '../../domain/run/run-status.ts';
import {
  completedRun,
  completesWith,
  limitMove,
  queueDelayMs,
  resumedRun,
  settledRun,
} from '../../domain/run/run-decisions.ts';
import {
  labelRun,
  moveRun,
  nextStatus,
  rowsIn,
  wasCancelled,
  type MoveData,
  type RowCounts,
  type Run,
} from '../../domain/run/run.ts';
import type { Plan } from '../../executor/plan.ts';
import type { RowReader, Upstream } from '../../executor/ports.ts';
import type { RunExecution } from '../../executor/run/run-execution.ts';
import type { ExecutionOutcome, LiveProgress } from '../../executor/run/run-execution-options.ts';
import { openExecution, type ExecutionDeps } from './open-execution.ts';
import type { RunResults } from '../ports.ts';
import { RunRecovery } from './recovery.ts';
import { budgetOf } from './run-budget.ts';
import type { Queued } from './run-queue.ts';
import { RunRecordWriter } from './run-record-writer.ts';

type ActiveRunListeners = {
  /** The retention clock, in ms: what the end of a run is stamped with. */
  readonly retentionNow: () => number;
  /** Called after each change and each commit. */
  readonly onChange: (active: ActiveRun) => void;
  /** Called with a run that has to be executed again, once its `holdMs` are over. */
  readonly onTryLater: (active: ActiveRun) => void;
};

export class ActiveRun implements Queued {
  readonly #deps: ExecutionDeps & ActiveRunListeners;
  readonly #record: RunRecordWriter;
  #counts: RowCounts;
  #execution: RunExecution | undefined;
  /** For changes of the record. */
  readonly #mutex = new Mutex();
  /** Rows start and end far more often than a page can show it. */
  readonly #progressReport: Throttled;
  #began = Promise.resolve();
  #isStopping = false;
  #isOfEarlierProcess = false;
  readonly #recovery: RunRecovery;
  /** Settled when the slot that `execute` holds can go to another run. */
  #slot: Deferred | undefined;

  constructor(deps: ExecutionDeps & ActiveRunListeners, run: Run, counts: RowCounts) {
    this.#deps = deps;
    this.#record = new RunRecordWriter({ ...deps, onStored: () => deps.onChange(this) }, run);
    this.#recovery = new RunRecovery(deps.clock);
    this.#counts = counts;
    const act = async (): Promise<void> => this.#reportProgress();
    this.#progressReport = new Throttled({ clock: deps.clock, everyMs: 100, act });
  }

  /** The record as it is stored. */
  get run(): Run {
    return this.#record.stored;
  }

  /** Row counts of the stored results. */
  get counts(): RowCounts {
    return this.#counts;
  }

  /** Undefined while it is not executed. */
  get progress(): LiveProgress | undefined {
    return this.#execution?.progress;
  }

  get #status(): RunStatus {
    return this.#record.latest.status;
  }

  /** How long it must still be left in the queue, in ms. */
  get holdMs(): number {
    return Math.max(queueDelayMs(this.run, this.#deps.clock.now()), this.#recovery.delayMs);
  }

  /** Starts or goes on with the run. Resolves when it has ended, is paused or was stopped. */
  async execute(): Promise<void> {
    const slot = deferred();
    const goes = await this.#mutex
      .run(async () => {
        if (this.#slot !== undefined || this.#isStopping) return false;
        if (this.#status === 'queued') await this.#start();
        // A shortage kept its pause from being recorded.
        if (this.#status === 'pausing' && this.#execution === undefined) await this.#settle();
        if (this.#status !== 'running') return false;
        this.#slot = slot;
        if (this.#execution === undefined) this.#beginNext(slot);
        else this.#execution.resume();
        return true;
      })
      .catch((error: unknown) => this.#onBroken(error));
    if (goes === true) await slot.promise;
  }

  /** Queued: paused at once. Running: pausing, until the last in-flight node attempt has ended. */
  pause(): Promise<Run> {
    return this.#mutex.run(() => this.#pauseInTurn());
  }

  /** Paused: back to the queue (the caller pushes it). Pausing: running again. */
  resume(): Promise<Run> {
    return this.#mutex.run(async () => {
      const wasPausing = this.#status === 'pausing';
      const run = await this.#record.save(resumedRun(this.#record.latest, this.#now()));
      if (wasPausing) this.#execution?.resume();
      return run;
    });
  }

  /** Interrupts what is in flight. When it resolves, no node of the run runs any more. */
  cancel(): Promise<Run> {
    return this.#mutex.run(() => this.#cancelInTurn());
  }

  /** Changes the run's labels. */
  label(changes: LabelChanges): Promise<Run> {
    return this.#mutex.run(() => this.#record.save(labelRun(this.#record.latest, changes)));
  }

  /** For shutdown: ends the execution, not the run; a later start goes on from the last commit. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    // A cancel that came first stores the rows that have ended.
    await this.#mutex.settled();
    await this.#execution?.stop();
    await this.#began;
    await this.#mutex
      .run(() => this.#record.saveStart())
      .catch((error: unknown) => this.#warn(error, 'the start of a run was not stored'));
    this.#releaseSlot();
  }

  /** True if it is paused in the middle of rows, which keeps worker processes. */
  get isSuspended(): boolean {
    return this.#status === 'paused' && this.#execution !== undefined;
  }

  /** Frees the memory and processes of a paused run; after a resume it goes on from its last commit. */
  evict(): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.isSuspended) return;
      await this.#execution?.stop();
      this.#execution = undefined;
    });
  }

  /** At start-up: a pausing run is paused or, with all its rows, completed, and an interrupted cancel is completed. */
  settleAfterRestart(): Promise<Run> {
    this.#isOfEarlierProcess = true;
    return this.#mutex.run(async () => {
      if (wasCancelled(this.#counts)) return this.#move('cancel');
      if (this.#status !== 'pausing') return this.run;
      // Where a row has failed, the plan decides whether that fails the run, once it is resumed.
      const isComplete = completesWith(this.run, this.#counts, { onRowError: 'fail' });
      return this.#record.save((isComplete ? completedRun : settledRun)(this.run, this.#now()));
    });
  }

  /** At start-up after a crash, for a run that had been executing when the process ended. */
  noteCrash(): void {
    this.#recovery.noteCrash(this.run, this.#counts);
  }

  /** One execution at a time may write the run's results: a new one begins when the last has ended. */
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
    return this.#status === 'running' && !this.#isStopping;
  }

  async #begin(): Promise<void> {
    if (!this.#mayExecute) return;
    const { store, plans } = this.#deps;
    const plan = await plans.get(this.run);
    const results = await store.openResults(this.run.runId, rowsIn(this.#counts) === 0);
    this.#counts = results.counts;
    if (await this.#endAfterCrash(plan, results)) return;
    await this.#obeyLimits(results.committedRows);
    if (!this.#mayExecute) return;
    const reader = store.openReader(this.run, results.committedRows);
    try {
      await this.#executeRows(plan, reader, results);
    } finally {
      await reader.close();
    }
  }

  async #executeRows(plan: Plan, reader: RowReader, results: RunResults): Promise<void> {
    const upstream = await this.#deps.upstreamOf(this.run);
    const budget = await budgetOf(this.run, plan, this.#deps.store);
    const execution = openExecution(
      this.#deps,
      { record: this.#record, mutex: this.#mutex, plan, reader, results, upstream, budget },
      {
        onStored: (counts) => (this.#counts = counts),
        onCommit: () => this.#reportProgress(),
        onLimit: () =>
          void this.#obeyLimits(results.committedRows).catch((error: unknown) => this.#onBroken(error)),
        onProgress: () => this.#progressReport.request(),
      },
    );
    const outcome = await this.#runToItsEnd(execution, upstream);
    if (outcome === undefined) return;
    await this.#mutex.run(async () => {
      const status = this.#status;
      const run = withDifferingRequests(this.#record.latest, upstream);
      if (outcome.kind === 'completed' && canMove(status, 'complete'))
        await this.#record.save(completedRun(run, this.#now()));
      if (outcome.kind === 'failed' && canMove(status, 'fail'))
        await this.#move('fail', { error: outcome.error, from: run });
      if (this.#execution !== execution) return;
      this.#execution = undefined;
      // A shortage kept its cancel from being recorded: it goes on, or is cancelled, as after a restart.
      if (outcome.kind === 'cancelled' && canMove(status, 'cancel')) this.#deps.onTryLater(this);
      // Not always the slot that it began with: after a pause it goes on in another one.
      this.#releaseSlot();
    });
  }

  #reportProgress(): void {
    if (this.run.finishedAt === null && !this.#isStopping) this.#deps.onChange(this);
  }

  /** Undefined when there was nothing to run any more. */
  async #runToItsEnd(execution: RunExecution, upstream: Upstream): Promise<ExecutionOutcome | undefined> {
    try {
      // In turn, so that a verb finds either an execution that it can end or none, and none begins behind its back.
      const mayRun = await this.#mutex.run(async () => {
        if (this.#mayExecute) this.#execution = execution;
        return this.#execution === execution;
      });
      return mayRun ? await execution.run() : undefined;
    } finally {
      // Before the record says that the run has ended, so that its recorded calls are stored by then.
      await upstream.close?.();
    }
  }

  /** Ends a run that an earlier process left without its end, or that was in too many crashes. True if it has ended. */
  #endAfterCrash(plan: Plan, results: RunResults): Promise<boolean> {
    return this.#mutex.run(async () => {
      const end = await this.#recovery.endOf(this.#record, { plan, results, store: this.#deps.store });
      if (end !== undefined && this.#mayExecute) await this.#move(end.move, end);
      return end !== undefined;
    });
  }

  /** Pauses or cancels the run where its scenario says so, and pauses it when its budget is spent. */
  async #obeyLimits(committedRows: number): Promise<void> {
    const { spentBudget } = this.#execution ?? {};
    if (limitMove(this.#record.latest, { committedRows, spentBudget }) === undefined) return;
    await this.#mutex.run(async () => {
      // A verb may have come first: then the run has moved already, or a user has resumed it past this point.
      if (this.#execution?.isAtLimit === false) return;
      const decided = limitMove(this.#record.latest, { committedRows, spentBudget });
      if (decided?.move === 'cancel') await this.#cancelInTurn();
      if (decided?.move === 'pause') await this.#pauseInTurn(decided.from);
    });
  }

  /** Fails the run after a fault; after a shortage it goes on from its last commit in a moment. With the disk at fault it keeps its status. */
  async #onBroken(error: unknown): Promise<void> {
    this.#warn(error, 'a run could not go on');
    await this.#execution?.stop();
    this.#execution = undefined;
    if (isRefusedForNow(error)) {
      this.#recovery.noteShortage();
      if (!this.#isStopping) this.#deps.onTryLater(this);
    } else if (!this.#deps.health.degraded && canMove(this.#status, 'fail')) {
      await this.#mutex
        .run(() => this.#move('fail', { error: notExecuted(error) }))
        .catch((failure: unknown) => this.#warn(failure, 'a broken run was not stored as failed'));
    }
    this.#releaseSlot();
  }

  /** @param from the record with what else changes with the move */
  async #pauseInTurn(from?: Run): Promise<Run> {
    await this.#move('pause', { from });
    if (this.#status !== 'pausing') return this.run;
    if (this.#execution !== undefined) this.#settleLater(this.#execution);
    else await this.#settle();
    return this.run;
  }

  async #cancelInTurn(): Promise<Run> {
    nextStatus(this.#status, 'cancel');
    await this.#execution?.cancel();
    await this.#move('cancel');
    this.#releaseSlot();
    return this.run;
  }

  #settleLater(execution: RunExecution): void {
    const settle = async (): Promise<void> => {
      await execution.pause();
      await this.#mutex.run(async () => {
        // Resumed, cancelled or finished meanwhile; or resumed and paused once more, which settles by itself.
        if (this.#status === 'pausing' && execution.isPaused) await this.#settle();
      });
    };
    settle().catch((error: unknown) => this.#onBroken(error));
  }

  async #settle(): Promise<void> {
    const tokensUsed = this.#execution?.spentBudget?.used;
    await this.#record.save(settledRun(this.#record.latest, this.#now(), tokensUsed));
    this.#releaseSlot();
  }

  /** @param change.from the record with what else changes with the move */
  #move(
    move: RunMove,
    { from, error }: { readonly from?: Run | undefined; readonly error?: string } = {},
  ): Promise<Run> {
    const data = error === undefined ? this.#now() : { ...this.#now(), error };
    return this.#record.save(moveRun(from ?? this.#record.latest, move, data));
  }

  /** Time and counts of a move that is made now. */
  #now(): MoveData {
    return { at: isoTime(this.#deps.clock), counts: this.#counts };
  }

  async #start(): Promise<void> {
    // Nothing could be recorded of it: it stays queued until a restart.
    this.#deps.health.assertWritable();
    // Recorded first, so that a run that keeps ending the process is found out.
    if (this.#isOfEarlierProcess) return void (await this.#move('start'));
    this.#record.start(this.#counts, () => {
      this.#mutex.run(() => this.#record.saveStart()).catch((error: unknown) => this.#onBroken(error));
    });
  }

  #warn(error: unknown, message: string): void {
    this.#deps.log.error({ runId: this.run.runId, error }, message);
  }

  #releaseSlot(): void {
    this.#slot?.resolve();
    this.#slot = undefined;
  }
}

function withDifferingRequests(run: Run, upstream: Upstream): Run {
  const differingRequests = upstream.differingRequests?.() ?? 0;
  return differingRequests === 0 ? run : { ...run, differingRequests };
}
