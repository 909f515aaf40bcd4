// Rows and outputs of a test in memory, as lines of bytes: nothing here decodes or copies all of them at once.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import { countLines, eachLine, newline } from '../../domain/rows/line-bytes.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { testTooLarge } from '../../domain/test-errors.ts';
import type { OutputSink, RowBatch, RowReader } from '../../executor/ports.ts';

/** Maximum bytes of the rows, of the outputs and of the expected rows of a test. */
const maxLinesBytes = 200_000_000;

/** Lines of JSON, each ended by a newline. */
export class JsonLines {
  readonly #name: string;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #count = 0;

  /** @param name of the lines in an error, such as `outputs` */
  constructor(name: string) {
    this.#name = name;
  }

  /** Adds whole lines. Throws `invalid_input` if there are too many. */
  add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > maxLinesBytes) throw testTooLarge(this.#name, maxLinesBytes);
    this.#pieces.push(piece);
    this.#count += countLines(piece);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Each line without its newline. */
  *lines(): Generator<Uint8Array> {
    for (const piece of this.#pieces) yield* eachLine(piece);
  }
}

export const textOfLine = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** Gives a run the rows of an iterable, one line each. */
export class LineReader implements RowReader {
  readonly #lines: Iterator<Uint8Array>;
  #next: IteratorResult<Uint8Array>;
  #row = 1;

  constructor(lines: Iterable<Uint8Array>) {
    this.#lines = lines[Symbol.iterator]();
    this.#next = this.#lines.next();
  }

  async next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined> {
    const taken: Uint8Array[] = [];
    let size = 0;
    while (this.#next.done !== true && taken.length < maxRows) {
      const line = this.#next.value;
      if (taken.length > 0 && size + line.length + 1 > maxBytes) break;
      taken.push(line);
      size += line.length + 1;
      this.#next = this.#lines.next();
    }
    if (taken.length === 0) return undefined;
    const firstRow = this.#row;
    this.#row += taken.length;
    return { firstRow, rows: taken.length, bytes: endedLines(taken, size) };
  }

  async close(): Promise<void> {}
}

function endedLines(lines: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size).fill(newline);
  let at = 0;
  for (const line of lines) {
    bytes.set(line, at);
    at += line.length + 1;
  }
  return bytes;
}

/** Keeps the outputs of a run, and the traces of some rows. */
export class OutputLines implements OutputSink {
  readonly outputs = new JsonLines('outputs');
  readonly #tracedRows: ReadonlySet<number>;
  readonly #traces: string[] = [];
  #failedRows = 0;
  #firstFailure: RowFailure | undefined;

  constructor(tracedRows: ReadonlySet<number>) {
    this.#tracedRows = tracedRows;
  }

  async commit({ outputs, failures, trace }: BatchResult): Promise<void> {
    this.outputs.add(outputs);
    this.#failedRows += failures.length;
    this.#firstFailure ??= failures[0];
    if (this.#tracedRows.size === 0) return;
    for (const line of eachLine(trace))
      if (this.#tracedRows.has(rowOfTrace(line))) this.#traces.push(textOfLine(line));
  }

  get failedRows(): number {
    return this.#failedRows;
  }

  get firstFailure(): RowFailure | undefined {
    return this.#firstFailure;
  }

  /** Lines of the traces of the rows that were asked for. */
  get traces(): readonly string[] {
    return this.#traces;
  }
}

/** The number of the row comes first in the line; NaN for a line of another form. */
function rowOfTrace(line: Uint8Array): number {
  const start = textOfLine(line.subarray(0, 30));
  return Number(/^\{"row":(\d+)/.exec(start)?.[1]);
}
