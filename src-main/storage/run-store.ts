// Stored runs, each in a folder of its own or, a small one, in one file: its record, its rows, its results. Cost never depends on how many others there are.
// Who calls: the run service; the executor reads rows and writes results through what this hands out.
import { join } from 'node:path';
import { dataUnreadable, runNotFound } from '../domain/errors.ts';
import { diskFull } from '../domain/store-errors.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import type { RowLines, RowPiece } from '../domain/run/row-numbers.ts';
import type { RowState } from '../domain/run/row-state.ts';
import { rowsIn, runSchema, type RowCounts, type Run } from '../domain/run/run.ts';
import { clearTemporaries } from './durable/durable-files.ts';
import { JsonFile } from './durable/json-file.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { asUnreadable, orUnreadable, release } from './durable/read-bytes.ts';
import { FreeSpace } from './free-space.ts';
import { OutputFile } from './output-file.ts';
import {
  closePart,
  committedTraces,
  openPart,
  readCommittedStates,
  type PartSource,
  type TracedRows,
} from './rows/committed-parts.ts';
import { CompactIntake } from './rows/compact-intake.ts';
import { compactRunIdIn, CompactRuns } from './rows/compact-runs.ts';
import { openRunRows, type RowsCrcs } from './rows/open-run-rows.ts';
import { countsOf, lastCommit } from './rows/output-index.ts';
import { readOutputLines, type OutputSource } from './rows/read-output-lines.ts';
import { readFailuresIn } from './rows/read-failures.ts';
import { traceLinesFrom, type TraceFile } from './rows/read-traces.ts';
import { RowPlaces } from './rows/row-places.ts';
import { RowsCheck } from './rows/rows-check.ts';
import { isRunId, outputNames, recordName, rowsName } from './rows/run-files.ts';
import { removeRuns, removedSuffix } from './rows/remove-runs.ts';
import { RunFolder } from './rows/run-folder.ts';
import { RunIntake as Intake } from './rows/run-intake.ts';
import { RunNumbers } from './rows/run-numbers.ts';
import type { RunRowReader } from './rows/run-row-reader.ts';
import { statisticsIn } from './rows/run-statistics.ts';
import type { RunStatistics } from './rows/statistics-file.ts';
import { wholeLines } from './rows/whole-lines.ts';
import { RecentIds } from './recent-ids.ts';
import { retryWhileRefused } from './report-shortages.ts';
import { Turns } from './turns.ts';

export type RunIntake = Pick<Intake, 'write' | 'writeNumbers' | 'writeGiven' | 'commit' | 'abandon'>;

export type TraceLine = { readonly row: number; readonly line: string };

export type RunStoreFolders = {
  /** Where rows arrive. On the same disk as `runs`. */
  readonly incoming: string;
  readonly runs: string;
  /** Runs with so many bytes of rows at most are kept in one file. Without it: `mostCompactBytes`. */
  readonly mostCompactBytes?: number | undefined;
};

/** Some hundred rows: what is kept of them is read and written at once. */
const mostCompactBytes = 64 * 1024;

/** Below this much free disk no run is begun: room for its results, and for the person to tidy up. */
const leastFreeBytes = 200_000_000;
/** A run's outputs are taken to be about as large as its rows. */
const spacePerRowByte = 2;
const chunkBytes = 256 * 1024;
const failedRows: TracedRows = { from: 1, to: Infinity, failed: true };

/** Runs that people look at, by and by. */
const mostWholeKnown = 1000;

export class RunStore {
  readonly #parts: StoreParts;
  readonly #folders: RunStoreFolders;
  readonly #rowPlaces = new RowPlaces();
  readonly #numbers: RunNumbers;
  readonly #compact: CompactRuns;
  readonly #free: FreeSpace;
  /** Reads and saves of one run follow each other. */
  readonly #turns = new Turns();
  /** Runs that have ended, and whose rows were all there. */
  readonly #whole = new RecentIds(mostWholeKnown);

  constructor(parts: StoreParts, folders: RunStoreFolders) {
    this.#parts = parts;
    this.#folders = folders;
    this.#compact = new CompactRuns(parts, folders);
    this.#free = new FreeSpace(parts, folders.incoming);
    this.#numbers = new RunNumbers({
      folder: (runId) => this.#folder(runId),
      readRun: (runId) => this.read(runId),
    });
  }

  /**
   * Removes what a process that ended suddenly left: half-arrived rows, half-removed runs. Resolves to the newest id of
   * the runs that are there; undefined: none.
   */
  async clearLeftovers(): Promise<string | undefined> {
    const { fileSystem } = this.#parts;
    const { incoming, runs } = this.#folders;
    // What is removed now goes by names that a process which was killed may not have synced.
    await fileSystem.syncFolder(runs);
    const names = await fileSystem.list(runs);
    for (const name of names) if (name.endsWith(removedSuffix)) await fileSystem.remove(join(runs, name));
    for (const name of await fileSystem.list(incoming)) await fileSystem.remove(join(incoming, name));
    const inFiles = await this.#compact.takeStock();
    return [...names.filter(isRunId), ...inFiles].sort().at(-1);
  }

  /** Removes what a process that ended while it saved the run's record left beside it. */
  async clearTemporaries(runId: string): Promise<void> {
    const folder = this.#folder(runId);
    if ((await folder.compact()) !== undefined) return;
    await this.#turns.take(runId, () => clearTemporaries(this.#parts.fileSystem, folder.path));
  }

  /** Opens a place for a run's rows. Throws `disk_full`, `store_degraded`. */
  async beginIntake(runId: string, expectedBytes = 0): Promise<RunIntake> {
    const to = this.#folder(runId).path;
    const needed = Math.max(leastFreeBytes, spacePerRowByte * expectedBytes);
    const free = await this.#parts.health.attempt(() => this.#free.of(needed));
    if (free < needed) throw diskFull(free, needed);
    const beginFolder = () =>
      Intake.begin(this.#parts, { runId, from: join(this.#folders.incoming, runId), to });
    const mostBytes = this.#folders.mostCompactBytes ?? mostCompactBytes;
    if (expectedBytes > 2 * mostBytes || mostBytes === 0) return beginFolder();
    return new CompactIntake({ compact: this.#compact, mostBytes, beginFolder });
  }

  /** The run's record; undefined if there is no such run. Throws `data_unreadable`. */
  async read(runId: string): Promise<Run | undefined> {
    if (!isRunId(runId)) return undefined;
    const compact = await this.#compact.find(runId);
    if (compact !== undefined) return compact.read();
    return this.#turns.take(runId, async () => {
      const run = await this.#recordOf(runId).read();
      if (run?.runId === runId) return run;
      if (run !== null) throw dataUnreadable(`${labelOf(runId)}/${recordName} is the record of another run`);
      if (!(await this.#folder(runId).exists())) return undefined;
      throw dataUnreadable(`${labelOf(runId)}/${recordName} is missing`);
    });
  }

  /**
   * Replaces the run's record; durable when it resolves. A shortage of the system is waited for. Throws
   * `store_degraded`, or `out_of_resources` for a shortage that lasts.
   */
  save(run: Run): Promise<void> {
    return retryWhileRefused(this.#parts.clock, async () => {
      const compact = await this.#compact.find(run.runId);
      if (compact !== undefined && (await this.#parts.health.attempt(() => compact.save(run)))) return;
      await this.#turns.take(run.runId, () => this.#recordOf(run.runId).write(run));
    });
  }

  /** Oldest first. */
  async listIds(): Promise<readonly string[]> {
    const names = await orUnreadable('runs', () => this.#parts.fileSystem.list(this.#folders.runs));
    const ids = names.flatMap((name) => (isRunId(name) ? name : (compactRunIdIn(name) ?? [])));
    return [...new Set(ids)].sort();
  }

  /**
   * Removes runs for good: after a crash on the way each is there whole or gone. Resolves to what was thrown, by the
   * run's id: `move_not_allowed` for one that is read.
   */
  async removeAll(runIds: readonly string[]): Promise<ReadonlyMap<string, Error>> {
    return removeRuns(
      this.#parts,
      runIds.map((runId) => this.#folder(runId)),
      this.#compact,
    );
  }

  /**
   * Hands out the run's rows after that one. Throws `data_unreadable`; for rows, or values that they are given, of
   * another CRC before the last ones.
   */
  async openReader(runId: string, afterRow: number, crcs: RowsCrcs = {}): Promise<RunRowReader> {
    return openRunRows({ folder: this.#folder(runId), numbers: this.#numbers, afterRow, crcs });
  }

  /**
   * Opens the run's results to go on with them. Throws `store_degraded`, `data_unreadable`.
   * @param rows of the run: those of a small one may then be kept together in one file
   */
  async openOutputs(runId: string, rows?: number): Promise<OutputFile> {
    const folder = this.#folder(runId);
    const { path, label } = folder;
    if (!(await folder.exists())) throw dataUnreadable(`${label} is missing`);
    const run = await folder.compact();
    const compact = run && { run, unfold: () => this.#compact.unfold(run) };
    return OutputFile.open({ parts: this.#parts, folder: path, label, rows, compact });
  }

  /** What is committed of the run, so far. */
  async readCounts(runId: string): Promise<RowCounts> {
    return countsOf(await this.#folder(runId).lastCommit());
  }

  /**
   * The committed outputs; an empty line is a row without output. Throws `data_unreadable` rather than hand out a byte
   * that is not what was committed.
   * @param rows of a completed run: with fewer it throws, before anything is handed out
   * @param fromRow a position: what comes before it is left out but for a piece's beginning
   */
  readOutputs(runId: string, rows?: number, fromRow?: number): AsyncGenerator<RowLines> {
    return this.#numbered(runId, this.#readOutputs(runId, { rows, fromRow }));
  }

  /** The same in pieces of a bounded size, whatever the size of an output: for readers that may be slow, and many. */
  readOutputPieces(runId: string, rows?: number): AsyncGenerator<RowPiece> {
    return this.#numbered(runId, this.#readOutputs(runId, { rows, mayCut: true }));
  }

  async *#readOutputs(runId: string, range: Partial<OutputSource>): AsyncGenerator<RowPiece> {
    const folder = this.#folder(runId);
    const whole = range.fromRow === undefined ? (await folder.compact())?.outputs : undefined;
    if (whole !== undefined) {
      assertAllThere(folder, whole.rows, range.rows);
      yield { firstRow: 1, bytes: whole.bytes };
      return;
    }
    const index = await folder.openIfThere(outputNames.index);
    try {
      const there = index === undefined ? 0 : (await lastCommit(index)).rows;
      assertAllThere(folder, there, range.rows);
      // A run that starts makes its files one by one: before its first commit not all of them need be there.
      if (index === undefined || there === 0) return;
      const outputs = await folder.open(outputNames.outputs);
      try {
        yield* readOutputLines({ ...range, index, outputs, label: folder.label, chunkBytes });
      } finally {
        await release(outputs);
      }
    } catch (error) {
      throw asUnreadable(folder.label, error);
    } finally {
      if (index !== undefined) await release(index);
    }
  }

  /**
   * The run's rows as they were accepted; from a position on as `readOutputs`. Throws `data_unreadable`; for rows of
   * another CRC before the last ones of a reading from the start.
   */
  readRows(runId: string, fromRow = 1, rowsCrc?: number): AsyncGenerator<RowLines> {
    return this.#numbered(runId, this.#readRows(runId, fromRow, rowsCrc));
  }

  async *#readRows(runId: string, fromRow: number, rowsCrc?: number): AsyncGenerator<RowLines> {
    const file = await this.#folder(runId).open(rowsName);
    try {
      const [label, size] = [`${labelOf(runId)}/${rowsName}`, await file.size()];
      const check = new RowsCheck({ label, size, crc: rowsCrc });
      let { firstRow, at } = this.#rowPlaces.before(runId, fromRow);
      for await (const bytes of wholeLines(file, { from: at, to: size, chunkBytes })) {
        if (bytes.at(-1) !== newline) throw dataUnreadable(`${label}: it ends inside a row`);
        check.take(bytes);
        this.#rowPlaces.note(runId, { firstRow, at });
        const rows = countLines(bytes);
        if (firstRow + rows > fromRow) yield { firstRow, bytes };
        firstRow += rows;
        at += bytes.length;
      }
      check.end();
    } catch (error) {
      throw asUnreadable(labelOf(runId), error);
    } finally {
      await release(file);
    }
  }

  /** Adds the numbers that the rows go by. */
  async *#numbered(runId: string, lines: AsyncIterable<RowPiece>): AsyncGenerator<RowPiece> {
    try {
      yield* this.#numbers.addedTo(runId, lines);
    } catch (error) {
      throw await this.#orGone(runId, error);
    }
  }

  /** What is missing of a run that was removed while it was read is no damage. */
  async #orGone(runId: string, error: unknown): Promise<unknown> {
    const isThere = await this.#folder(runId)
      .exists()
      .catch(() => true);
    return isThere ? error : runNotFound();
  }

  /** The first failures, in row order. Throws `data_unreadable`. */
  async readFailures(runId: string, limit: number): Promise<readonly RowFailure[]> {
    const failures: RowFailure[] = [];
    const label = this.#folder(runId).labelOf(outputNames.trace);
    for await (const failure of this.#traced(runId, failedRows, (traces) => readFailuresIn(traces, label))) {
      failures.push(failure);
      if (failures.length === limit) break;
    }
    return failures;
  }

  /**
   * The lines of rows `from` to `to` that have a trace, as domain/run/row-trace.ts reads them. Throws
   * `data_unreadable`.
   */
  async *readTraces(runId: string, from: number, to: number): AsyncGenerator<TraceLine> {
    const rows = await this.#numbers.positionsOf(runId, { from, to });
    for await (const found of this.#traced(runId, rows, (traces) => traceLinesFrom(traces, from))) {
      if (found.row > to) return;
      yield found;
    }
  }

  /** What `read` finds in the traces of commits with rows at these positions. */
  async *#traced<T>(
    runId: string,
    rows: TracedRows,
    read: (traces: TraceFile) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const source = await this.#openPart(runId, outputNames.trace);
    if (source === undefined) return;
    try {
      for await (const traces of committedTraces(source, rows)) yield* read(traces);
    } catch (error) {
      throw asUnreadable(this.#folder(runId).labelOf(outputNames.trace), error);
    } finally {
      await closePart(source);
    }
  }

  /** The position, from 1, of the row with that number; undefined if the run has none. Throws `data_unreadable`. */
  positionOf(runId: string, number: number): Promise<number | undefined> {
    return this.#numbers.positionOf(runId, number);
  }

  /** Numbers of rows from position `firstRow` on. Throws `data_unreadable`. */
  readRowNumbers(runId: string, firstRow: number, rows: number): Promise<readonly number[]> {
    return this.#numbers.read(runId, { firstRow, rows });
  }

  /**
   * How the nodes fared in the committed rows; undefined for a run of an older version, or where those of its last rows
   * are damaged.
   */
  async readStatistics(runId: string): Promise<RunStatistics | undefined> {
    const run = await this.read(runId);
    const hasEnded = run !== undefined && run.finishedAt !== null;
    return statisticsIn(this.#folder(runId), hasEnded ? rowsIn(run.counts) : undefined);
  }

  /** States of committed rows, `fromRow` (from 1) first; fewer than `count` where there are no more. Throws `data_unreadable`. */
  async readStates(runId: string, fromRow: number, count: number): Promise<readonly RowState[]> {
    const source = await this.#openPart(runId, outputNames.states);
    if (source === undefined) return [];
    try {
      return await readCommittedStates(source, { from: fromRow, to: fromRow + count - 1 });
    } catch (error) {
      throw asUnreadable(this.#folder(runId).labelOf(outputNames.states), error);
    } finally {
      await closePart(source);
    }
  }

  async #openPart(runId: string, name: PartSource['name']): Promise<PartSource | undefined> {
    if (this.#whole.has(runId)) return openPart(this.#folder(runId), name, 0);
    // Before the index: a run that ends meanwhile has more rows there, not fewer.
    const run = await this.read(runId);
    const hasEnded = run !== undefined && run.finishedAt !== null;
    try {
      const part = await openPart(this.#folder(runId), name, hasEnded ? rowsIn(run.counts) : 0);
      if (hasEnded) this.#whole.add(runId);
      return part;
    } catch (error) {
      throw await this.#orGone(runId, error);
    }
  }

  #recordOf(runId: string): JsonFile<Run> {
    const path = join(this.#folder(runId).path, recordName);
    return new JsonFile(this.#parts, { path, label: `${labelOf(runId)}/${recordName}`, schema: runSchema });
  }

  /** Throws `run_not_found` for what cannot be a run's id, so that no path is ever built from it. */
  #folder(runId: string): RunFolder {
    if (!isRunId(runId)) throw runNotFound();
    return new RunFolder({
      fileSystem: this.#parts.fileSystem,
      compact: this.#compact,
      runId,
      path: join(this.#folders.runs, runId),
      label: labelOf(runId),
    });
  }
}

const labelOf = (runId: string): string => `runs/${runId}`;

/** @param rows undefined: however many there are */
function assertAllThere(folder: RunFolder, there: number, rows: number | undefined): void {
  if (rows !== undefined && there !== rows)
    throw dataUnreadable(`${folder.labelOf(outputNames.index)}: ${there} of ${rows} rows are there`);
}
