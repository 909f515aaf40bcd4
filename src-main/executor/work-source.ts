// Where a run's rows come from: first those that must be run again, then the reader's next ones.
import { mostBytesInBatch } from './batch-size.ts';
import type { Work } from './loss-verdict.ts';
import type { RowReader } from './ports.ts';

export class WorkSource {
  readonly #reader: RowReader;
  #again: Work[] = [];
  #isReadOut = false;

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  /** Nothing is left to be handed out. */
  get isEmpty(): boolean {
    return this.#isReadOut && this.#again.length === 0;
  }

  /** Rows not read yet come after every row that was handed out, so only an open end can need them. */
  hasRowsBefore(row: number): boolean {
    const [again] = this.#again;
    return again === undefined ? row === Infinity && !this.#isReadOut : again.firstRow < row;
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
    const batch = await this.#reader.next(rows, mostBytesInBatch);
    if (batch !== undefined) return { ...batch, careful: false, forced: [], crashes: 0 };
    this.#isReadOut = true;
    return undefined;
  }
}
