import type { RowBatch, RowReader } from '../executor/ports.ts';

/** Hands out a reader's first row alone. */
export class FirstRow implements RowReader {
  readonly #reader: RowReader;
  #isRead = false;

  constructor(reader: RowReader) {
    this.#reader = reader;
  }

  async next(_maxRows: number, maxBytes: number): Promise<RowBatch | undefined> {
    if (this.#isRead) return undefined;
    this.#isRead = true;
    return this.#reader.next(1, maxBytes);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
