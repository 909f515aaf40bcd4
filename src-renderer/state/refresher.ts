/**
 * Repeats a request while its subject changes: one request at a time, at most one per interval, and one more after the
 * last change. The first is sent at once.
 */
export class Refresher {
  readonly #load: () => Promise<unknown> | void;
  readonly #everyMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = -Infinity;
  #isLoading = false;
  #isStale = false;
  #isClosed = false;

  /** @param load must not reject */
  constructor(load: () => Promise<unknown> | void, everyMs: number) {
    this.#load = load;
    this.#everyMs = everyMs;
  }

  /** To be called with each change of the subject. */
  refresh(): void {
    this.#isStale = true;
    this.#schedule();
  }

  /** Sends no further request. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isClosed || this.#isLoading || this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#startedAt + this.#everyMs - performance.now());
    this.#timer = setTimeout(() => void this.#run(), waitMs);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#startedAt = performance.now();
    this.#isStale = false;
    this.#isLoading = true;
    await this.#load();
    this.#isLoading = false;
    if (this.#isStale) this.#schedule();
  }
}
