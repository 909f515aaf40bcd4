// Gathers the results of one batch's rows, which may end in any order.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowStateBytes, writeRowState } from '../../domain/run/row-state.ts';
import type { WorkerBatch, BatchDone } from '../protocol.ts';
import type { NodeCounts } from './node-counts.ts';
import type { NodeError } from './node-error.ts';
import type { TraceBuffer } from './trace-buffer.ts';

export type RowEnd = {
  /** JSON text of the row's output; absent: the row failed. */
  readonly output?: string;
  readonly failure?: RowFailure;
  /** The error that failed the row; absent for a failure without one. */
  readonly error?: NodeError | undefined;
  readonly retries: number;
  readonly durationMicros: number;
  /** The row's line of the trace; absent: none is kept. */
  readonly trace?: string | undefined;
};

export class BatchResultBuilder {
  readonly #batch: WorkerBatch;
  readonly #endsAtFailure: boolean;
  readonly #lines: string[];
  readonly #states: DataView;
  readonly #failures = new Map<number, RowFailure>();
  readonly #traces: (string | undefined)[] = [];
  readonly #counts: NodeCounts;
  /** Counts of ended rows that are dropped if an earlier row, which has not ended yet, fails. */
  readonly #uncounted = new Map<number, TraceBuffer>();
  readonly #ended: boolean[];
  /** Rows that still count: all, or up to the first failed one. */
  #neededRows: number;
  #endedFromStart = 0;

  /** @param counts of the batch's rows, none so far */
  constructor(batch: WorkerBatch, counts: NodeCounts, endsAtFailure: boolean) {
    this.#counts = counts;
    this.#batch = batch;
    this.#endsAtFailure = endsAtFailure;
    this.#neededRows = batch.rows;
    this.#lines = new Array<string>(batch.rows).fill('');
    this.#ended = new Array<boolean>(batch.rows).fill(false);
    this.#states = new DataView(new ArrayBuffer(batch.rows * rowStateBytes));
  }

  /** False for rows after a failed row that ends the run. */
  isNeeded(index: number): boolean {
    return index < this.#neededRows;
  }

  /**
   * Counts the nodes of the row at `index` (from 0). Call it before `recordEnd`. True if it keeps the notes, since an
   * earlier row may still drop them: then no other row may reuse them.
   */
  countRow(index: number, notes: TraceBuffer): boolean {
    if (!this.isNeeded(index)) return false;
    if (this.#endsAtFailure && index !== this.#endedFromStart) {
      this.#uncounted.set(index, notes);
      return true;
    }
    this.#counts.countRow(notes);
    return false;
  }

  /** Records the end of the row at `index` (from 0). True if the batch is complete. */
  recordEnd(index: number, row: RowEnd): boolean {
    if (!this.isNeeded(index)) return false;
    this.#ended[index] = true;
    this.#lines[index] = row.output ?? '';
    if (row.trace !== undefined) this.#traces[index] = row.trace;
    writeRowState(this.#states, index * rowStateBytes, {
      state: row.failure === undefined ? 'done' : 'failed',
      retries: row.retries,
      durationMicros: row.durationMicros,
    });
    if (row.failure !== undefined) {
      this.#failures.set(index, row.failure);
      if (this.#endsAtFailure) this.#neededRows = index + 1;
    }
    while (this.#endedFromStart < this.#neededRows && this.#ended[this.#endedFromStart]) this.#settleRow();
    return this.#endedFromStart === this.#neededRows;
  }

  /**
   * Ends the batch after the row at `index` (from 0), which has just ended, so that its results need not wait for the
   * other rows. False if a row before it has not ended, or if it is the last.
   */
  cutAfter(index: number): boolean {
    if (this.#endedFromStart !== index + 1 || index + 1 >= this.#neededRows) return false;
    this.#neededRows = index + 1;
    return true;
  }

  /** Counts a row that no earlier row can drop any more. */
  #settleRow(): void {
    const uncounted = this.#uncounted.get(this.#endedFromStart);
    if (uncounted !== undefined) this.#counts.countRow(uncounted);
    this.#uncounted.delete(this.#endedFromStart);
    this.#endedFromStart += 1;
  }

  /** The message that closes the batch. */
  build(): BatchDone {
    const rows = this.#neededRows;
    const traces = this.#traces.slice(0, rows).filter((line) => line !== undefined);
    const text = `${(rows < this.#lines.length ? this.#lines.slice(0, rows) : this.#lines).join('\n')}\n`;
    const failures = [...this.#failures]
      .filter(([index]) => index < rows)
      .sort(([left], [right]) => left - right)
      .map(([, failure]) => failure);
    return {
      type: 'batch-done',
      batchId: this.#batch.id,
      result: {
        rows,
        outputs: Buffer.from(text, 'utf8'),
        states: new Uint8Array(this.#states.buffer, 0, rows * rowStateBytes),
        failures,
        trace: Buffer.from(traces.map((line) => `${line}\n`).join(''), 'utf8'),
        nodes: this.#counts.statistics,
      },
      endsRun: this.#endsAtFailure && failures.length > 0,
    };
  }
}
