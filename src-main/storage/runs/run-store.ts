// Stored runs: their records, rows and results. Calls take the same time with any number of runs. Who calls: the run
// services; the executor uses its readers of rows and writers of results.
import { invariant } from '../../base/invariant.ts';
import type { Clock } from '../../base/clock.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { rowFailureSchema, type RowFailure } from '../../domain/run/row-failure.ts';
import { decodeRowNumbers, type RowLines } from '../../domain/run/row-numbers.ts';
import { readRowState, rowStateBytes, type RowState } from '../../domain/run/row-state.ts';
import { kindOfLine, rowOfLine } from '../../domain/results/scan-trace-line.ts';
import type { RunStatistics } from '../../domain/results/run-statistics.ts';
import { runSchema, type RowCounts, type Run } from '../../domain/run/run.ts';
import {
  type PastBounds,
  type RetentionBounds,
  type RunWriter,
  type RunQuery,
  type StoredRun,
  type TraceLine,
  findRunId,
} from '../../domain/run/stored-run.ts';
import type { FreeSpace } from '../free-space.ts';
import { readOutputPart, readRowLines, type WholeRowBatch } from './read-batches.ts';
import { retryWhileRefused } from './store-health.ts';
import { RowWriter } from './row-writer.ts';
import type { ResultsDatabase, StoreDatabase } from './store-database.ts';
import { RunResults } from './run-results.ts';
import { RunRowReader } from './run-row-reader.ts';
import type { Acceptance } from '../sqlite/store-writer.ts';
import type { CommittedProgress } from '../sqlite/stored-batches.ts';

type RunStoreDeps = {
  readonly database: StoreDatabase;
  /** Takes results of runs. Absent: this process executes no runs by itself. */
  readonly results?: ResultsDatabase | undefined;
  readonly free: Pick<FreeSpace, 'assertFree'>;
  readonly clock: Clock;
};

/** Minimum free space to accept a run, in bytes: for its results, and for the user to clean up. */
const minFreeBytes = 200_000_000;
/** Minimum free space to accept a run while runs too young to remove exceed the maximum size of the store, in bytes. */
const minFreeBytesAboveSize = 1_000_000_000;
/** Estimated bytes on the disk per byte of rows: outputs are usually about as large as rows. */
const spacePerRowByte = 2;
/** Maximum accepted runs whose rows stay in memory for their execution. A batch of rows has about 1 MB at most. */
const maxRunsInMemory = 8;
/** Maximum ids in the error for an ambiguous part of an id. */
const maxIdsLike = 10;

export class RunStore {
  readonly #database: StoreDatabase;
  readonly #results: ResultsDatabase | undefined;
  readonly #free: Pick<FreeSpace, 'assertFree'>;
  readonly #clock: Clock;
  /** Rows of runs that were accepted in one batch and that no reader has been opened for, by run id, oldest first. */
  readonly #acceptedRows = new Map<string, WholeRowBatch>();
  /** True if retention cannot bring the store down to its size. */
  isAboveSize = false;

  constructor({ database, results, free, clock }: RunStoreDeps) {
    this.#database = database;
    this.#results = results;
    this.#free = free;
    this.#clock = clock;
  }

  /** Newest id of the runs that were stored at the start; undefined if there were none. */
  get newestRunId(): string | undefined {
    return this.#database.newestRunId;
  }

  /** Opens a writer for the rows of a new run. Throws `disk_full`, `store_degraded`. */
  async openRunWriter(expectedBytes = 0): Promise<RunWriter> {
    this.#database.assertWritable();
    const min = this.isAboveSize ? minFreeBytesAboveSize : minFreeBytes;
    const needed = Math.max(min, spacePerRowByte * expectedBytes);
    await this.#free.assertFree(needed);
    const rows = await RowWriter.open(this.#database);
    return {
      append: (arriving) => rows.append(arriving),
      setNumbers: (numbers) => rows.addNumbers(numbers),
      commit: (run) =>
        rows.commit(async (acceptance) => {
          invariant(rows.rows === run.rows, 'a run is accepted with all of its rows');
          const batch = this.#results && copyOfOnlyBatch(acceptance, run.rows);
          await this.#database.write('acceptRun', acceptance, runSchema.parse(run));
          if (batch !== undefined) this.#holdAcceptedRows(run.runId, batch);
        }),
      abandon: () => rows.abandon(),
    };
  }

  /** Holds the rows of a run for its first reader: reading them back would take a small run a third of its time. */
  #holdAcceptedRows(runId: string, batch: WholeRowBatch): void {
    this.#acceptedRows.set(runId, batch);
    const [oldest] = this.#acceptedRows.keys();
    if (oldest !== undefined && this.#acceptedRows.size > maxRunsInMemory) this.#acceptedRows.delete(oldest);
  }

  /** The saved run; undefined if there is no such run. Throws `data_unreadable`. */
  find(runId: string): Promise<StoredRun | undefined> {
    return this.#database.read('run', runId);
  }

  /** Newest first. */
  list(query: RunQuery): Promise<readonly StoredRun[]> {
    return this.#database.read('runs', query);
  }

  /** Unfinished runs in the order of acceptance; for a damaged record, its id and the problem. */
  listUnfinished(): Promise<readonly (StoredRun | { readonly runId: string; readonly problem: string })[]> {
    return this.#database.read('unfinishedRuns');
  }

  /** Completes an id from its beginning or end. Throws `run_not_found`, `invalid_input`. */
  async resolveId(text: string): Promise<string> {
    // Complete ids, and parts that are too short, are not searched.
    const isPiece = text.length >= 4 && text.length < 36;
    const ids = isPiece ? await this.#database.read('idsLike', text.toLowerCase(), maxIdsLike) : [];
    return findRunId(text, ids);
  }

  hasRunOf(workflowId: string): Promise<boolean> {
    return this.#database.read('hasWorkflow', workflowId);
  }

  /** Ids of the reruns of a run, newest first. */
  rerunsOf(runId: string, limit: number): Promise<readonly string[]> {
    return this.#database.read('rerunsOf', runId, limit);
  }

  /** Ids of the attempts of a chain, oldest first. */
  attemptsOf(chainId: string, limit: number): Promise<readonly string[]> {
    return this.#database.read('attemptsOf', chainId, limit);
  }

  /**
   * Replaces the run's record durably; retries during a shortage. Throws `store_degraded`,
   * `run_not_found`, or `out_of_resources` or `disk_full` for a shortage that lasts.
   */
  save(run: Run): Promise<void> {
    const checked = runSchema.parse(run);
    return retryWhileRefused(this.#clock, () => this.#database.write('saveRun', checked));
  }

  /** Finished runs that exceed the bounds of retention. */
  pastBounds(bounds: RetentionBounds): Promise<PastBounds> {
    return this.#database.read('pastBounds', bounds);
  }

  /**
   * Removes runs, and snapshots that no other run and none of `retainedHashes` needs; rows are removed later. Throws
   * `store_degraded`, `disk_full`.
   */
  remove(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    for (const runId of runIds) this.#acceptedRows.delete(runId);
    return this.#database.removeRuns(runIds, retainedHashes);
  }

  /** Resolves when the rows of removed runs are gone, too, or their removal is left to the next start. */
  swept(): Promise<void> {
    return this.#database.swept();
  }

  /** Bytes that the runs and row sets take in the store. */
  usedBytes(): Promise<number> {
    return this.#database.read('usedBytes');
  }

  /** Opens a reader of the run's rows after `afterRow`. */
  openReader({ runId, rows }: Pick<Run, 'runId' | 'rows'>, afterRow: number): RunRowReader {
    const firstBatch = afterRow === 0 ? this.#acceptedRows.get(runId) : undefined;
    this.#acceptedRows.delete(runId);
    return new RunRowReader(this.#database, runId, { afterRow, rows, firstBatch });
  }

  /**
   * Opens the run's results for further commits. Throws `data_unreadable`, `run_not_found`.
   * @param isNew true if the run has no commit yet
   */
  async openResults(runId: string, isNew: boolean): Promise<RunResults> {
    invariant(this.#results !== undefined, 'results come from this process');
    const progress = isNew ? noProgress : await this.#database.read('progress', runId);
    return new RunResults({ database: this.#results, clock: this.#clock, runId }, progress);
  }

  /** Counts of the rows committed so far. Throws `run_not_found`, `data_unreadable`. */
  async readCounts(runId: string): Promise<RowCounts> {
    return (await this.#database.read('progress', runId)).counts;
  }

  /** Statistics of the committed rows; undefined before the first commit. Throws as `readCounts`. */
  async readStatistics(runId: string): Promise<RunStatistics | undefined> {
    return (await this.#database.read('progress', runId)).statistics;
  }

  /**
   * The committed outputs; an empty line is a row without output. Throws `data_unreadable` before it returns a byte that
   * differs from the committed one.
   * @param rows rows of a completed run; with fewer outputs it throws at once
   * @param fromRow position of the first row; the result starts with the batch of this row
   */
  readOutputs(runId: string, rows?: number, fromRow = 1): AsyncGenerator<RowLines> {
    return this.#readOutputs(runId, { rows, fromRow, mayCut: false });
  }

  /** The committed outputs in pieces of bounded size, for many slow readers. */
  readOutputPieces(runId: string, rows?: number): AsyncGenerator<RowLines> {
    return this.#readOutputs(runId, { rows, fromRow: 1, mayCut: true });
  }

  async *#readOutputs(
    runId: string,
    { rows, fromRow, mayCut }: { rows: number | undefined; fromRow: number; mayCut: boolean },
  ): AsyncGenerator<RowLines> {
    const { hasNumbers, lastResult } = await this.#database.read('extent', runId);
    if (rows !== undefined && lastResult !== rows)
      throw dataUnreadable(`run ${runId} has outputs of ${lastResult} of its ${rows} rows`);
    const range = { fromRow, toRow: lastResult, isWhole: true };
    const pieces = readOutputPart(this.#database, runId, { ...range, part: 'outputs', mayCut });
    yield* hasNumbers ? this.#numbered(runId, pieces) : pieces;
  }

  /** The run's rows as they were accepted; `fromRow` as in `readOutputs`. Throws `data_unreadable`. */
  async *readRows(runId: string, fromRow = 1): AsyncGenerator<RowLines> {
    const { hasNumbers, lastRow } = await this.#database.read('extent', runId);
    const pieces = readRowLines(this.#database, { runId }, { fromRow, toRow: lastRow, isWhole: true });
    yield* hasNumbers ? this.#numbered(runId, pieces) : pieces;
  }

  /** Adds row numbers that are not positions. */
  async *#numbered(
    runId: string,
    pieces: AsyncIterable<{ readonly firstRow: number; readonly rows: number; readonly bytes: Uint8Array }>,
  ): AsyncGenerator<RowLines> {
    for await (const { firstRow, rows, bytes } of pieces)
      yield { firstRow, bytes, numbers: await this.readRowNumbers(runId, firstRow, rows) };
  }

  /** The first failures, in row order. Throws `data_unreadable`. */
  async readFailures(runId: string, limit: number): Promise<readonly RowFailure[]> {
    const failures: RowFailure[] = [];
    if (limit > 0)
      for await (const failure of this.eachFailure(runId)) {
        failures.push(failure);
        if (failures.length === limit) break;
      }
    return failures;
  }

  /** All failures, in row order. Throws `data_unreadable`. */
  async *eachFailure(runId: string): AsyncGenerator<RowFailure> {
    let row = await this.#database.read('nextFailedBatch', runId, 1);
    while (row !== undefined) {
      const batch = await this.#database.read('outputBatch', runId, row, 'trace');
      if (batch === undefined) return;
      for (const line of linesOf(batch.bytes))
        if (kindOfLine(line) !== 'row') yield parseFailure(line, runId);
      row = await this.#database.read('nextFailedBatch', runId, batch.firstRow + batch.rows);
    }
  }

  /**
   * The lines of rows `from` to `to` that have a trace, as domain/results/row-trace.ts reads them. Throws
   * `data_unreadable`.
   * @param from number of a row, as `to`
   */
  async *readTraces(runId: string, from: number, to: number): AsyncGenerator<TraceLine> {
    const first = (await this.#database.read('positionOfNumber', runId, from))?.position ?? from;
    const last = first + to - from;
    const batches = readOutputPart(this.#database, runId, {
      part: 'trace',
      fromRow: Math.max(1, first),
      toRow: last,
    });
    for await (const { firstRow, bytes } of batches) {
      if (firstRow > last) return;
      for (const line of linesOf(bytes)) {
        const row = rowOfLine(line);
        if (row !== undefined && row > to) return;
        if (row !== undefined && row >= from) yield { row, line };
      }
    }
  }

  /** The position, from 1, of the row with that number; undefined if the run has none. Throws `data_unreadable`. */
  async positionOf(runId: string, number: number): Promise<number | undefined> {
    const found = await this.#database.read('positionOfNumber', runId, number);
    if (found === undefined) return number;
    return found.isThere ? found.position : undefined;
  }

  /** Numbers of rows from position `firstRow` on. Throws `data_unreadable`. */
  async readRowNumbers(runId: string, firstRow: number, rows: number): Promise<readonly number[]> {
    const numbers = await this.#database.read('rowNumbers', runId, firstRow, rows);
    return numbers === undefined
      ? Array.from({ length: rows }, (_, index) => firstRow + index)
      : decodeRowNumbers(numbers);
  }

  /** States of committed rows, `fromRow` (from 1) first; fewer than `count` where there are no more. Throws `data_unreadable`. */
  async readStates(runId: string, fromRow: number, count: number): Promise<readonly RowState[]> {
    const states: RowState[] = [];
    if (count <= 0) return states;
    for await (const { firstRow, bytes } of readOutputPart(this.#database, runId, {
      part: 'states',
      fromRow,
    })) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const rows = bytes.length / rowStateBytes;
      for (let row = Math.max(0, fromRow - firstRow); row < rows && states.length < count; row += 1)
        states.push(readRowState(view, row * rowStateBytes));
      if (states.length >= count) break;
    }
    return states;
  }
}

/** A copy, since storing a batch hands its memory over; undefined if the run has more batches, or one large row. */
function copyOfOnlyBatch({ batches }: Acceptance, rows: number): WholeRowBatch | undefined {
  const [batch] = batches;
  if (batch?.lines === undefined || batch.rows < rows) return undefined;
  return structuredClone({ ...batch, lines: batch.lines });
}

const noProgress: CommittedProgress = { counts: { rowsDone: 0, rowsFailed: 0 }, traceBytes: 0 };

const linesOf = (bytes: Uint8Array | undefined): readonly string[] =>
  bytes === undefined
    ? []
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n').filter(Boolean);

function parseFailure(line: string, runId: string): RowFailure {
  try {
    return rowFailureSchema.parse(JSON.parse(line));
  } catch (error) {
    throw dataUnreadable(`a trace of run ${runId} is damaged`, error);
  }
}
