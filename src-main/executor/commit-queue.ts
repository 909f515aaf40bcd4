// Puts results back into row order and commits them: whatever follows on is gathered while a commit is under way,
// so that a slow disk gets fewer and larger writes. INVARIANT: rows are committed in order, each once, and nothing
// after a result that ends the run.
import { addStatistics } from '../domain/run/node-statistics.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import type { BatchResult, OutputSink } from './ports.ts';

/** Results of consecutive rows from `firstRow` on. */
export type OrderedResult = {
  readonly firstRow: number;
  readonly result: BatchResult;
  /** Whether its last row failed and with it the run. */
  readonly endsRun: boolean;
};

export type CommitQueueParts = {
  readonly firstRow: number;
  readonly sink: OutputSink;
  readonly onCommitted: (committed: Committed) => void;
  /** The sink failed; nothing is committed from then on. */
  readonly onBroken: (error: unknown) => void;
};

export type Committed = {
  readonly rows: number;
  readonly failed: number;
  /** The failure of the last row, when it ends the run. */
  readonly endsRun?: RowFailure;
};

/** One write's worth; larger ones would only grow memory. */
const mostBytesAtOnce = 4_000_000;

export class CommitQueue {
  readonly #parts: CommitQueueParts;
  readonly #waiting = new Map<number, OrderedResult>();
  #nextRow: number;
  #bytes = 0;
  #isClosed = false;
  #flushing: Promise<void> | undefined;

  constructor(parts: CommitQueueParts) {
    this.#parts = parts;
    this.#nextRow = parts.firstRow;
  }

  /** The row that the next commit begins with. */
  get nextRow(): number {
    return this.#nextRow;
  }

  /** Bytes of results that are not committed yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Nothing is being committed, nor about to be. */
  get isIdle(): boolean {
    return this.#flushing === undefined && !this.#waiting.has(this.#nextRow);
  }

  add(ordered: OrderedResult): void {
    this.#waiting.set(ordered.firstRow, ordered);
    this.#bytes += sizeOf(ordered.result);
    this.#flush();
  }

  /** Commits nothing more; resolves when a commit under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#flushing;
  }

  #flush(): void {
    if (this.#isClosed || this.#flushing !== undefined || !this.#waiting.has(this.#nextRow)) return;
    const group = this.#takeGroup();
    this.#flushing = this.#commit(group).catch((error: unknown) => {
      this.#isClosed = true;
      this.#flushing = undefined;
      this.#parts.onBroken(error);
    });
  }

  #takeGroup(): OrderedResult[] {
    const group: OrderedResult[] = [];
    let row = this.#nextRow;
    let bytes = 0;
    for (let next = this.#waiting.get(row); next !== undefined; next = this.#waiting.get(row)) {
      if (group.length > 0 && bytes + sizeOf(next.result) > mostBytesAtOnce) break;
      group.push(next);
      this.#waiting.delete(row);
      bytes += sizeOf(next.result);
      row += next.result.rows;
      if (next.endsRun) break;
    }
    return group;
  }

  async #commit(group: readonly OrderedResult[]): Promise<void> {
    await this.#parts.sink.commit(merge(group.map(({ result }) => result)));
    this.#afterCommit(group);
  }

  #afterCommit(group: readonly OrderedResult[]): void {
    this.#flushing = undefined;
    let rows = 0;
    let failed = 0;
    for (const { result } of group) {
      rows += result.rows;
      failed += result.failures.length;
      this.#bytes -= sizeOf(result);
    }
    this.#nextRow += rows;
    const last = group.at(-1);
    if (last?.endsRun) this.#isClosed = true;
    const failure = last?.endsRun ? last.result.failures.at(-1) : undefined;
    this.#parts.onCommitted({ rows, failed, ...(failure === undefined ? {} : { endsRun: failure }) });
    this.#flush();
  }
}

const sizeOf = ({ outputs, states, trace }: BatchResult): number =>
  outputs.byteLength + states.byteLength + trace.byteLength;

function merge(results: readonly BatchResult[]): BatchResult {
  const [only] = results;
  if (only !== undefined && results.length === 1) return only;
  return {
    rows: results.reduce((rows, result) => rows + result.rows, 0),
    outputs: Buffer.concat(results.map(({ outputs }) => outputs)),
    states: Buffer.concat(results.map(({ states }) => states)),
    failures: results.flatMap(({ failures }) => failures),
    trace: Buffer.concat(results.map(({ trace }) => trace)),
    nodes: addStatistics(results.map(({ nodes }) => nodes)),
  };
}
