// Row workers for all runs. A worker serves one workflow's plan only, run after run, since starting a process costs
// more than a small run. One spare worker without a plan is kept warm for the next workflow.
// INVARIANT: never more than `maxWorkers` at work, and `close` leaves no process behind.
import { availableParallelism } from 'node:os';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import type { Log } from '../../base/log.ts';
import type { MemoryWatcher } from '../process/memory-limit.ts';
import { forkWorkers, makeWorkingFolder } from '../process/fork-worker.ts';
import { OrphanGuard } from '../process/orphan-guard.ts';
import type { StartWorker } from '../process/worker-process.ts';
import { RowWorker } from './row-worker.ts';

export type WorkerPoolOptions = {
  /** Called when nothing has run for a while. */
  readonly onIdle?: () => void;
  /** The bundled row worker. */
  readonly workerScript: string;
  readonly clock: Clock;
  readonly log: Log;
  /** For one attempt of one node on one row. */
  readonly timeLimitMs: number;
  /** Heap of one worker, in MB; its whole memory may be 128 MB more. */
  readonly memoryMb: number;
  /** The watcher of the whole memory of forked workers. Default: the one that the system allows. */
  readonly memoryWatcher?: MemoryWatcher;
  /** Workers at work at once, over all runs. */
  readonly maxWorkers?: number;
  /** How a worker's process is started, if not by forking this one. */
  readonly startWorker?: StartWorker;
};

/**
 * Runs that follow each other find their worker, and idle memory is given back soon. The spare alone stays: it serves any
 * workflow, and holds 60 MB where a worker that has served runs may hold hundreds.
 */
const idleMs = 30_000;
/** Before the spare is replaced: the run that took it should have the cores to itself. */
const spareDelayMs = 250;
/**
 * A worker that has served this many runs is replaced, lest anything builds up in it. A new one takes half a second of a
 * core until it is as quick, as long as a thousand small runs.
 */
const maxRuns = 50_000;
/**
 * Time after a worker was leased to compute during which it may soon be back, in ms; small runs take a few. While every
 * core has such a worker, other leases wait, since one more worker would make no run quicker. A run that keeps its
 * worker for longer holds up no other lease.
 */
const briefMs = 25;
/** A worker that is still to be started takes a few hundred ms, and a core of its own meanwhile. */
const maxStartMs = 1000;
/** Maximum time that a lease waits for a core, in ms, however many other leases come and go. */
const maxPatienceMs = 250;

const poolClosed = (): Error => new Error('The worker pool is closed');

/** @property due when it is no longer left to wait for a core, in monotonic ms */
type Waiting = Lease & { readonly granted: Deferred<RowWorker | undefined>; readonly due: number };
/** A worker that computes and may soon be done. @property until no longer than that, in monotonic ms */
type Brief = { until: number; isStarting: boolean };
type Lease = {
  /** Who can withdraw it. */
  readonly owner: object;
  readonly planKey: string;
  /** A run's first worker goes before any run's further ones. */
  readonly isFirst: boolean;
  /** Its rows may wait for something else than a core. */
  readonly mayWait: boolean;
};
type Idle = { readonly worker: RowWorker; readonly planKey: string; readonly cancelExpiry: CancelTimer };

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #maxWorkers: number;
  readonly #cores = availableParallelism();
  #folder: ReturnType<typeof makeWorkingFolder> | undefined;
  readonly #guard = new OrphanGuard();
  readonly #all = new Set<RowWorker>();
  readonly #idle: Idle[] = [];
  readonly #waiting: Waiting[] = [];
  #spare: Promise<RowWorker> | undefined;
  #cancelSpare: CancelTimer | undefined;
  readonly #brief = new Set<Brief>();
  readonly #briefOf = new WeakMap<RowWorker, Brief>();
  /** Cancels the timer that looks again at the leases that wait for a core. */
  #cancelGrant: CancelTimer | undefined;
  /** Leases granted and not given back, workers of settled pauses aside. */
  #atWork = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    // Eight runs at once each need one, and one large run should still find the cores.
    this.#maxWorkers = options.maxWorkers ?? 8 + this.#cores;
  }

  get timeLimitMs(): number {
    return this.#options.timeLimitMs;
  }

  /** Starts the spare, so that the first run finds a worker ready. */
  warm(): void {
    if (this.#isClosed || this.#spare !== undefined) return;
    this.#spare = this.#start();
    this.#spare.catch((error: unknown) => {
      this.#spare = undefined;
      if (!this.#isClosed) this.#options.log.error({ error }, 'no spare row worker');
    });
  }

  /** Kills every worker that the pool started; resolves when all are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSpare?.();
    this.#cancelGrant?.();
    for (const { cancelExpiry } of this.#idle.splice(0)) cancelExpiry();
    for (const { granted } of this.#waiting.splice(0)) granted.reject(poolClosed());
    // The spare too, however far its start has come; one whose process is not there yet finds the pool closed.
    await Promise.all([...this.#all].map((worker) => worker.kill()));
    await this.#spare?.catch(() => undefined);
    this.#guard.close();
    await (await this.#folder)?.remove();
  }

  /**
   * A worker for a run of that plan. Give it back with `release` or `discard`. Undefined when it was withdrawn. Rejects when
   * none can be started.
   */
  lease(lease: Lease): Promise<RowWorker | undefined> {
    if (this.#isClosed) return Promise.reject(poolClosed());
    const granted = deferred<RowWorker | undefined>();
    const due = this.#options.clock.monotonic() + (lease.mayWait ? 0 : maxPatienceMs);
    const place = lease.isFirst ? this.#waiting.findIndex(({ isFirst }) => !isFirst) : -1;
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, { ...lease, granted, due });
    this.#grant();
    return granted.promise;
  }

  /** Withdraws the owner's leases that are not granted yet: each resolves to undefined. */
  withdraw(owner: object): void {
    for (let place = this.#waiting.length - 1; place >= 0; place -= 1)
      if (this.#waiting[place]?.owner === owner)
        this.#waiting.splice(place, 1)[0]?.granted.resolve(undefined);
  }

  /** Takes back a worker that has nothing left to do. */
  release(worker: RowWorker, planKey: string): void {
    this.#endWork(worker);
    worker.own(undefined);
    worker.idle();
    worker.runs += 1;
    if (worker.hasEnded || this.#isClosed || worker.runs >= maxRuns) void worker.kill();
    else {
      const cancelExpiry = this.#options.clock.setTimer(idleMs, () => this.#expire(worker));
      this.#idle.push({ worker, planKey, cancelExpiry });
    }
    this.#grant();
  }

  /** Takes back a worker that is lost or must stop at once; resolves when its process is gone. */
  async discard(worker: RowWorker): Promise<void> {
    this.#endWork(worker);
    const gone = worker.kill();
    this.#grant();
    await gone;
  }

  /** While a run is paused its workers compute nothing and do not keep other runs from theirs. */
  park(): void {
    this.#atWork -= 1;
    this.#grant();
  }

  unpark(): void {
    this.#atWork += 1;
  }

  #endWork(worker: RowWorker): void {
    this.#atWork -= 1;
    const brief = this.#briefOf.get(worker);
    if (brief !== undefined) this.#brief.delete(brief);
  }

  #grant(): void {
    while (this.#atWork < this.#maxWorkers) {
      const next = this.#takeNext();
      if (next === undefined) return;
      this.#atWork += 1;
      this.#give(next, this.#options.clock.monotonic()).catch((error: unknown) => {
        this.#atWork -= 1;
        next.granted.reject(error);
        this.#grant();
      });
    }
  }

  async #give({ planKey, mayWait, granted }: Waiting, now: number): Promise<void> {
    const brief = { until: now + maxStartMs, isStarting: true };
    if (!mayWait) this.#brief.add(brief);
    try {
      const worker = await this.#find(planKey);
      brief.until = this.#options.clock.monotonic() + briefMs;
      brief.isStarting = false;
      this.#briefOf.set(worker, brief);
      granted.resolve(worker);
      this.#grant();
    } catch (error) {
      this.#brief.delete(brief);
      throw error;
    }
  }

  #takeNext(): Waiting | undefined {
    if (this.#waiting.length === 0) return undefined;
    const now = this.#options.clock.monotonic();
    const place = this.#nextPlace(now);
    if (place >= 0) return this.#waiting.splice(place, 1)[0];
    const next = [...this.#brief].reduce((soonest, { until }) => Math.min(soonest, until), Infinity);
    const due = this.#waiting.reduce((soonest, waiting) => Math.min(soonest, waiting.due), next);
    this.#cancelGrant?.();
    this.#cancelGrant = this.#options.clock.setTimer(Math.max(1, due - now), () => this.#grant());
    return undefined;
  }

  /** Index in `#waiting` of the lease to grant next; -1: every lease has to wait. */
  #nextPlace(now: number): number {
    for (const brief of this.#brief) if (brief.until <= now) this.#brief.delete(brief);
    if (this.#brief.size < this.#cores) return 0;
    const due = this.#waiting.findIndex((waiting) => waiting.due <= now);
    if (due >= 0) return due;
    // A worker that is still starting keeps no lease from an idle worker that has its plan.
    const started = [...this.#brief].filter(({ isStarting }) => !isStarting).length;
    if (started >= this.#cores) return -1;
    return this.#waiting.findIndex(({ planKey }) => this.#idle.some((idle) => idle.planKey === planKey));
  }

  /** Best first: one that knows the plan, the spare, a new one. */
  async #find(planKey: string): Promise<RowWorker> {
    const known = this.#idle.findLastIndex((idle) => idle.planKey === planKey);
    if (known >= 0) {
      const [idle] = this.#idle.splice(known, 1);
      idle?.cancelExpiry();
      if (idle !== undefined && !idle.worker.hasEnded) return idle.worker;
    }
    this.#makeRoom();
    const spare = this.#spare;
    this.#spare = undefined;
    this.#cancelSpare ??= this.#options.clock.setTimer(spareDelayMs, () => {
      this.#cancelSpare = undefined;
      this.warm();
    });
    const worker = await spare?.catch(() => undefined);
    if (worker !== undefined && !worker.hasEnded) return worker;
    // One more try: the first may have been ended from outside.
    return this.#start().catch(() => this.#start());
  }

  /** Idle workers of other plans give way, so that the processes never outnumber the limit by more than the spare. */
  #makeRoom(): void {
    if (this.#atWork + this.#idle.length <= this.#maxWorkers) return;
    const oldest = this.#idle.shift();
    oldest?.cancelExpiry();
    void oldest?.worker.kill();
  }

  async #start(): Promise<RowWorker> {
    const { startWorker } = this.#options;
    if (startWorker !== undefined) return this.#startBy(startWorker);
    try {
      const { path } = await (this.#folder ??= makeWorkingFolder());
      const { workerScript: script, memoryMb, memoryWatcher } = this.#options;
      const guard = this.#guard;
      return await this.#startBy(
        forkWorkers({ script, memoryMb, memoryWatcher, workingFolder: path, guard }),
      );
    } catch (error) {
      // A cleanup of temporary files may have removed the working folder; the next start makes a new one.
      this.#folder = undefined;
      throw error;
    }
  }

  async #startBy(start: StartWorker): Promise<RowWorker> {
    if (this.#isClosed) return Promise.reject(poolClosed());
    const { memoryMb, clock, log, timeLimitMs } = this.#options;
    const worker = new RowWorker({ start, clock, log, timeLimitMs, memoryMb });
    this.#all.add(worker);
    void worker.ended.then(() => {
      this.#all.delete(worker);
      this.#forget(worker);
    });
    await worker.ready;
    return worker;
  }

  #expire(worker: RowWorker): void {
    this.#forget(worker);
    void worker.kill();
    if (this.#atWork === 0 && this.#idle.length === 0) this.#options.onIdle?.();
  }

  #forget(worker: RowWorker): void {
    const place = this.#idle.findIndex((idle) => idle.worker === worker);
    if (place >= 0) this.#idle.splice(place, 1)[0]?.cancelExpiry();
  }
}
