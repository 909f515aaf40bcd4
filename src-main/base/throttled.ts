import type { CancelTimer, Clock } from './clock.ts';
import { Mutex } from './mutex.ts';

type ThrottledOptions = {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Must not reject. */
  readonly act: () => Promise<void>;
};

/** Runs an action at once when it is requested, and again `everyMs` later at the earliest, once for all requests meanwhile. */
export class Throttled {
  readonly #options: ThrottledOptions;
  #last = -Infinity;
  #cancelTimer: CancelTimer | undefined;
  /** True if an act is requested and has not begun. */
  #isDue = false;
  readonly #mutex = new Mutex();
  #isClosed = false;

  constructor(options: ThrottledOptions) {
    this.#options = options;
  }

  /** Requests one act. The next act to begin serves all requests made before it. */
  request(): void {
    if (this.#isClosed || this.#isDue) return;
    this.#isDue = true;
    const { clock, everyMs } = this.#options;
    const left = this.#last + everyMs - clock.monotonic();
    if (left > 0) this.#cancelTimer = clock.setTimer(left, () => this.#begin());
    else this.#begin();
  }

  /** Stops beginning acts; resolves when the running one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer?.();
    await this.#mutex.settled();
  }

  #begin(): void {
    void this.#mutex.run(async () => {
      if (this.#isClosed) return;
      this.#isDue = false;
      this.#last = this.#options.clock.monotonic();
      await this.#options.act();
    });
  }
}
