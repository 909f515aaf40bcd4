// Rows and outputs of a run in memory, for runs that are not stored.
import { newline } from '../domain/rows/line-bytes.ts';
import type { JsonValue } from '../base/json-value.ts';
import { parseTraceLine, type RowTrace } from '../domain/run/row-trace.ts';
import type { BatchResult, OutputSink, RowBatch, RowReader } from '../executor/ports.ts';

export class InMemoryRows implements RowReader {
  readonly #bytes: Uint8Array;
  /** Where each row's line ends, its newline included. */
  readonly #ends: readonly number[];
  #next = 0;

  /** @param lines JSON, one row a line, each ended by a newline */
  constructor(lines: Uint8Array) {
    this.#bytes = lines;
    const ends: number[] = [];
    for (let at = lines.indexOf(newline); at >= 0; at = lines.indexOf(newline, at + 1)) ends.push(at + 1);
    this.#ends = ends;
  }

  get count(): number {
    return this.#ends.length;
  }

  async next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined> {
    const first = this.#next;
    if (first >= this.count) return undefined;
    const start = this.#startOf(first);
    let next = first + 1;
    while (next < this.count && next - first < maxRows && this.#startOf(next + 1) - start <= maxBytes)
      next += 1;
    this.#next = next;
    return {
      firstRow: first + 1,
      rows: next - first,
      bytes: this.#bytes.subarray(start, this.#startOf(next)),
    };
  }

  async close(): Promise<void> {}

  /** Where the row (from 0) begins, which is where the one before ends. */
  #startOf(row: number): number {
    return this.#ends[row - 1] ?? 0;
  }
}

export class InMemoryOutputs implements OutputSink {
  readonly #chunks: Uint8Array[] = [];
  readonly #traces: Uint8Array[] = [];

  async commit({ outputs, trace }: BatchResult): Promise<void> {
    this.#chunks.push(outputs);
    this.#traces.push(trace);
  }

  /** Traces of the rows whose trace was kept. */
  traces(): RowTrace[] {
    const lines = Buffer.concat(this.#traces).toString('utf8').split('\n').slice(0, -1);
    return lines.flatMap((line) => parseTraceLine(line) ?? []);
  }

  /** In row order; null for a row without an output. */
  values(): JsonValue[] {
    const lines = Buffer.concat(this.#chunks).toString('utf8').split('\n').slice(0, -1);
    return lines.map((line) => (line === '' ? null : (JSON.parse(line) as JsonValue)));
  }
}
