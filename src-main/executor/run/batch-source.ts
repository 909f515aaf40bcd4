// The source of a run's batches: first the rows that must run again, then the reader's next rows.
import { maxBytesInBatch } from './batch-size.ts';
import type { PendingBatch } from './recover-lost-batch.ts';
import type { RowReader } from '../ports.ts';
import type { RunExecutionOptions } from './run-execution-options.ts';

export class BatchSource {
  readonly #reader: RowReader;
  /** Positions after which no row is read before `passBreakpoints`, in ascending order. */
  #breakpoints: readonly number[];
  #nextRow: number;
  #requeued: PendingBatch[] = [];
  #isReadOut = false;

  constructor(
    reader: RowReader,
    { firstRow, breakpoints = [] }: Pick<RunExecutionOptions, 'firstRow' | 'breakpoints'>,
  ) {
    this.#reader = reader;
    this.#nextRow = firstRow;
    this.#breakpoints = [...breakpoints].sort((left, right) => left - right);
    this.passBreakpoints(firstRow - 1);
  }

  /** The first row that has not been read yet. */
  get nextRow(): number {
    return this.#nextRow;
  }

  /** True if the next rows wait behind a breakpoint. */
  get isAtBreakpoint(): boolean {
    return this.#breakpoints[0] === this.#nextRow - 1;
  }

  /** Removes the breakpoints up to the row `committed`. */
  passBreakpoints(committed: number): void {
    this.#breakpoints = this.#breakpoints.filter((row) => row > committed);
  }

  /** True if no batch is left. */
  get isEmpty(): boolean {
    return this.#isReadOut && this.#requeued.length === 0;
  }

  /** True if a row before `row` is left. Unread rows follow every row that was sent, so only `Infinity` can need them. */
  hasRowsBefore(row: number): boolean {
    const [again] = this.#requeued;
    if (again !== undefined) return again.firstRow < row;
    return row === Infinity && !this.#isReadOut && !this.isAtBreakpoint;
  }

  /** True if the next batch needs a worker of its own. */
  get needsFreeSlot(): boolean {
    return this.#requeued[0]?.isolated ?? false;
  }

  /** Takes back unfinished batches. The lowest rows are sent first, since commits wait for them. */
  requeue(works: readonly PendingBatch[]): void {
    this.#requeued = [...this.#requeued, ...works].sort((left, right) => left.firstRow - right.firstRow);
  }

  async nextBatch(rows: number): Promise<PendingBatch | undefined> {
    const again = this.#requeued.shift();
    if (again !== undefined || this.#isReadOut) return again;
    const left = (this.#breakpoints[0] ?? Infinity) - this.#nextRow + 1;
    const batch = await this.#reader.next(Math.min(rows, left), maxBytesInBatch);
    this.#isReadOut = batch === undefined;
    if (batch === undefined) return undefined;
    this.#nextRow += batch.rows;
    return { ...batch, isolated: false, presetFailures: [], crashes: 0 };
  }
}
