import type { Plan } from '../plan.ts';

/** Maximum rows of a batch. Larger batches are not faster, and make progress coarser. */
export const maxRowsInBatch = 256;
export const maxBytesInBatch = 256 * 1024;

/** Target time of a batch, in ms: short enough for progress and pauses, long enough to be cheap. */
const aim = { fromMs: 20, toMs: 100 };

/** Minimum work of a batch at the end of a run, in ms: sending smaller batches costs more than it gains. */
const minMs = 2;

/** Maximum rows of a batch that calls services: one by one, 1,000 calls of 20 ms take a third longer; five gain nothing. */
const maxCallingRows = 4;

/** Maximum rules of a test that a batch is checked against: the server reads what a batch broke in one piece. */
const maxRulesInBatch = 20_000;

type BatchSizeOptions = Pick<Plan, 'mayWait' | 'reachesOut' | 'rowChecks'> & {
  readonly tokenBudget?: number | undefined;
  /** Rows of the first batch, in place of the usual number. */
  readonly firstRows?: number | undefined;
};

/** Chooses the number of rows of the next batch from the time that the last ones took. */
export class BatchSize {
  readonly #maxRows: number;
  #rows: number;
  /** Time per row of the last batch, in ms. */
  #rowMs: number | undefined;

  /**
   * Rows that may wait are sent one by one until they turn out to be fast: a row that has ended should not wait
   * in its worker until slower rows of its batch have ended. Rows with calls are never sent more than a few at a time, and
   * rows that share a token budget one by one, since a row that was sent starts although the budget is spent.
   */
  constructor({ mayWait, reachesOut, rowChecks, tokenBudget, firstRows }: BatchSizeOptions) {
    const maxRows = reachesOut ? maxCallingRows : maxRowsInBatch;
    const maxCheckedRows = Math.ceil(maxRulesInBatch / Math.max(1, rowChecks?.fields.length ?? 0));
    this.#maxRows = tokenBudget === undefined ? Math.min(maxRows, maxCheckedRows) : 1;
    this.#rows = Math.min(this.#maxRows, firstRows ?? (mayWait ? 1 : 32));
  }

  /**
   * The number of rows of the next batch; smaller near the end, so that all workers end at about the same time.
   * @param left rows of the run that have not been read yet
   * @param workers that share them
   */
  nextBatchRows(left: number, workers: number): number {
    if (workers === 1) return this.#rows;
    const worthIt = this.#rowMs === undefined ? this.#rows : Math.ceil(minMs / this.#rowMs);
    return Math.min(this.#rows, Math.max(Math.ceil(left / (2 * workers)), worthIt));
  }

  /**
   * Records that a batch of so many rows took `ms`. One that was smaller than allowed makes batches no larger: of rows
   * that are sent one by one, those that do not wait end first, and say nothing about the rows that still wait.
   */
  recordBatch(rows: number, ms: number): void {
    this.#rowMs = ms / rows;
    const batchMs = this.#rowMs * this.#rows;
    if (batchMs < aim.fromMs && rows >= this.#rows) this.#rows = Math.min(this.#maxRows, this.#rows * 2);
    if (batchMs > aim.toMs) this.#rows = Math.max(1, Math.floor(this.#rows / 2));
  }
}
