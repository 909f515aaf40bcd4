/** Sends each fact to all listeners, even when one of them throws. */
export class Emitter<Fact> {
  readonly #listeners = new Set<(fact: Fact) => void>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  /** Starts listening; the returned function stops it. */
  listen(listener: (fact: Fact) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(fact: Fact): void {
    if (this.#listeners.size === 0) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(fact);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}
