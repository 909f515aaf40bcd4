// Sends a run's rows to its workers in batches, as long as the run is open and workers and memory have room.
// Who calls: RunExecution.
import type { TraceDetail } from '../../domain/results/trace-form.ts';
import { BatchSize } from './batch-size.ts';
import type { BatchSource } from './batch-source.ts';
import { startsIsolated, type PendingBatch } from './recover-lost-batch.ts';
import type { RunExecutionOptions } from './run-execution-options.ts';
import { freshWorkerMs, type RunWorkers, type WorkLeft } from './run-workers.ts';
import type { WorkerSlot } from './worker-slot.ts';

/** Maximum bytes of rows and results in progress. Keeps memory flat, however slow the disk or a row is. */
const maxBytesInProgress = 16_000_000;

/** Minimum computing time of a row, in ms: a row of a few fields in a worker that has warmed up. */
const minRowMs = 0.02;
/** Rows after which their time counts: the first ones of a worker take ten times longer than later ones. */
const minMeasuredRows = 256;
/** Computing time of a row in a worker that has warmed up, in ms, above which it takes the worker longer than the server. */
const slowRowMs = 0.03;
/** Minimum time between two estimates of the work left, in ms: the system is asked for the workers' computing time. */
const estimateEveryMs = 20;

type DispatchDeps = {
  readonly source: BatchSource;
  readonly workers: RunWorkers;
  /** True while rows may start. */
  readonly isOpen: () => boolean;
  /** The first row that need not start any more; Infinity if all rows are needed. */
  readonly lastRow: () => number;
  /** Bytes of results that are not committed yet. */
  readonly uncommittedBytes: () => number;
  readonly traceDetail: () => TraceDetail;
  /** Called when no further batch can be sent for now. */
  readonly onSent: () => void;
  /** Called when a round of dispatching has ended. */
  readonly onIdle: () => void;
  readonly onBroken: (error: unknown) => Promise<void>;
};

export class BatchDispatcher {
  readonly #options: RunExecutionOptions;
  readonly #deps: DispatchDeps;
  readonly #batchSize: BatchSize;
  /** Bytes of the rows that workers have and have not finished. */
  #bytesSent = 0;
  #rowsDone = 0;
  /** Time that workers took for these rows, in ms: it counts where the system reports no computing time. */
  #msDone = 0;
  #isDispatching = false;
  #estimate: { readonly at: number; readonly work: WorkLeft } | undefined;
  /** Rows that were done, and their time in ms, when the workers had warmed up. */
  #warmedUp: { readonly rows: number; readonly ms: number } | undefined;
  /** True if something has changed since the dispatcher last looked for batches to send. */
  #isDispatchDue = false;

  constructor(options: RunExecutionOptions, deps: DispatchDeps) {
    this.#options = options;
    this.#deps = deps;
    const { mayWait } = deps.workers;
    this.#batchSize = new BatchSize({ ...options.plan, mayWait, firstRows: options.firstBatchRows });
  }

  get isDispatching(): boolean {
    return this.#isDispatching;
  }

  /** True if workers have rows that they have not finished. */
  get hasSentRows(): boolean {
    return this.#bytesSent > 0;
  }

  dispatch(): void {
    this.#isDispatchDue = true;
    if (!this.#isDispatching) void this.#dispatchWhileDue();
  }

  /** Records that a worker has finished a batch, which took `ms`. */
  finishBatch(batch: PendingBatch, ms: number): void {
    this.dropBatch(batch);
    if (batch.isolated) return;
    this.#batchSize.recordBatch(batch.rows, ms);
    this.#rowsDone += batch.rows;
    this.#msDone += ms;
  }

  /** Records that a worker no longer has a batch. */
  dropBatch({ bytes }: PendingBatch): void {
    this.#bytesSent -= bytes.byteLength;
  }

  async #dispatchWhileDue(): Promise<void> {
    this.#isDispatching = true;
    while (this.#isDispatchDue) {
      this.#isDispatchDue = false;
      try {
        await this.#sendBatches();
      } catch (error) {
        await this.#deps.onBroken(error);
      }
    }
    this.#isDispatching = false;
    this.#deps.onIdle();
  }

  /** Gives rows to workers until none can take more. */
  async #sendBatches(): Promise<void> {
    const { source, workers, isOpen, onSent } = this.#deps;
    while (this.#maySendBatch) {
      workers.fillSlots(() => this.#workLeft);
      const slot = workers.findSlot(source.needsFreeSlot);
      if (slot === undefined) return;
      const batch = await source.nextBatch(this.#batchSize.nextBatchRows(this.#rowsToRead, workers.size));
      if (batch === undefined) break;
      if (!isOpen() || !this.#sendTo(slot, batch)) source.requeue([batch]);
    }
    // Only commits are left.
    if (isOpen() && source.isEmpty) workers.releaseFreeSlots();
    onSent();
  }

  get #rowsToRead(): number {
    const { firstRow, rowsLeft } = this.#options;
    return firstRow + rowsLeft - this.#deps.source.nextRow;
  }

  get #workLeft(): WorkLeft {
    const now = this.#options.clock.monotonic();
    if (this.#estimate === undefined || now - this.#estimate.at >= estimateEveryMs)
      this.#estimate = { at: now, work: this.#estimateWork() };
    return this.#estimate.work;
  }

  /** The work of the rows that have not been read yet; the time that rows took so far counts once it is known. */
  #estimateWork(): WorkLeft {
    const ms = this.#deps.workers.computedMs ?? this.#msDone;
    const rows = this.#rowsDone;
    const isKnown = rows >= minMeasuredRows || ms >= freshWorkerMs;
    if (ms >= freshWorkerMs) this.#warmedUp ??= { rows, ms };
    const measured = this.#warmedUp && { rows: rows - this.#warmedUp.rows, ms: ms - this.#warmedUp.ms };
    return {
      rows: this.#rowsToRead,
      ms: this.#rowsToRead * (isKnown ? ms / Math.max(1, rows) : minRowMs),
      hasSlowRows:
        measured !== undefined && measured.ms >= freshWorkerMs && measured.ms > slowRowMs * measured.rows,
    };
  }

  get #maySendBatch(): boolean {
    const { source, isOpen, lastRow, uncommittedBytes } = this.#deps;
    if (!isOpen() || !source.hasRowsBefore(lastRow())) return false;
    return this.#bytesSent === 0 || this.#bytesSent + uncommittedBytes() < maxBytesInProgress;
  }

  /** False when the slot was lost, or can no longer take the batch, while the batch was being read. */
  #sendTo(slot: WorkerSlot, batch: PendingBatch): boolean {
    const { workers, traceDetail } = this.#deps;
    if (!workers.occupiedSlots.includes(slot) || (batch.isolated && !slot.isFree)) return false;
    const { plan, rowsLeft, clock } = this.#options;
    this.#bytesSent += batch.bytes.byteLength;
    const isolated = batch.isolated || (rowsLeft === 1 && startsIsolated(plan));
    slot.sendBatch({ ...batch, isolated }, clock.monotonic(), traceDetail());
    return true;
  }
}
