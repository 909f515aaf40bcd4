// Runs wait here in the order in which they were accepted; a few execute at the same time.
import type { CancelTimer, Clock } from '../../base/clock.ts';

/** Something that wants a slot. `execute` resolves when the slot can go to the next. */
export interface Queued {
  /** How long it must not be started yet, in ms. */
  readonly holdMs: number;
  execute(): Promise<void>;
}

export class RunQueue<T extends Queued> {
  readonly #capacity: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #clock: Clock;
  /** Runs that may not start yet, with the timer that queues each; they occupy no slot. */
  readonly #delayed = new Map<T, CancelTimer>();
  readonly #waiting = new Set<T>();
  readonly #executing = new Set<T>();
  #isOpen = false;
  #isClosed = false;

  constructor(parts: { capacity: () => number; onError: (error: unknown) => void; clock: Clock }) {
    this.#capacity = parts.capacity;
    this.#onError = parts.onError;
    this.#clock = parts.clock;
  }

  /** Begins to start runs. Runs of an earlier process were pushed before, so they start first. */
  open(): void {
    this.#isOpen = true;
    this.fill();
  }

  push(run: T): void {
    this.#release(run);
    if (this.#isClosed) return;
    const { holdMs } = run;
    if (holdMs > 0) {
      this.#delayed.set(
        run,
        this.#clock.setTimer(holdMs, () => this.push(run)),
      );
      return;
    }
    this.#waiting.add(run);
    this.fill();
  }

  /** Takes a run out that has not begun. */
  remove(run: T): void {
    this.#release(run);
    this.#waiting.delete(run);
  }

  /** Starts nothing any more. What executes is left to its owner. */
  close(): void {
    this.#isOpen = false;
    this.#isClosed = true;
    this.#waiting.clear();
    for (const run of [...this.#delayed.keys()]) this.#release(run);
  }

  #release(run: T): void {
    this.#delayed.get(run)?.();
    this.#delayed.delete(run);
  }

  /** Starts as many as there is room for. */
  fill(): void {
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
          this.fill();
        });
    }
  }
}
