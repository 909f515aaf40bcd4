// The workers of one run. It leases them when there is work, replaces lost ones, and gives idle ones back when no work
// is left. It gives all of them back at the end. The run execution hands out the rows.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { maxRowsInBatch } from './batch-size.ts';
import type { Plan, RowScenario, RunSeed } from '../plan.ts';
import type { FromWorker } from '../protocol.ts';
import type { RowWorker, WorkerLoss } from '../pool/row-worker.ts';
import { Seat } from './seat.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

/** Asked of the system once: small runs come by the thousand. */
const cores = availableParallelism();

export type CrewParts = {
  readonly plan: Plan;
  readonly seed: RunSeed;
  readonly scenario: RowScenario;
  readonly pool: WorkerPool;
  readonly rows: number;
  /** Whether workers tell when all their rows wait. */
  readonly tellsRest: boolean;
  /** A worker is there, or free again. */
  readonly onFree: () => void;
  readonly onMessage: (seat: Seat, message: FromWorker) => void;
  /** The seat is already taken from the crew. */
  readonly onLost: (seat: Seat, loss: WorkerLoss) => void;
  /** No worker could be started. */
  readonly onBroken: (error: unknown) => void;
};

export class Crew {
  readonly #parts: CrewParts;
  readonly #plan: { readonly text: string; readonly key: string };
  readonly #slots: (Seat | 'leasing' | undefined)[];
  #pause: number | undefined;
  #isParked = false;
  #isClosed = false;

  constructor(parts: CrewParts) {
    this.#parts = parts;
    this.#plan = identityOf(parts.plan);
    const wanted = Math.min(cores, parts.plan.concurrency);
    // A small run is over before a second worker would be of use.
    this.#slots = new Array<Seat | undefined>(parts.rows <= maxRowsInBatch ? 1 : wanted).fill(undefined);
  }

  /** Fills empty seats. */
  open(): void {
    if (this.#isClosed || this.#pause !== undefined) return;
    this.#slots.forEach((seat, slot) => {
      if (seat !== undefined) return;
      const isFirst = this.#slots.every((other) => other === undefined);
      this.#slots[slot] = 'leasing';
      const request = { owner: this, planKey: this.#plan.key, isFirst };
      this.#parts.pool.lease(request).then(
        (worker) => {
          if (worker === undefined) this.#slots[slot] = undefined;
          else this.#seat(worker, slot);
        },
        (error: unknown) => {
          this.#slots[slot] = undefined;
          if (!this.#isClosed) this.#parts.onBroken(error);
        },
      );
    });
  }

  /** Whether rows may wait for something, while others of their worker go on. */
  get mayWait(): boolean {
    return this.#parts.plan.mayWait || this.#parts.scenario.slowMs !== undefined;
  }

  /** The seat with the least to do that can take more; only one with nothing at all if the work must be alone. */
  free(mustBeAlone: boolean): Seat | undefined {
    const { mayWait } = this;
    let best: Seat | undefined;
    for (const seat of this.seats) {
      const canTake = mustBeAlone ? seat.isIdle : seat.canTake(mayWait);
      if (canTake && (best === undefined || seat.rows < best.rows)) best = seat;
    }
    return best;
  }

  /** Number of workers, counting those that are not leased yet. */
  get size(): number {
    return this.#slots.length;
  }

  get seats(): Seat[] {
    return this.#slots.filter((seat) => seat instanceof Seat);
  }

  get isIdle(): boolean {
    return this.seats.every((seat) => seat.isIdle);
  }

  /** Nothing computes, and nothing will before a wait ends. */
  get isResting(): boolean {
    return this.seats.every((seat) => seat.isResting);
  }

  /** Asks every worker to hold; each answers with a `held` message of that number. */
  pause(nth: number): void {
    this.#pause = nth;
    for (const seat of this.seats) this.#hold(seat, nth);
  }

  resume(): void {
    this.#pause = undefined;
    for (const seat of this.seats) {
      seat.isHeld = false;
      seat.worker.send({ type: 'resume' });
    }
    if (this.#isParked) for (const seat of this.seats) this.#unpark(seat);
    this.#isParked = false;
  }

  get isHeld(): boolean {
    return this.seats.every((seat) => seat.isHeld);
  }

  /** While nothing runs, the workers' places are other runs' to take. */
  park(): void {
    this.#isParked = true;
    for (const seat of this.seats) this.#park(seat);
  }

  /** Gives back those that have nothing to do. For when there is nothing more to be handed out: others need them. */
  releaseIdle(): void {
    this.#withdraw();
    this.#slots.forEach((seat, slot) => {
      if (!(seat instanceof Seat) || !seat.isIdle) return;
      this.#slots[slot] = undefined;
      void this.#giveBack(seat);
    });
  }

  /** Gives all workers back, or ends those that still have something to do; resolves when those are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#withdraw();
    const { seats } = this;
    this.#slots.fill(undefined);
    await Promise.all(seats.map((seat) => this.#giveBack(seat)));
  }

  #seat(worker: RowWorker, slot: number): void {
    const { pool, plan, seed, scenario } = this.#parts;
    if (this.#isClosed) return pool.release(worker, this.#plan.key);
    const seat: Seat = new Seat({
      worker,
      plan,
      mayWait: this.mayWait,
      load: {
        type: 'load',
        planText: this.#plan.text,
        seed,
        scenario,
        timeLimitMs: pool.timeLimitMs,
        rowsInFlight: share(plan.concurrency, this.#slots.length, slot),
        tellsRest: this.#parts.tellsRest,
      },
      owner: {
        onMessage: (message) => {
          seat.check(message);
          this.#parts.onMessage(seat, message);
        },
        onLost: (loss) => this.#onLost(seat, slot, loss),
      },
    });
    this.#slots[slot] = seat;
    if (this.#pause !== undefined) {
      this.#hold(seat, this.#pause);
      // It was given nothing, so it need not answer.
      seat.isHeld = true;
      if (this.#isParked) this.#park(seat);
    }
    this.#parts.onFree();
  }

  #withdraw(): void {
    if (this.#slots.includes('leasing')) this.#parts.pool.withdraw(this);
  }

  #onLost(seat: Seat, slot: number, loss: WorkerLoss): void {
    this.#slots[slot] = undefined;
    this.#unpark(seat);
    void this.#parts.pool.discard(seat.worker);
    this.#parts.onLost(seat, loss);
  }

  #hold(seat: Seat, nth: number): void {
    seat.isHeld = false;
    seat.worker.send({ type: 'pause', nth });
  }

  async #giveBack(seat: Seat): Promise<void> {
    this.#unpark(seat);
    if (seat.isIdle) this.#parts.pool.release(seat.worker, this.#plan.key);
    else await this.#parts.pool.discard(seat.worker);
  }

  #park(seat: Seat): void {
    if (seat.isParked) return;
    seat.isParked = true;
    this.#parts.pool.pauseWorker();
  }

  #unpark(seat: Seat): void {
    if (!seat.isParked) return;
    seat.isParked = false;
    this.#parts.pool.resumeWorker();
  }
}

/** A seat's part of the rows in flight; the parts add up to the whole. */
const share = (whole: number, seats: number, slot: number): number =>
  Math.floor(whole / seats) + (slot < whole % seats ? 1 : 0);

const identities = new WeakMap<Plan, { readonly text: string; readonly key: string }>();

/** The plan's text and a name for it, made once however many runs it has. */
function identityOf(plan: Plan): { readonly text: string; readonly key: string } {
  const known = identities.get(plan);
  if (known !== undefined) return known;
  const text = JSON.stringify(plan);
  const identity = { text, key: createHash('sha256').update(text).digest('hex') };
  identities.set(plan, identity);
  return identity;
}
