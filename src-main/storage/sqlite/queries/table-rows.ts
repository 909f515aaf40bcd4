// The rows that a table shows: those of a run, or of several runs each row once, with its newest answer.
import type { Column } from '../../../domain/query/column.ts';
import type { LaterAttempts } from '../../../domain/query/table-page.ts';
import { decodeRowNumbers } from '../../../domain/run/row-numbers.ts';
import { readRowState, rowStateBytes } from '../../../domain/run/row-state.ts';
import type { BatchReads } from '../batch-queries.ts';
import type { Steps } from './continued-queries.ts';
import { LineCursor, type Line } from '../line-cursor.ts';
import { RowCursor } from '../row-cursor.ts';

/** Ids of all nodes of each run of a table, in the order in which they run. */
export type NodeIds = readonly (readonly string[])[];

/** Positions are from 1. Readers are quick for rising ones. */
export interface TableRows {
  /** Another one where the same positions may be other rows. */
  readonly key: string;
  readonly lastRow: number;
  /** Position of the last row that may have a result. */
  readonly lastResult: number;
  /** Results of its runs that a reading up to a position looks at. */
  resultsUpTo(position: number): number;
  /**
   * Reads rows of a table; the row that it returned last is valid until the next call.
   * @param nodeIds of each run of the table; needed for cells of nodes
   */
  rowReader(nodeIds?: NodeIds): (position: number) => RowCursor;
  /** Attempts after the one of the row at that position that have it, too; undefined for most rows. */
  laterAttempts(position: number): LaterAttempts | undefined;
  /** Reads lines; see `LineCursor.lineAt`. */
  lineReader(of: Column['of']): (position: number) => Line;
}

/** The rows of one run, also those that it gets meanwhile. */
export class RowsOfRun implements TableRows {
  readonly #batches: BatchReads;
  readonly key: string;

  constructor(batches: BatchReads, runId: string) {
    this.#batches = batches;
    this.key = runId;
  }

  get lastRow(): number {
    return this.#batches.extent(this.key).lastRow;
  }

  get lastResult(): number {
    return this.#batches.extent(this.key).lastResult;
  }

  resultsUpTo(position: number): number {
    return position;
  }

  laterAttempts(): undefined {
    return undefined;
  }

  rowReader([nodeIds]: NodeIds = []): (position: number) => RowCursor {
    const cursor = new RowCursor(this.#batches, { runId: this.key, nodeIds });
    return (position) => {
      cursor.moveTo(position);
      return cursor;
    };
  }

  lineReader(of: Column['of']): (position: number) => Line {
    const cursor = LineCursor.over(this.#batches, this.key, of);
    return (position) => cursor.lineAt(position);
  }
}

/** An output is worth more than a failure, and a failure more than no result. Of equal ones the newest counts. */
export const rankOf = { done: 2, failed: 1, unfinished: 0 } as const;

/** Rows between two steps. */
const rowsAtOnce = 10_000;

/** `bytes`: memory that it takes. */
export type MergedTable = TableRows & { readonly bytes: number };

/**
 * The rows of several runs as they are now, each once. Reads a few bytes of each row. Throws `run_not_found`,
 * `data_unreadable`.
 * @param runIds oldest first, at most 256
 * @param ended as for `openTable`
 */
export function* mergedRows(
  batches: BatchReads,
  runIds: readonly string[],
  ended?: ReadonlyMap<string, number>,
): Steps<MergedTable> {
  return new MergedRows(batches, yield* orderRows(batches, runIds, ended));
}

/** Rows of several runs as they were at one time, by number: about 10 bytes a row. */
class MergedRows implements TableRows {
  readonly #batches: BatchReads;
  readonly #runs: readonly StoredRun[];
  /** Index of the run of each stored row; the rows of a run follow those of the one before it. */
  readonly #runOf: Uint8Array;
  /** The stored rows that are shown. */
  readonly #order: Uint32Array;
  /** By stored row. */
  readonly #later: ReadonlyMap<number, LaterAttempts>;
  readonly #results: number;
  readonly key: string;

  constructor(batches: BatchReads, { runs, runOf, order, later }: RowOrder) {
    this.#batches = batches;
    this.#runs = runs;
    this.#runOf = runOf;
    this.#order = order;
    this.#later = later;
    this.#results = runs.reduce((sum, { lastResult }) => sum + lastResult, 0);
    this.key = JSON.stringify(runs);
  }

  get lastRow(): number {
    return this.#order.length;
  }

  get lastResult(): number {
    return this.#order.length;
  }

  resultsUpTo(): number {
    return this.#results;
  }

  /** Memory, about. */
  get bytes(): number {
    return this.#order.byteLength + this.#runOf.byteLength;
  }

  laterAttempts(position: number): LaterAttempts | undefined {
    return this.#later.get(this.#order[position - 1]!);
  }

  rowReader(nodeIds: NodeIds = []): (position: number) => RowCursor {
    const cursors = this.#runs.map(
      ({ runId }, at) => new RowCursor(this.#batches, { runId, attempt: at + 1, nodeIds: nodeIds[at] }),
    );
    return (position) => {
      const { run, positionInRun } = this.#find(position);
      const cursor = cursors[run]!;
      cursor.moveTo(positionInRun);
      return cursor;
    };
  }

  lineReader(of: Column['of']): (position: number) => Line {
    const cursors = this.#runs.map(({ runId }) => LineCursor.over(this.#batches, runId, of));
    return (position) => {
      const { run, positionInRun } = this.#find(position);
      return cursors[run]!.lineAt(positionInRun);
    };
  }

  #find(position: number): { readonly run: number; readonly positionInRun: number } {
    const row = this.#order[position - 1]!;
    const run = this.#runOf[row]!;
    return { run, positionInRun: row - this.#runs[run]!.offset + 1 };
  }
}

/**
 * Throws as `mergedRows`.
 * @param runIds oldest first
 * @param ended of several runs: position of the last result that counts, by run; absent: all results do
 */
export function* openTable(
  batches: BatchReads,
  runIds: readonly string[],
  ended?: ReadonlyMap<string, number>,
): Steps<TableRows> {
  const [only] = runIds;
  return only !== undefined && runIds.length === 1
    ? new RowsOfRun(batches, only)
    : yield* mergedRows(batches, runIds, ended);
}

type StoredRun = {
  readonly runId: string;
  readonly lastRow: number;
  readonly lastResult: number;
  /** Rows of all runs before it. */
  readonly offset: number;
};

type RowOrder = {
  readonly runs: readonly StoredRun[];
  readonly runOf: Uint8Array;
  readonly order: Uint32Array;
  /** By stored row. */
  readonly later: ReadonlyMap<number, LaterAttempts>;
};

function* orderRows(
  batches: BatchReads,
  runIds: readonly string[],
  ended?: ReadonlyMap<string, number>,
): Steps<RowOrder> {
  const runs: StoredRun[] = [];
  let offset = 0;
  for (const runId of runIds) {
    const { lastRow, lastResult } = batches.extent(runId);
    runs.push({ runId, lastRow, lastResult: Math.min(lastResult, ended?.get(runId) ?? lastResult), offset });
    offset += lastRow;
  }
  const stored = {
    runOf: new Uint8Array(offset),
    numbers: new Uint32Array(offset),
    ranks: new Uint8Array(offset),
    later: new Map<number, LaterAttempts>(),
  };
  let order = new Uint32Array();
  for (const [index, run] of runs.entries()) {
    const end = run.offset + run.lastRow;
    stored.runOf.fill(index, run.offset, end);
    yield* readNumbers(batches, run, stored.numbers.subarray(run.offset, end));
    yield* readRanks(batches, run, stored.ranks.subarray(run.offset, end));
    order = mergeRows(order, risingNumbers(run.offset, run.lastRow), stored);
    yield 0;
  }
  return { runs, order, runOf: stored.runOf, later: stored.later };
}

function* readNumbers(batches: BatchReads, { runId, lastRow }: StoredRun, numbers: Uint32Array): Steps<void> {
  for (let from = 1; from <= lastRow; from += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, lastRow - from + 1);
    const bytes = batches.rowNumbers(runId, from, rows);
    numbers.set(bytes === undefined ? risingNumbers(from, rows) : decodeRowNumbers(bytes), from - 1);
    yield 0;
  }
}

function* readRanks(batches: BatchReads, { runId, lastResult }: StoredRun, into: Uint8Array): Steps<void> {
  for (let position = 1; position <= lastResult;) {
    const batch = batches.outputBatch(runId, position, 'states');
    if (batch?.bytes === undefined) return;
    const { firstRow, rows, bytes } = batch;
    const states = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const read = Math.min(rows, lastResult - firstRow + 1);
    for (let index = 0; index < read; index += 1)
      into[firstRow - 1 + index] = rankOf[readRowState(states, index * rowStateBytes).state];
    position = firstRow + rows;
    yield 0;
  }
}

type Merged = {
  readonly runOf: Uint8Array;
  readonly numbers: Uint32Array;
  readonly ranks: Uint8Array;
  readonly later: Map<number, LaterAttempts>;
};

/** Both lists as one by rising number; of two rows with the same number only that of the higher rank. */
function mergeRows(older: Uint32Array, newer: Uint32Array, stored: Merged): Uint32Array<ArrayBuffer> {
  const { numbers, ranks } = stored;
  const merged = new Uint32Array(older.length + newer.length);
  let [length, oldAt, newAt] = [0, 0, 0];
  while (oldAt < older.length || newAt < newer.length) {
    const [oldRow, newRow] = [older[oldAt], newer[newAt]];
    const difference =
      (oldRow === undefined ? Infinity : numbers[oldRow]!) -
      (newRow === undefined ? Infinity : numbers[newRow]!);
    const isNewer = difference === 0 ? ranks[newRow!]! >= ranks[oldRow!]! : difference > 0;
    if (difference === 0 && !isNewer) noteLater(oldRow!, newRow!, stored);
    merged[length++] = isNewer ? newRow! : oldRow!;
    if (difference <= 0) oldAt += 1;
    if (difference >= 0) newAt += 1;
  }
  return merged.slice(0, length);
}

/** Notes that a later attempt has the row, too, whose result is no better. */
function noteLater(older: number, newer: number, { runOf, ranks, later }: Merged): void {
  const attempt = runOf[newer]! + 1;
  if (ranks[newer] === rankOf.failed) later.set(older, { failedAgain: attempt });
  else if (ranks[older] === rankOf.failed) later.set(older, { takenBy: attempt });
}

function risingNumbers(first: number, length: number): Uint32Array {
  const indexes = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) indexes[index] = first + index;
  return indexes;
}
