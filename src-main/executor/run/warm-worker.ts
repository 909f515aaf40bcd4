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

/**
 * A worker that starts while another one computes for long, for what runs after that. It waits in the pool: until it is
 * needed, another preview can compute.
 */
export class WarmWorker {
  readonly #options: WarmWorkerOptions;
  #cancelTimer: CancelTimer | undefined;
  #started: Promise<void> | undefined;

  constructor(options: WarmWorkerOptions) {
    this.#options = options;
  }

  /** Leases the worker that has been started, if it is still idle, else another one; starts the next one in a moment. */
  async lease(owner: object): Promise<RowWorker | undefined> {
    const { pool, planKey, clock } = this.#options;
    // One that waits for room would come after those of other previews.
    pool.withdraw(this);
    await this.#started;
    const worker = await pool.lease({ owner, planKey, isFirst: true });
    this.#cancelTimer = clock.setTimer(warmAfterMs, () => this.#start());
    return worker;
  }

  #start(): void {
    const { pool, planKey } = this.#options;
    // Without it, the next one is leased when it is needed.
    this.#started = pool.lease({ owner: this, planKey, isFirst: false }).then(
      (worker) => worker && pool.release(worker, planKey),
      () => undefined,
    );
  }

  /** No further worker starts. */
  stop(): void {
    this.#cancelTimer?.();
  }

  /** No further worker starts, also none that waits for room. */
  close(): void {
    this.stop();
    this.#options.pool.withdraw(this);
  }
}
