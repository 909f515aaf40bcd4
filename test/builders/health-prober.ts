// Asks `/healthz` of a server from a thread of its own, so that work of the test does not count as the server's silence.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ServerProcess } from './server-process.ts';

/** Plain JavaScript: the thread has no loader. */
const program = new URL('../proof/health-prober.mjs', import.meta.url);

const maxAttempts = 3;

type Silence<Result> = {
  readonly result: Result;
  /** The longest time without an answer, in ms. */
  readonly silentMs: number;
  /** Time that the work took, in ms. */
  readonly ms: number;
};

export class HealthProber {
  readonly #thread: Worker;

  constructor({ url, pid }: Pick<ServerProcess, 'url' | 'pid'>) {
    this.#thread = new Worker(program, { workerData: { url, pid } });
  }

  /**
   * Does the work, up to three times while the server is silent for `maxSilentMs` and more: work that blocks its thread does
   * so each time, a machine that stands still does not. Time in which the server waited for a core does not count.
   */
  async measure<Result>(work: () => Promise<Result>, maxSilentMs: number): Promise<Silence<Result>> {
    let best = await this.#silenceOf(work);
    for (let attempt = 1; attempt < maxAttempts && best.silentMs >= maxSilentMs; attempt += 1) {
      const again = await this.#silenceOf(work);
      if (again.silentMs < best.silentMs) best = again;
    }
    return best;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }

  async #silenceOf<Result>(work: () => Promise<Result>): Promise<Silence<Result>> {
    await this.#takeSilentMs();
    const from = performance.now();
    const result = await work();
    const ms = performance.now() - from;
    return { result, silentMs: await this.#takeSilentMs(), ms };
  }

  /** The longest silence since the last call, that of a request under way included. */
  async #takeSilentMs(): Promise<number> {
    const answered = once(this.#thread, 'message');
    this.#thread.postMessage('take');
    const [silentMs] = (await answered) as [number];
    return silentMs;
  }
}
