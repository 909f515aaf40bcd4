// Virtual time: it stands still while a run can go on. The owner skips it to the next timer when all work of the run
// waits. One clock belongs to one run, so that runs do not move each other's time.
// INVARIANT: timers fire in the order in which they are due, those due together in the order in which they were set.
import type { CancelTimer, Clock } from './clock.ts';

type Timer = { readonly due: number; readonly fire: () => void };

export class VirtualClock implements Clock {
  readonly #start: number;
  readonly #timers = new Set<Timer>();
  #skipped = 0;

  /** @param start wall time in milliseconds since 1970 */
  constructor(start: number) {
    this.#start = start;
  }

  now(): number {
    return this.#start + this.#skipped;
  }

  /** Milliseconds skipped so far. */
  monotonic(): number {
    return this.#skipped;
  }

  setTimer(ms: number, fire: () => void): CancelTimer {
    const timer = { due: this.#skipped + Math.max(0, ms), fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves to the next moment at which a timer is due, and fires all timers due then. Without timers it does nothing. */
  skip(): void {
    if (this.#timers.size === 0) return;
    let next = Infinity;
    for (const { due } of this.#timers) next = Math.min(next, due);
    this.#skipped = next;
    for (const timer of [...this.#timers]) {
      // A timer that fires may cancel another one.
      if (timer.due === next && this.#timers.delete(timer)) timer.fire();
    }
  }
}
