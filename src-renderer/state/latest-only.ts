/**
 * Marks requests as outdated: of several requests for the same thing, only the newest counts.
 * Each request gets a signal, which is aborted once a newer request starts or the owner cancels.
 */
export class LatestOnly {
  #newest: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts a request. Its answer is outdated once the returned signal is aborted. */
  start(): AbortSignal {
    this.cancel();
    this.#newest = new AbortController();
    return this.#newest.signal;
  }

  /** Calls `act` after a pause, unless a request starts, another call is planned or the owner cancels meanwhile. */
  startLater(pauseMs: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, pauseMs);
  }

  /** Marks the pending request as outdated, and drops a planned call. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#newest?.abort();
  }
}
