/**
 * Marks requests as outdated: of several requests for the same thing, only the newest counts.
 * Each request gets a signal, which is aborted once a newer request starts or the owner cancels.
 */
export class LatestOnly {
  #newest: AbortController | undefined;

  /** Starts a request. Its answer is outdated once the returned signal is aborted. */
  start(): AbortSignal {
    this.cancel();
    this.#newest = new AbortController();
    return this.#newest.signal;
  }

  /** Marks the pending request as outdated. */
  cancel(): void {
    this.#newest?.abort();
  }
}
