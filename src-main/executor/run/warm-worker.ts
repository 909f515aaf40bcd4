import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { RowWorker } from '../pool/row-worker.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';

type WarmWorkerOptions = {
  readonly pool: WorkerPool;
  readonly planKey: string;
  readonly clock: Clock;
};

/** Time after which another worker starts, in ms: what takes longer will often be stopped, and its worker with it. */
const warmAfterMs = 80;

/** A worker that starts while another one computes for long, for what runs after that. */
export class WarmWorker {
  readonly #options: WarmWorkerOptions;
  #cancelTimer: CancelTimer | undefined;
  #worker: Promise<RowWorker | undefined> | undefined;

  constructor(options: WarmWorkerOptions) {
    this.#options = options;
  }

  /** Leases the worker that has been started, else another one; starts the next one in a moment. */
  async lease(owner: object): Promise<RowWorker | undefined> {
    const { pool, planKey, clock } = this.#options;
    const warm = this.#worker;
    this.#worker = undefined;
    const worker = (await warm) ?? (await pool.lease({ owner, planKey, isFirst: true }));
    this.#cancelTimer = clock.setTimer(warmAfterMs, () => this.#start());
    return worker;
  }

  #start(): void {
    const { pool, planKey } = this.#options;
    // Without it, the next one is leased when it is needed.
    this.#worker = pool.lease({ owner: this, planKey, isFirst: false }).catch(() => undefined);
  }

  /** No further worker starts. */
  stop(): void {
    this.#cancelTimer?.();
  }

  /** Gives back a worker that nothing has used. */
  close(): void {
    const { pool, planKey } = this.#options;
    this.stop();
    pool.withdraw(this);
    void this.#worker?.then((worker) => worker && pool.release(worker, planKey));
  }
}
