// Decides who makes a small operation on a disk. On a local disk it takes 2 µs, and 50 µs when it is handed to another
// thread and back, of the processor too: a run of one row has dozens of them. So they are made at once, as long as
// the disk is quick; a slow one (a network folder, a virus scanner) costs other requests at most a fiftieth of the time,
// one that takes some ms now and then at most a fifth. On a busy machine the quickest disk does so, since somebody else
// had the core.
import type { Clock } from '../base/clock.ts';

/** Longer than this, in ms, is not quick. */
const quickMs = 1;
/** Nobody has to wait so long for a core, in ms. */
const surelySlowMs = 10;
/** Of the time, for operations between the two: on a busy machine it is hardly a tenth. */
const mostShare = 1 / 5;
/** In ms, for several that come together. */
const mostAtOnceMs = 20;
/** How much longer than a slow operation took the next ones are made elsewhere. */
const restFactor = 50;
/** After so many in one turn of the event loop one is made elsewhere, so that whatever else waits has its turn. */
const mostInARow = 32;

export class DiskPace {
  readonly #clock: Clock;
  #restsUntil = 0;
  #inARow = 0;
  /** Of what was not quick, in ms, less what is forgiven since then. */
  #waited = 0;
  #waitedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Makes an operation in one of two ways. Here: gives its value, or throws, at once. Elsewhere: a promise. To be called from
   * an async function, so that both fail alike.
   */
  make<T>(here: () => T, elsewhere: () => Promise<T>): T | Promise<T> {
    const began = this.#clock.monotonic();
    if (began < this.#restsUntil || this.#inARow === mostInARow) {
      this.#inARow = 0;
      return elsewhere();
    }
    this.#countOne();
    try {
      return here();
    } finally {
      const took = this.#clock.monotonic() - began;
      if (took > quickMs) this.#noteSlow(began, took);
    }
  }

  #countOne(): void {
    if (this.#inARow === 0) setImmediate(() => (this.#inARow = 0));
    this.#inARow += 1;
  }

  #noteSlow(began: number, took: number): void {
    this.#waited = Math.max(0, this.#waited - (began - this.#waitedAt) * mostShare) + took;
    this.#waitedAt = began;
    if (took > surelySlowMs || this.#waited > mostAtOnceMs)
      this.#restsUntil = began + took * (1 + restFactor);
  }
}
