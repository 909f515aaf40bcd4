// The waits of one run's rows. A pause stops their time; after it, each wait goes on with the time that was left.
import type { CancelTimer, Clock } from '../../base/clock.ts';

type Wait = { left: number; since: number; readonly fire: () => void; cancel: CancelTimer | undefined };

export class PausableWaits {
  readonly #clock: Clock;
  readonly #waits = new Set<Wait>();
  #isFrozen = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `fire` after `ms` of time that is not frozen, unless cancelled by the function returned. */
  add(ms: number, fire: () => void): CancelTimer {
    const wait: Wait = { left: ms, since: 0, fire, cancel: undefined };
    this.#waits.add(wait);
    if (!this.#isFrozen) this.#start(wait);
    return () => {
      wait.cancel?.();
      this.#waits.delete(wait);
    };
  }

  freeze(): void {
    if (this.#isFrozen) return;
    this.#isFrozen = true;
    const now = this.#clock.monotonic();
    for (const wait of this.#waits) {
      wait.cancel?.();
      wait.left = Math.max(0, wait.left - (now - wait.since));
    }
  }

  thaw(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    for (const wait of this.#waits) this.#start(wait);
  }

  clear(): void {
    for (const wait of this.#waits) wait.cancel?.();
    this.#waits.clear();
  }

  #start(wait: Wait): void {
    wait.since = this.#clock.monotonic();
    wait.cancel = this.#clock.setTimer(wait.left, () => {
      this.#waits.delete(wait);
      wait.fire();
    });
  }
}
