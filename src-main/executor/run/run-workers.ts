// The workers of one run. It leases them when there is work, replaces lost ones, and gives free ones back when no batch
// is left. It gives all of them back at the end. The run execution sends the batches.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { RowWorker, WorkerLoss } from '../pool/row-worker.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { hasQuickRows, type Plan, type RowScenario, type RunSeed } from '../plan.ts';
import type { FromWorker } from '../protocol.ts';
import { maxRowsInBatch } from './batch-size.ts';
import { WorkerSlot } from './worker-slot.ts';

type RunWorkersOptions = {
  readonly plan: Plan;
  readonly seed: RunSeed;
  readonly scenario: RowScenario;
  readonly pool: WorkerPool;
  /** Key of the workers in the pool; undefined: the plan's own. */
  readonly planKey: string | undefined;
  /** Number of rows that the run has left. */
  readonly rows: number;
  /** True if workers report that all their rows wait. */
  readonly reportsIdle: boolean;
  /** Called when a worker has arrived or is free again. */
  readonly onFree: () => void;
  /** Called with messages that the slot has checked. */
  readonly onMessage: (slot: WorkerSlot, message: FromWorker) => void;
  /** Called when a slot has lost its worker; the run no longer has that slot. */
  readonly onLost: (slot: WorkerSlot, loss: WorkerLoss) => void;
  /** Called when no worker could be started. */
  readonly onBroken: (error: unknown) => void;
};

/**
 * Work that is worth a further worker, in ms of computing time: a fresh one takes 70 ms until it is ready, and 30 ms more
 * than a warm one for its first rows (measured as processor time with Node 20).
 */
export const freshWorkerMs = 100;

/**
 * Quick rows that are worth a further worker: the server computes as long for such a row as a worker, so on two cores a
 * second worker saves little. With 10,000 rows it costs more than it saves, with 100,000 it is worth its start.
 */
const quickRowsPerWorker = 25_000;

/** An estimate of the work of the rows that no worker has yet. */
export type WorkLeft = {
  readonly rows: number;
  /** Computing time in ms. */
  readonly ms: number;
  /** True if a row has turned out to take a worker longer than the server. */
  readonly hasSlowRows: boolean;
};

export class RunWorkers {
  readonly #options: RunWorkersOptions;
  readonly #plan: PlanIdentity;
  readonly #planKey: string;
  readonly #slots: (WorkerSlot | 'leasing' | undefined)[];
  /** Id of the pause in force. */
  #pauseId: number | undefined;
  #isClosed = false;

  constructor(options: RunWorkersOptions) {
    this.#options = options;
    this.#plan = identityOf(options.plan);
    this.#planKey = options.planKey ?? this.#plan.key;
    // Rows that wait overlap in one worker, so that few of them need no second one.
    const isSmall = this.#leasesAll && options.rows <= maxRowsInBatch;
    const size = isSmall ? 1 : Math.min(availableParallelism(), options.plan.concurrency);
    this.#slots = new Array<WorkerSlot | undefined>(size).fill(undefined);
  }

  /**
   * Leases workers for empty slots: one, and further ones for the work that is left. A run whose work cannot be estimated
   * gets all workers at once.
   */
  fillSlots(estimate: () => WorkLeft): void {
    if (this.#isClosed || this.#pauseId !== undefined || !this.#slots.includes(undefined)) return;
    const target = this.#leasesAll ? this.#slots.length : this.#workersFor(estimate());
    this.#slots.slice(0, target).forEach((slot, index) => {
      if (slot === undefined) this.#leaseWorker(index);
    });
  }

  #workersFor({ rows, ms, hasSlowRows }: WorkLeft): number {
    const areQuick = !hasSlowRows && hasQuickRows(this.#options.plan);
    return 1 + Math.floor(areQuick ? rows / quickRowsPerWorker : ms / freshWorkerMs);
  }

  /** True if work cannot be estimated: rows wait, or the run's clock stands still while they compute. */
  get #leasesAll(): boolean {
    return this.mayWait || this.#options.reportsIdle;
  }

  /** True if rows may wait for something, while others of their worker go on. */
  get mayWait(): boolean {
    return this.#options.plan.mayWait || this.#options.scenario.slowMs !== undefined;
  }

  /** The slot with the fewest rows that can take more; only a free one if `mustBeFree`. */
  findSlot(mustBeFree: boolean): WorkerSlot | undefined {
    const usable = this.occupiedSlots.filter((slot) => (mustBeFree ? slot.isFree : slot.canTakeBatch));
    return usable.toSorted((one, other) => one.rows - other.rows)[0];
  }

  /** Number of workers that the run has or waits for. */
  get size(): number {
    return this.#slots.filter((slot) => slot !== undefined).length;
  }

  /** Slots that have a worker. */
  get occupiedSlots(): WorkerSlot[] {
    return this.#slots.filter((slot) => slot instanceof WorkerSlot);
  }

  /** Computing time of the run's workers so far, in ms; undefined if the system does not report it. */
  get computedMs(): number | undefined {
    let sum = 0;
    for (const { computedMs } of this.occupiedSlots) {
      if (computedMs === undefined) return undefined;
      sum += computedMs;
    }
    return sum;
  }

  /** True if no worker has a batch. */
  get areFree(): boolean {
    return this.occupiedSlots.every((slot) => slot.isFree);
  }

  /** True if no worker computes, and none will before a wait ends. */
  get areIdle(): boolean {
    return this.occupiedSlots.every((slot) => slot.isIdle);
  }

  /** Asks every worker to pause; each answers with a `paused` message of that id. */
  pause(pauseId: number): void {
    this.#pauseId = pauseId;
    for (const slot of this.occupiedSlots) slot.worker.send({ type: 'pause', pauseId });
  }

  /** Records that nothing runs in the slot until `resume`. Meanwhile another run may use a worker instead. */
  markPaused(slot: WorkerSlot): void {
    if (slot.isPaused) return;
    slot.isPaused = true;
    this.#options.pool.pauseWorker();
  }

  resume(): void {
    this.#pauseId = undefined;
    for (const slot of this.occupiedSlots) {
      this.#markResumed(slot);
      slot.worker.send({ type: 'resume' });
    }
  }

  get arePaused(): boolean {
    return this.occupiedSlots.every((slot) => slot.isPaused);
  }

  /** Gives free workers back, since no batch is left for them and other runs may need them. */
  releaseFreeSlots(): void {
    this.#withdrawRequests();
    this.#slots.forEach((slot, index) => {
      if (!(slot instanceof WorkerSlot) || !slot.isFree) return;
      this.#slots[index] = undefined;
      void this.#giveBack(slot);
    });
  }

  /** Gives all workers back, or ends those that still have a batch; resolves when those are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#withdrawRequests();
    const slots = this.occupiedSlots;
    this.#slots.fill(undefined);
    await Promise.all(slots.map((slot) => this.#giveBack(slot)));
  }

  #leaseWorker(index: number): void {
    const isFirst = this.#slots.every((slot) => slot === undefined);
    this.#slots[index] = 'leasing';
    this.#options.pool.lease({ owner: this, planKey: this.#planKey, isFirst }).then(
      (worker) => {
        if (worker === undefined) this.#slots[index] = undefined;
        else this.#occupySlot(worker, index);
      },
      (error: unknown) => {
        this.#slots[index] = undefined;
        if (!this.#isClosed) this.#options.onBroken(error);
      },
    );
  }

  #occupySlot(worker: RowWorker, index: number): void {
    const { pool, plan, seed, scenario, reportsIdle, onMessage } = this.#options;
    if (this.#isClosed) return pool.release(worker, this.#planKey);
    const slot: WorkerSlot = new WorkerSlot({
      worker,
      plan,
      mayWait: this.mayWait,
      load: {
        type: 'load',
        planText: this.#plan.text,
        seed,
        scenario,
        timeLimitMs: pool.timeLimitMs,
        rowsInFlight: share(plan.concurrency, this.#slots.length, index),
        reportsIdle,
      },
      onMessage: (message) => onMessage(slot, message),
      onLost: (loss) => this.#afterLoss(slot, index, loss),
    });
    this.#slots[index] = slot;
    if (this.#pauseId !== undefined) {
      slot.worker.send({ type: 'pause', pauseId: this.#pauseId });
      // It has no batch, so its answer need not be waited for.
      this.markPaused(slot);
    }
    this.#options.onFree();
  }

  #withdrawRequests(): void {
    if (this.#slots.includes('leasing')) this.#options.pool.withdraw(this);
  }

  #afterLoss(slot: WorkerSlot, index: number, loss: WorkerLoss): void {
    this.#slots[index] = undefined;
    this.#markResumed(slot);
    void this.#options.pool.discard(slot.worker);
    this.#options.onLost(slot, loss);
  }

  async #giveBack(slot: WorkerSlot): Promise<void> {
    this.#markResumed(slot);
    if (slot.isFree) this.#options.pool.release(slot.worker, this.#planKey);
    else await this.#options.pool.discard(slot.worker);
  }

  #markResumed(slot: WorkerSlot): void {
    if (!slot.isPaused) return;
    slot.isPaused = false;
    this.#options.pool.resumeWorker();
  }
}

/** A slot's share of the rows in flight; the shares add up to the whole. */
const share = (whole: number, slots: number, index: number): number =>
  Math.floor(whole / slots) + (index < whole % slots ? 1 : 0);

type PlanIdentity = { readonly text: string; readonly key: string };

const identities = new WeakMap<Plan, PlanIdentity>();

/** The plan's text and its hash, made once for all runs of the plan. */
function identityOf(plan: Plan): PlanIdentity {
  const known = identities.get(plan);
  if (known !== undefined) return known;
  const text = JSON.stringify(plan);
  const identity = { text, key: createHash('sha256').update(text).digest('hex') };
  identities.set(plan, identity);
  return identity;
}
