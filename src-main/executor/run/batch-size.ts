/** More would not be faster, only coarser. */
export const maxRowsInBatch = 256;
export const maxBytesInBatch = 256 * 1024;

/** A batch should take about this long, in ms: short enough for progress and pause, long enough to be cheap. */
const aim = { fromMs: 20, toMs: 100 };

/** With less than this to do at the end of a run, in ms, a worker would be handed rows more often than it is worth. */
const minMs = 2;

/** One at a time 1,000 calls of 20 ms take a third longer than four at a time; more than four gain nothing. */
const maxCallingRows = 4;

/** How many rows to hand out at once, learnt from how long the last ones took. */
export class BatchSize {
  readonly #maxRows: number;
  #rows: number;
  /** Time per row of the last batch, in ms. */
  #rowMs: number | undefined;

  /**
   * @param callsOut then rows go a few at a time. A row whose calls have been answered is not to wait in its worker,
   * where it can be lost, until many slower ones beside it have ended.
   */
  constructor(callsOut = false) {
    this.#maxRows = callsOut ? maxCallingRows : maxRowsInBatch;
    this.#rows = Math.min(32, this.#maxRows);
  }

  /**
   * Fewer near the end, so that workers come to it at about the same time.
   * @param left rows of the run that have not been read yet
   * @param workers that share them
   */
  nextBatchRows(left: number, workers: number): number {
    if (workers === 1) return this.#rows;
    const worthIt = this.#rowMs === undefined ? this.#rows : Math.ceil(minMs / this.#rowMs);
    return Math.min(this.#rows, Math.max(Math.ceil(left / (2 * workers)), worthIt));
  }

  /** Notes that so many rows, handed out together, took `ms`. They may have been fewer than there could be. */
  recordBatch(rows: number, ms: number): void {
    this.#rowMs = ms / rows;
    const batchMs = this.#rowMs * this.#rows;
    if (batchMs < aim.fromMs) this.#rows = Math.min(this.#maxRows, this.#rows * 2);
    if (batchMs > aim.toMs) this.#rows = Math.max(1, Math.floor(this.#rows / 2));
  }
}
