// Asks `/healthz` of a server from a thread of its own, so that work of the test does not count as the server's silence.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Plain JavaScript: the thread has no loader. */
const program = new URL('../proof/health-prober.mjs', import.meta.url);

export class HealthProber {
  readonly #thread: Worker;

  constructor(url: string) {
    this.#thread = new Worker(program, { workerData: url });
  }

  /** The longest time without an answer since the last call, in ms; that of a request under way included. */
  async takeSilentMs(): Promise<number> {
    const answered = once(this.#thread, 'message');
    this.#thread.postMessage('take');
    const [silentMs] = (await answered) as [number];
    return silentMs;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
