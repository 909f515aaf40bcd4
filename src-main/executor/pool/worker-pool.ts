// Row workers for all runs. A worker serves one workflow's plan only, run after run, since starting a process costs
// more than a small run. One warm worker without a plan is kept for the next workflow.
// INVARIANT: never more than `maxWorkers` compute at once, and `close` leaves no process behind.
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
  /** Time limit for one attempt of one node on one row, in ms. */
  readonly timeLimitMs: number;
  /** Maximum heap of one worker, in MB; its whole memory may be 128 MB larger. */
  readonly memoryMb: number;
  /** The watcher of the whole memory of forked workers. Default: the one that the system allows. */
  readonly memoryWatcher?: MemoryWatcher;
  /** Maximum number of workers that compute at once, over all runs. */
  readonly maxWorkers?: number;
  /** How a worker's process is started, if not by forking this one. */
  readonly startWorker?: StartWorker;
  /** Time until an idle worker is ended, in ms; default 30 s. */
  readonly idleMs?: number;
  /** Time between the time limit and the kill, in ms; default 500. */
  readonly graceMs?: number;
  /** True if other processes go before the workers where cores are scarce. */
  readonly isBackground?: boolean;
};

/**
 * A run that follows soon finds its worker. Only the warm worker stays: it serves any workflow and takes 60 MB, while a
 * worker that has served runs may take hundreds.
 */
const usualIdleMs = 30_000;
/** Time from the use of the warm worker to the start of the next one, in ms: the run that took it needs the cores first. */
const nextWarmMs = 2_000;
/** Maximum number of runs that a worker serves before it is replaced, so that nothing builds up in it. */
const maxRuns = 50_000;

const poolClosed = (): Error => new Error('The worker pool is closed');

type WorkerRequest = {
  /** The object that can withdraw the request. */
  readonly owner: object;
  readonly planKey: string;
  /** True for the first worker of a run, which is granted before further workers of any run. */
  readonly isFirst: boolean;
};
type WaitingRequest = WorkerRequest & { readonly granted: Deferred<RowWorker | undefined> };
type IdleWorker = {
  readonly worker: RowWorker;
  readonly planKey: string;
  readonly cancelExpiry: CancelTimer;
};

export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #maxWorkers: number;
  #folder: ReturnType<typeof makeWorkingFolder> | undefined;
  readonly #guard = new OrphanGuard();
  readonly #all = new Set<RowWorker>();
  readonly #idle: IdleWorker[] = [];
  readonly #waiting: WaitingRequest[] = [];
  /** A worker without a plan, started before a run needs it. */
  #warmWorker: Promise<RowWorker> | undefined;
  #keepsWarm = false;
  #cancelNextWarm: CancelTimer | undefined;
  /** Number of workers that are leased; those of paused runs do not count. */
  #leased = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    // Eight runs at once need a worker each, and one large run should still find the cores.
    this.#maxWorkers = options.maxWorkers ?? 8 + availableParallelism();
  }

  get timeLimitMs(): number {
    return this.#options.timeLimitMs;
  }

  /** Starts a warm worker now, and another soon after each use, so that a workflow's first run need not wait for a start. */
  keepWarm(): void {
    this.#keepsWarm = true;
    this.#startWarmWorker();
  }

  /** Kills every worker that the pool started; resolves when all are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNextWarm?.();
    for (const { cancelExpiry } of this.#idle.splice(0)) cancelExpiry();
    for (const { granted } of this.#waiting.splice(0)) granted.reject(poolClosed());
    // This includes a warm worker that is still starting. A worker without a process yet finds the pool closed.
    await Promise.all([...this.#all].map((worker) => worker.kill()));
    await this.#warmWorker?.catch(() => undefined);
    this.#guard.close();
    await (await this.#folder)?.remove();
  }

  /**
   * Resolves to a worker for a run of that plan; give it back with `release` or `discard`. Resolves to undefined when the
   * request was withdrawn. Rejects when no worker can be started.
   */
  lease(request: WorkerRequest): Promise<RowWorker | undefined> {
    if (this.#isClosed) return Promise.reject(poolClosed());
    const granted = deferred<RowWorker | undefined>();
    const firstFurther = request.isFirst ? this.#waiting.findIndex(({ isFirst }) => !isFirst) : -1;
    this.#waiting.splice(firstFurther < 0 ? this.#waiting.length : firstFurther, 0, { ...request, granted });
    this.#grant();
    return granted.promise;
  }

  /** Withdraws the owner's requests that are not granted yet: each resolves to undefined. */
  withdraw(owner: object): void {
    for (let index = this.#waiting.length - 1; index >= 0; index -= 1)
      if (this.#waiting[index]?.owner === owner)
        this.#waiting.splice(index, 1)[0]?.granted.resolve(undefined);
  }

  /** Takes back a worker that has nothing left to do. */
  release(worker: RowWorker, planKey: string): void {
    this.#leased -= 1;
    worker.setOwner(undefined);
    worker.markIdle();
    worker.runs += 1;
    if (worker.hasEnded || this.#isClosed || worker.runs >= maxRuns) void worker.kill();
    else {
      const { clock, idleMs = usualIdleMs } = this.#options;
      const cancelExpiry = clock.setTimer(idleMs, () => this.#expire(worker));
      this.#idle.push({ worker, planKey, cancelExpiry });
    }
    this.#grant();
  }

  /** Takes back a worker that is lost or must stop at once; resolves when its process is gone. */
  async discard(worker: RowWorker): Promise<void> {
    this.#leased -= 1;
    const gone = worker.kill();
    this.#grant();
    await gone;
  }

  /** Counts a worker of a paused run as not leased: it computes nothing, so another run may use a worker instead. */
  pauseWorker(): void {
    this.#leased -= 1;
    this.#grant();
  }

  resumeWorker(): void {
    this.#leased += 1;
  }

  #grant(): void {
    while (this.#leased < this.#maxWorkers) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#leased += 1;
      this.#findWorker(next.planKey).then(next.granted.resolve, (error: unknown) => {
        this.#leased -= 1;
        next.granted.reject(error);
        this.#grant();
      });
    }
  }

  /** An idle worker that has the plan; else the warm worker; else a new one. */
  async #findWorker(planKey: string): Promise<RowWorker> {
    const known = this.#idle.findLastIndex((idle) => idle.planKey === planKey);
    if (known >= 0) {
      const [idle] = this.#idle.splice(known, 1);
      idle?.cancelExpiry();
      if (idle !== undefined && !idle.worker.hasEnded) return idle.worker;
    }
    this.#makeRoom();
    const worker = await this.#takeWarmWorker();
    if (worker !== undefined && !worker.hasEnded) return worker;
    // Tried twice: the first process may have been ended from outside.
    return this.#start().catch(() => this.#start());
  }

  /** Takes the warm worker; undefined if there is none. */
  async #takeWarmWorker(): Promise<RowWorker | undefined> {
    const warmWorker = this.#warmWorker;
    this.#warmWorker = undefined;
    if (this.#keepsWarm) {
      this.#cancelNextWarm?.();
      this.#cancelNextWarm = this.#options.clock.setTimer(nextWarmMs, () => this.#startWarmWorker());
    }
    return warmWorker?.catch(() => undefined);
  }

  #startWarmWorker(): void {
    if (this.#isClosed || this.#warmWorker !== undefined) return;
    this.#warmWorker = this.#start();
    this.#warmWorker.catch((error: unknown) => {
      this.#warmWorker = undefined;
      if (!this.#isClosed) this.#options.log.error({ error }, 'no warm row worker');
    });
  }

  /** Ends idle workers of other plans, so that the limit is exceeded by the warm worker at most. */
  #makeRoom(): void {
    if (this.#leased + this.#idle.length <= this.#maxWorkers) return;
    const oldest = this.#idle.shift();
    oldest?.cancelExpiry();
    void oldest?.worker.kill();
  }

  async #start(): Promise<RowWorker> {
    const { startWorker } = this.#options;
    if (startWorker !== undefined) return this.#startBy(startWorker);
    try {
      const { path } = await (this.#folder ??= makeWorkingFolder());
      const { workerScript: script, memoryMb, memoryWatcher, isBackground } = this.#options;
      const guard = this.#guard;
      return await this.#startBy(
        forkWorkers({ script, memoryMb, memoryWatcher, isBackground, workingFolder: path, guard }),
      );
    } catch (error) {
      // A cleanup of temporary files may have removed the working folder; the next start makes a new one.
      this.#folder = undefined;
      throw error;
    }
  }

  async #startBy(start: StartWorker): Promise<RowWorker> {
    if (this.#isClosed) return Promise.reject(poolClosed());
    const { memoryMb, clock, log, timeLimitMs, graceMs } = this.#options;
    const worker = new RowWorker({ start, clock, log, timeLimitMs, graceMs, memoryMb });
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
    if (this.#leased === 0 && this.#idle.length === 0) this.#options.onIdle?.();
  }

  #forget(worker: RowWorker): void {
    const index = this.#idle.findIndex((idle) => idle.worker === worker);
    if (index >= 0) this.#idle.splice(index, 1)[0]?.cancelExpiry();
  }
}
