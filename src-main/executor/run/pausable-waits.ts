// The waits of one run's rows. A pause stops their time; after it, each wait goes on with the time that was left.
import { setMaxListeners } from 'node:events';
import type { CancelTimer, Clock } from '../../base/clock.ts';

type Wait = {
  remainingMs: number;
  startedAt: number;
  readonly onEnd: () => void;
  cancel: CancelTimer | undefined;
};

export class PausableWaits {
  readonly #clock: Clock;
  readonly #waits = new Set<Wait>();
  #isPaused = false;
  #pause = newPause();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `onEnd` after `ms` without the time of pauses, unless the returned function cancels it. */
  startWait(ms: number, onEnd: () => void): CancelTimer {
    const wait: Wait = { remainingMs: ms, startedAt: 0, onEnd, cancel: undefined };
    this.#waits.add(wait);
    if (!this.#isPaused) this.#start(wait);
    return () => {
      wait.cancel?.();
      this.#waits.delete(wait);
    };
  }

  /** Aborted while the run is paused. */
  get pauseSignal(): AbortSignal {
    return this.#pause.signal;
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#pause.abort();
    const now = this.#clock.monotonic();
    for (const wait of this.#waits) {
      wait.cancel?.();
      wait.remainingMs = Math.max(0, wait.remainingMs - (now - wait.startedAt));
    }
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#pause = newPause();
    for (const wait of this.#waits) this.#start(wait);
  }

  cancelAll(): void {
    for (const wait of this.#waits) wait.cancel?.();
    this.#waits.clear();
  }

  #start(wait: Wait): void {
    wait.startedAt = this.#clock.monotonic();
    wait.cancel = this.#clock.setTimer(wait.remainingMs, () => {
      this.#waits.delete(wait);
      wait.onEnd();
    });
  }
}

/** Each call that waits listens for the pause: many listeners are no leak. */
function newPause(): AbortController {
  const pause = new AbortController();
  setMaxListeners(0, pause.signal);
  return pause;
}
