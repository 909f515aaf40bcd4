// Runs wait here in the order in which they were accepted; a few execute at the same time.

/** Something that wants a slot. `execute` resolves when the slot can go to the next. */
export interface Queued {
  execute(): Promise<void>;
}

export class RunQueue<T extends Queued> {
  readonly #capacity: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<T>();
  readonly #executing = new Set<T>();
  #isOpen = false;

  constructor(parts: { capacity: () => number; onError: (error: unknown) => void }) {
    this.#capacity = parts.capacity;
    this.#onError = parts.onError;
  }

  /** Begins to start runs. Those of an earlier process were pushed before, so they go first. */
  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  push(run: T): void {
    this.#waiting.add(run);
    this.#fill();
  }

  /** Takes a run out that has not begun. */
  remove(run: T): void {
    this.#waiting.delete(run);
  }

  /** Starts nothing any more. What executes is left to its owner. */
  close(): void {
    this.#isOpen = false;
    this.#waiting.clear();
  }

  #fill(): void {
    for (const run of this.#waiting) {
      if (!this.#isOpen || this.#executing.size >= this.#capacity()) return;
      if (this.#executing.has(run)) continue;
      this.#waiting.delete(run);
      this.#executing.add(run);
      run
        .execute()
        .catch(this.#onError)
        .finally(() => {
          this.#executing.delete(run);
          this.#fill();
        });
    }
  }
}
