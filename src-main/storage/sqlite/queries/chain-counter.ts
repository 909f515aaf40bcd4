// Counts the rows of chains by their results. A count goes on from the one before it, so that an attempt that is running
// costs no more than its new results.
import { LruMap } from '../../../base/lru-map.ts';
import type { AttemptGains, ChainRows } from '../../../domain/run/chain.ts';
import { decodeRowNumbers } from '../../../domain/run/row-numbers.ts';
import { readRowState, rowStateBytes } from '../../../domain/run/row-state.ts';
import type { BatchReads } from '../batch-queries.ts';
import { stepFor, type Steps } from './continued-queries.ts';
import { rankOf } from './table-rows.ts';

type Progress = { readonly isReady: false } | { readonly isReady: true; readonly answer: ChainRows };

const maxTallies = 200;
const maxBytes = 32_000_000;

export class ChainCounter {
  readonly #batches: BatchReads;
  /** By the first run of a chain. */
  readonly #tallies = new LruMap<string, ChainTally>({
    maxEntries: maxTallies,
    maxSize: maxBytes,
    sizeOf: ({ bytes }) => bytes,
  });

  constructor(batches: BatchReads) {
    this.#batches = batches;
  }

  /**
   * Works for some milliseconds on the count of a chain's rows. Throws `run_not_found`, `data_unreadable`.
   * @param runIds attempts, oldest first @param openRunIds those of them whose rows without an output are unknown
   */
  countChainRows(runIds: readonly string[], openRunIds: readonly string[] = []): Progress {
    const [key = ''] = runIds;
    const known = this.#tallies.get(key);
    const tally = known?.isBeginningOf(runIds) === true ? known : new ChainTally(this.#batches);
    this.#tallies.delete(key);
    const isReady = tally.advance(runIds);
    // Not after an error: the next count begins anew.
    this.#tallies.set(key, tally);
    return isReady ? { isReady, answer: tally.rowsWith(openRunIds) } : { isReady };
  }
}

/** Rows between two steps. */
const rowsAtOnce = 10_000;
/** Marks of rows by their number: no attempt has the row, or one more than the rank of its best result. */
const absent = 0;
const markOf = (rank: number): number => rank + 1;

type CountedRun = {
  readonly runId: string;
  /** Position of the row after the last one whose result is counted. */
  next: number;
  lastRow: number;
  /** Numbers of its rows by their position - 1; undefined: they are the positions. */
  numbers: Uint32Array | undefined;
  readonly gains: { -readonly [Key in keyof AttemptGains]: number };
};

/** The best result of each row of a chain so far: a byte a row. */
class ChainTally {
  readonly #batches: BatchReads;
  readonly #runs: CountedRun[] = [];
  /** By the number of the row. */
  #marks = new Uint8Array(1);
  /** Rows by their mark. */
  readonly #counts: [number, number, number, number] = [0, 0, 0, 0];
  #steps: Steps<void> | undefined;

  constructor(batches: BatchReads) {
    this.#batches = batches;
  }

  isBeginningOf(runIds: readonly string[]): boolean {
    return this.#runs.every(({ runId }, index) => runId === runIds[index]);
  }

  rowsWith(openRunIds: readonly string[]): ChainRows {
    const [, notRun, failed, done] = this.#counts;
    const gains = this.#runs.map((run) => ({ ...run.gains }));
    const rows = { rows: notRun + failed + done, done, failed, gains };
    const unknown = this.#numbersWithoutOutput(openRunIds);
    if (unknown.size === 0) return rows;
    const unknownFailed = [...unknown].filter((number) => this.#marks[number] === markOf(rankOf.failed));
    return { ...rows, failed: failed - unknownFailed.length, unknown: unknown.size };
  }

  #numbersWithoutOutput(runIds: readonly string[]): ReadonlySet<number> {
    const found = new Set<number>();
    for (const run of this.#runs.filter(({ runId }) => runIds.includes(runId)))
      for (let position = 1; position <= run.lastRow; position += 1) {
        const number = numberAt(run, position);
        if (this.#marks[number] !== markOf(rankOf.done)) found.add(number);
      }
    return found;
  }

  /** Memory, about. */
  get bytes(): number {
    return this.#runs.reduce((sum, { numbers }) => sum + (numbers?.byteLength ?? 0), this.#marks.byteLength);
  }

  /** Works for some milliseconds; true if all results of the runs are counted. */
  advance(runIds: readonly string[]): boolean {
    this.#steps ??= this.#count(runIds);
    if (stepFor(this.#steps).done !== true) return false;
    this.#steps = undefined;
    return this.#runs.length === runIds.length;
  }

  *#count(runIds: readonly string[]): Steps<void> {
    for (const [index, runId] of runIds.entries()) {
      const run = this.#runs[index] ?? (yield* this.#addRun(runId));
      // All of its rows have a result.
      if (run.next > run.lastRow) continue;
      yield* this.#countResults(run, this.#batches.extent(runId).lastResult);
    }
  }

  *#addRun(runId: string): Steps<CountedRun> {
    const { lastRow, hasNumbers } = this.#batches.extent(runId);
    const run: CountedRun = {
      runId,
      next: 1,
      lastRow,
      numbers: hasNumbers ? new Uint32Array(lastRow) : undefined,
      gains: { newOutputs: 0, fixed: 0, failedAgain: 0 },
    };
    this.#runs.push(run);
    for (let from = 1; from <= lastRow; from += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, lastRow - from + 1);
      const bytes = hasNumbers ? this.#batches.rowNumbers(runId, from, rows) : undefined;
      if (bytes !== undefined) run.numbers?.set(decodeRowNumbers(bytes), from - 1);
      for (let position = from; position < from + rows; position += 1)
        this.#mark(numberAt(run, position), rankOf.unfinished);
      yield 0;
    }
    return run;
  }

  *#countResults(run: CountedRun, lastResult: number): Steps<void> {
    while (run.next <= lastResult) {
      const batch = this.#batches.outputBatch(run.runId, run.next, 'states');
      if (batch?.bytes === undefined) return;
      const { firstRow, rows, bytes } = batch;
      const states = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let position = Math.max(firstRow, run.next); position < firstRow + rows; position += 1) {
        const { state } = readRowState(states, (position - firstRow) * rowStateBytes);
        const number = numberAt(run, position);
        this.#countGain(run, number, rankOf[state]);
        this.#mark(number, rankOf[state]);
      }
      run.next = firstRow + rows;
      yield 0;
    }
    if (run.next > run.lastRow) run.numbers = undefined;
  }

  #countGain({ gains }: CountedRun, number: number, rank: number): void {
    const before = this.#marks[number];
    const hadFailed = before === markOf(rankOf.failed);
    if (rank === rankOf.done && before !== markOf(rankOf.done)) {
      gains.newOutputs += 1;
      if (hadFailed) gains.fixed += 1;
    } else if (rank === rankOf.failed && hadFailed) gains.failedAgain += 1;
  }

  /** Counts the result of a row if it is better than those before it. */
  #mark(number: number, rank: number): void {
    if (number >= this.#marks.length) this.#grow(number);
    const before = this.#marks[number]!;
    const mark = markOf(rank);
    if (mark <= before) return;
    if (before !== absent) this.#counts[before]! -= 1;
    this.#counts[mark]! += 1;
    this.#marks[number] = mark;
  }

  #grow(number: number): void {
    const marks = new Uint8Array(Math.max(number + 1, 2 * this.#marks.length));
    marks.set(this.#marks);
    this.#marks = marks;
  }
}

const numberAt = ({ numbers }: CountedRun, position: number): number => numbers?.[position - 1] ?? position;
