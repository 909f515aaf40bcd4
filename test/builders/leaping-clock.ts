import type { Clock } from '../../src-main/base/clock.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';

/** Longer than retention keeps any finished run, in ms. */
export const overADay = 25 * 60 * 60 * 1000;

/** The machine's clock, except that a test lets hours pass at once, by both of its times. Timers stay as they are. */
export class LeapingClock implements Clock {
  #leapt = 0;

  now(): number {
    return systemClock.now() + this.#leapt;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#leapt;
  }

  setTimer(ms: number, fire: () => void): () => void {
    return systemClock.setTimer(ms, fire);
  }

  leap(ms: number): void {
    this.#leapt += ms;
  }
}
