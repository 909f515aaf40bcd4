import type { CancelTimer, Clock } from '../../src-main/base/clock.ts';

type Timer = { readonly due: number; readonly fire: () => void };

/** A clock that stands still until a test moves it. Timers fire in the order in which they are due. */
export class FakeClock implements Clock {
  #wall: number;
  #elapsed = 0;
  #timers: Timer[] = [];

  constructor(wall = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(ms: number, fire: () => void): CancelTimer {
    const timer: Timer = { due: this.#elapsed + Math.max(0, ms), fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that wait to fire. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves both times forward; whatever falls due on the way fires at its own moment, later timers set by it too. */
  advance(ms: number): void {
    const end = this.#elapsed + ms;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#moveTo(Math.max(next.due, this.#elapsed));
      this.#timers = this.#timers.filter((other) => other !== next);
      next.fire();
    }
    this.#moveTo(end);
  }

  /** Sets the wall clock alone, as a person or a time server would. */
  setWallTime(wall: number): void {
    this.#wall = wall;
  }

  #nextDue(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  }

  #moveTo(elapsed: number): void {
    this.#wall += elapsed - this.#elapsed;
    this.#elapsed = elapsed;
  }
}
