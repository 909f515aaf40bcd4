// Decides who makes a small operation on a disk. On a local disk it takes 2 µs, and 50 µs when it is handed to another
// thread and back, of the processor too: a run of one row has dozens of them. So they are made at once, as long as
// the disk is quick; a slow one (a network folder, a virus scanner) costs other requests at most a fiftieth of the time.
// On a busy machine an operation on the quickest disk takes a few ms now and then, since somebody else had the core.
import type { Clock } from '../base/clock.ts';

/** Longer than this, in ms, is not quick: it counts against the disk, and eight quick ones make up for it. */
const quickMs = 1;
const madeUpByQuick = 1 / 8;
/** So many that nothing has made up for, and it is the disk. */
const mostSlow = 3;
/** Nobody has to wait so long for a core, in ms. */
const surelySlowMs = 10;
/** How much longer than a slow operation took the next ones are made elsewhere. */
const restFactor = 50;
/** After so many in a row one is made elsewhere, so that whatever else waits has its turn. */
const mostInARow = 32;

export class DiskPace {
  readonly #clock: Clock;
  #restsUntil = 0;
  #inARow = 0;
  #slow = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves to what one of two ways of making the same operation gives: on this thread, or on another. */
  async make<T>(here: () => T, elsewhere: () => Promise<T>): Promise<T> {
    const began = this.#clock.monotonic();
    if (began < this.#restsUntil || this.#inARow === mostInARow) {
      this.#inARow = 0;
      return elsewhere();
    }
    this.#inARow += 1;
    try {
      return here();
    } finally {
      const took = this.#clock.monotonic() - began;
      this.#slow = took > quickMs ? this.#slow + 1 : Math.max(0, this.#slow - madeUpByQuick);
      if (took > surelySlowMs || this.#slow >= mostSlow) this.#rest(began, took);
    }
  }

  #rest(began: number, took: number): void {
    this.#restsUntil = began + took * (1 + restFactor);
    // If the next one is not quick either, nothing has changed.
    this.#slow = mostSlow - 1;
  }
}
