/** More would not be faster, only coarser. */
export const mostRowsInBatch = 256;
export const mostBytesInBatch = 256 * 1024;

/** A batch should take about this long, in ms: short enough for progress and pause, long enough to be cheap. */
const aim = { fromMs: 20, toMs: 100 };

/** How many rows to hand out at once, learnt from how long the last ones took. */
export class BatchSize {
  #rows = 32;

  get rows(): number {
    return this.#rows;
  }

  /** Notes that a batch of the current size took `ms`. */
  note(ms: number): void {
    if (ms < aim.fromMs) this.#rows = Math.min(mostRowsInBatch, this.#rows * 2);
    if (ms > aim.toMs) this.#rows = Math.max(1, Math.floor(this.#rows / 2));
  }
}
