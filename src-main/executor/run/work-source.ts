// Where a run's rows come from: first those that must be run again, then the reader's next ones.
import { maxBytesInBatch } from './batch-size.ts';
import type { Work } from './loss-verdict.ts';
import type { RowReader } from '../ports.ts';

export class WorkSource {
  readonly #reader: RowReader;
  /** Rows after which no further one is read before `passStops`, in order. */
  #stops: readonly number[];
  #nextRow: number;
  #again: Work[] = [];
  #isReadOut = false;

  constructor(reader: RowReader, { firstRow, stops = [] }: { firstRow: number; stops?: readonly number[] }) {
    this.#reader = reader;
    this.#nextRow = firstRow;
    this.#stops = [...stops].sort((left, right) => left - right);
    this.passStops(firstRow - 1);
  }

  /** The first row that has not been read yet. */
  get nextRow(): number {
    return this.#nextRow;
  }

  /** Whether rows are kept back. */
  get isAtStop(): boolean {
    return this.#stops[0] === this.#nextRow - 1;
  }

  /** Rows up to `committed` are done: stops among them keep nothing back any more. */
  passStops(committed: number): void {
    this.#stops = this.#stops.filter((stop) => stop > committed);
  }

  /** Nothing is left to be handed out. */
  get isEmpty(): boolean {
    return this.#isReadOut && this.#again.length === 0;
  }

  /** Rows not read yet come after every row that was handed out, so only an open end can need them. */
  hasRowsBefore(row: number): boolean {
    const [again] = this.#again;
    if (again !== undefined) return again.firstRow < row;
    return row === Infinity && !this.#isReadOut && !this.isAtStop;
  }

  /** Whether the next work must have a worker of its own. */
  get needsFreeWorker(): boolean {
    return this.#again[0]?.careful ?? false;
  }

  /** Takes back work that has not been done; the lowest rows go first, since commits wait for them. */
  putBack(works: readonly Work[]): void {
    this.#again = [...this.#again, ...works].sort((left, right) => left.firstRow - right.firstRow);
  }

  async next(rows: number): Promise<Work | undefined> {
    const again = this.#again.shift();
    if (again !== undefined || this.#isReadOut) return again;
    const left = (this.#stops[0] ?? Infinity) - this.#nextRow + 1;
    const batch = await this.#reader.next(Math.min(rows, left), maxBytesInBatch);
    this.#isReadOut = batch === undefined;
    if (batch === undefined) return undefined;
    this.#nextRow += batch.rows;
    return { ...batch, careful: false, forced: [], crashes: 0 };
  }
}
