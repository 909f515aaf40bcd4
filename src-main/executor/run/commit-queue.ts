// Puts results back into row order and commits them. The next results are gathered while a commit is under way, so that
// a slow disk gets fewer and larger writes. Results that wait for an earlier row are joined, so that many small
// results take no more memory than a few large ones. INVARIANT: rows are committed in order, each once, and nothing
// after a result that ends the run.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import { addStatistics } from '../../domain/results/node-statistics.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { maxRowsInBatch } from './batch-size.ts';
import type { CommitThrottle } from './commit-throttle.ts';
import type { OutputSink } from '../ports.ts';
import { unfinishedRows } from './substitute-results.ts';
import type { LiveProgress } from './run-execution-options.ts';

/** Results of consecutive rows, starting with `firstRow`. */
export type OrderedResult = {
  readonly firstRow: number;
  readonly result: BatchResult;
  /** True if the last row failed and ends the run. */
  readonly endsRun: boolean;
};

type CommitQueueOptions = {
  readonly firstRow: number;
  readonly sink: OutputSink;
  readonly onCommitted: (committed: Committed) => void;
  /** Absent: results are committed at once. */
  readonly throttle?: CommitThrottle | undefined;
  /** Called when the sink has failed; nothing is committed from then on. */
  readonly onBroken: (error: unknown) => void;
};

export type Committed = {
  readonly rows: number;
  readonly failed: number;
  /** The failure of the last row, when it ends the run. */
  readonly endsRun?: RowFailure;
};

/** Maximum bytes of one commit. Larger ones would only take more memory. */
const maxBytesAtOnce = 1_000_000;

export class CommitQueue {
  readonly #options: CommitQueueOptions;
  /** Results that wait, by their first row. */
  readonly #waiting = new Map<number, OrderedResult>();
  /** First rows of the results that wait, by the row after their last one. */
  readonly #firstRowByEnd = new Map<number, number>();
  #nextRow: number;
  #bytes = 0;
  #bytesUnderWay = 0;
  #rowsUnderWay = 0;
  #failedUnderWay = 0;
  /** Rows of the results in `#waiting`. */
  #rowsWaiting = 0;
  #failedWaiting = 0;
  #isClosed = false;
  /** True once the queue is being closed and no further result comes. */
  #keepsWaiting = false;
  #flushing: Promise<void> | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
    this.#nextRow = options.firstRow;
  }

  /** The row that the next commit begins with. */
  get nextRow(): number {
    return this.#nextRow;
  }

  /** Bytes of results that are not committed yet. */
  get bytes(): number {
    return this.#bytes + this.#bytesUnderWay;
  }

  /** Rows that wait for an earlier one; undefined if there are none. */
  get waiting(): LiveProgress['waiting'] {
    if (this.#isClosed) return undefined;
    const forRow = this.#nextRow + this.#rowsUnderWay;
    if (this.#rowsWaiting === 0 || this.#waiting.has(forRow)) return undefined;
    return { rows: this.#rowsWaiting, forRow };
  }

  /** None once the queue is closed: they are dropped. */
  get unsaved(): LiveProgress['unsaved'] {
    if (this.#isClosed) return { rowsDone: 0, rowsFailed: 0 };
    const rowsFailed = this.#failedWaiting + this.#failedUnderWay;
    return { rowsDone: this.#rowsWaiting + this.#rowsUnderWay - rowsFailed, rowsFailed };
  }

  get progress(): Pick<LiveProgress, 'waiting' | 'unsaved'> {
    return { waiting: this.waiting, unsaved: this.unsaved };
  }

  /** True if no commit is running or due. */
  get isIdle(): boolean {
    return this.#flushing === undefined && !this.#waiting.has(this.#nextRow);
  }

  addResult(ordered: OrderedResult): void {
    if (this.#isClosed) return;
    this.#insert(this.#join(ordered));
    this.flush();
  }

  /** Commits the next results, now or once they are due. Call it when a caller waits for the commit. */
  flush(): void {
    if (!this.#canFlush) return;
    const { throttle } = this.#options;
    if (throttle?.isCommitDue(this.#bytes) ?? true) this.#flush();
    else throttle?.scheduleCommit(() => this.flush());
  }

  get #canFlush(): boolean {
    return !this.#isClosed && this.#flushing === undefined && this.#waiting.has(this.#nextRow);
  }

  /** Drops waiting results; resolves when the running commit has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.throttle?.cancelSchedule();
    await this.#flushing;
  }

  /** Commits all waiting results, with the rows between them as unfinished. No result may be added afterwards. */
  async closeKeepingResults(): Promise<void> {
    this.#keepsWaiting = true;
    await this.#flushed();
    this.#fillGaps();
    this.#flush();
    await this.#flushed();
    await this.close();
  }

  async #flushed(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  #fillGaps(): void {
    let row = this.#nextRow;
    for (const { firstRow, result } of [...this.#waiting.values()].sort(byFirstRow)) {
      if (firstRow > row)
        this.#insert({ firstRow: row, result: unfinishedRows(firstRow - row), endsRun: false });
      row = firstRow + result.rows;
    }
  }

  /** Joins the results with waiting ones directly before and after them, up to the size of one commit. */
  #join(ordered: OrderedResult): OrderedResult {
    const before = this.#waiting.get(this.#firstRowByEnd.get(ordered.firstRow) ?? 0);
    const joined =
      before !== undefined && mayJoin(before, ordered) ? this.#joinTwo(before, ordered) : ordered;
    const after = this.#waiting.get(endOf(joined));
    return after !== undefined && mayJoin(joined, after) ? this.#joinTwo(joined, after) : joined;
  }

  #joinTwo(one: OrderedResult, next: OrderedResult): OrderedResult {
    for (const part of [one, next]) this.#remove(part);
    return { firstRow: one.firstRow, result: merge([one.result, next.result]), endsRun: next.endsRun };
  }

  #insert(ordered: OrderedResult): void {
    this.#waiting.set(ordered.firstRow, ordered);
    this.#firstRowByEnd.set(endOf(ordered), ordered.firstRow);
    this.#rowsWaiting += ordered.result.rows;
    this.#failedWaiting += ordered.result.failures.length;
    this.#bytes += sizeOf(ordered.result);
  }

  /** If it is there. */
  #remove(ordered: OrderedResult): void {
    if (!this.#waiting.delete(ordered.firstRow)) return;
    this.#firstRowByEnd.delete(endOf(ordered));
    this.#rowsWaiting -= ordered.result.rows;
    this.#failedWaiting -= ordered.result.failures.length;
    this.#bytes -= sizeOf(ordered.result);
  }

  #flush(): void {
    if (!this.#canFlush) return;
    const group = this.#takeGroup();
    this.#options.throttle?.recordCommitStart();
    this.#flushing = this.#commit(group).catch((error: unknown) => {
      this.#isClosed = true;
      this.#flushing = undefined;
      this.#options.onBroken(error);
    });
  }

  #takeGroup(): OrderedResult[] {
    const group: OrderedResult[] = [];
    let row = this.#nextRow;
    let bytes = 0;
    for (let next = this.#waiting.get(row); next !== undefined; next = this.#waiting.get(row)) {
      if (group.length > 0 && bytes + sizeOf(next.result) > maxBytesAtOnce) break;
      group.push(next);
      this.#remove(next);
      bytes += sizeOf(next.result);
      row += next.result.rows;
      if (next.endsRun) break;
    }
    this.#bytesUnderWay = bytes;
    this.#rowsUnderWay = row - this.#nextRow;
    this.#failedUnderWay = failuresIn(group);
    return group;
  }

  async #commit(group: readonly OrderedResult[]): Promise<void> {
    await this.#options.sink.commit(merge(group.map(({ result }) => result)));
    this.#afterCommit(group);
  }

  #afterCommit(group: readonly OrderedResult[]): void {
    this.#flushing = undefined;
    const rows = this.#rowsUnderWay;
    const failed = this.#failedUnderWay;
    this.#nextRow += rows;
    this.#rowsUnderWay = 0;
    this.#failedUnderWay = 0;
    this.#bytesUnderWay = 0;
    const last = group.at(-1);
    if (last?.endsRun) this.#isClosed = true;
    const failure = last?.endsRun ? last.result.failures.at(-1) : undefined;
    this.#options.onCommitted({ rows, failed, ...(failure === undefined ? {} : { endsRun: failure }) });
    if (this.#keepsWaiting) this.#flush();
    else this.flush();
  }
}

const failuresIn = (group: readonly OrderedResult[]): number =>
  group.reduce((sum, { result }) => sum + result.failures.length, 0);

const endOf = ({ firstRow, result }: OrderedResult): number => firstRow + result.rows;

const mayJoin = (one: OrderedResult, next: OrderedResult): boolean =>
  !one.endsRun && one.result.rows + next.result.rows <= maxRowsInBatch;

const byFirstRow = (one: OrderedResult, other: OrderedResult): number => one.firstRow - other.firstRow;

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
