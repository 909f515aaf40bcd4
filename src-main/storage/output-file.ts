// Where a run's results go while it executes. Who calls: the executor, through its `OutputSink` port; one at a time
// may be open for a run.
// INVARIANT: line n of the outputs is row n, and a commit that resolved survives a power cut, where it does not
// `lastsWithRecord`.
//
// A commit writes outputs, row states, traces and statistics, then its line in the index, and syncs all of it together:
// a slow disk is waited for once. What of it reaches the disk first is up to the disk, so the line carries checksums of
// the rest: after a power cut it counts if all that it vouches for is there. Commits that arrive while one is being
// written share the next one's syncs. A run whose first commit has all of its rows gets one file for all of it,
// or is one file already.
import { crc32 } from 'node:zlib';
import { join } from 'node:path';
import { deferred, type Deferred } from '../base/deferred.ts';
import { invariant } from '../base/invariant.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import { addStatistics, type NodeStatistics } from '../domain/run/node-statistics.ts';
import { addToPace, paceFrom } from '../domain/run/pace.ts';
import { readRowState, rowStateBytes, type RowState } from '../domain/run/row-state.ts';
import type { RowCounts } from '../domain/run/run.ts';
import type { CompactRun } from './rows/compact-run.ts';
import { CommitFiles, type CommitBytes, type CommitEnd, type RunPlace } from './rows/commit-files.ts';
import { countsOf, noCommit, writeCommit, type Commit } from './rows/output-index.ts';
import { retryWhileRefused } from './report-shortages.ts';
import { recoverResults, writeResults } from './rows/results-file.ts';
import { outputNames } from './rows/run-files.ts';
import {
  nextStatistics,
  noStatistics,
  type PlacedStatistics,
  type RunStatistics,
} from './rows/statistics-file.ts';

/** The results of consecutive rows; the executor's `BatchResult`. */
export type RowResults = {
  readonly rows: number;
  readonly outputs: Uint8Array;
  readonly states: Uint8Array;
  /** Lines in row order, each ended by a newline. */
  readonly trace: Uint8Array;
  readonly nodes: readonly NodeStatistics[];
};

/**
 * @property rows of the whole run; unknown: it is never taken to be committed in one piece
 * @property compact of a run that is kept in one file
 */
export type OutputPlace = RunPlace & {
  readonly rows?: number | undefined;
  readonly compact?: CompactPlace | undefined;
};

/** @property unfold gives the run a folder, once it turns out not to be committed in one piece */
type CompactPlace = { readonly run: CompactRun; readonly unfold: () => Promise<void> };

const noEnd: CommitEnd = { commit: noCommit, counted: { statistics: noStatistics, place: 0 } };

type Waiting = { readonly result: RowResults; readonly done: Deferred<void> };

/**
 * In bytes. Bounds what one commit of several results holds, and so what a reader must hold to check it; and what a run
 * that is kept in one file, and so in memory, has of outputs and traces.
 */
const groupBytes = 1024 * 1024;

export class OutputFile {
  readonly #place: OutputPlace;
  #compact: CompactPlace | undefined;
  /** Not before they are needed: a run that is committed in one piece has none. */
  #files: CommitFiles | undefined;
  #last: Commit;
  /** The statistics as of the last commit. */
  #counted: PlacedStatistics;
  /** When it was opened, by the wall clock. */
  readonly #openedMs: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  private constructor(place: OutputPlace, { commit, counted }: CommitEnd, files?: CommitFiles) {
    this.#place = place;
    this.#compact = place.compact;
    this.#files = files;
    this.#last = commit;
    this.#counted = counted;
    this.#openedMs = place.parts.clock.now();
  }

  /** Opens a run's outputs to go on after the last commit, repairing what a crash left. Throws `store_degraded`. */
  static open(place: OutputPlace): Promise<OutputFile> {
    const { parts, folder, rows, compact } = place;
    return parts.health.attempt(async () => {
      if (compact !== undefined) return OutputFile.#openCompact(place, compact.run);
      const commit = await recoverResults(place);
      if (commit !== undefined) return new OutputFile(place, { ...noEnd, commit });
      const index = join(folder, outputNames.index);
      if (rows !== undefined && (await parts.fileSystem.stat(index)) === undefined)
        return new OutputFile(place, noEnd);
      const { files, ...end } = await CommitFiles.open(place);
      return new OutputFile(place, end, files);
    });
  }

  static async #openCompact(place: OutputPlace, run: CompactRun): Promise<OutputFile> {
    run.use();
    try {
      return new OutputFile(place, { ...noEnd, commit: (await run.recover()) ?? noCommit });
    } catch (error) {
      await run.close();
      throw error;
    }
  }

  /** What was committed is not durable before the run's record is saved: it is all of a run that is kept in one file. */
  get lastsWithRecord(): boolean {
    return this.#compact !== undefined && this.#last.rows > 0;
  }

  get committedRows(): number {
    return this.#last.rows;
  }

  /** Of the traces. */
  get traceBytes(): number {
    return this.#last.traceBytes;
  }

  get counts(): RowCounts {
    return countsOf(this.#last);
  }

  /**
   * Appends the next rows' results; calls keep their order. Durable when it resolves, but for `lastsWithRecord`. A
   * shortage of the system is waited for. Throws `store_degraded`, or `out_of_resources` for a shortage that lasts.
   */
  commit(result: RowResults): Promise<void> {
    invariant(result.rows > 0 && result.states.length === result.rows * rowStateBytes, 'one state a row');
    invariant(
      countLines(result.outputs) === result.rows && result.outputs.at(-1) === newline,
      'one output line a row',
    );
    const done = deferred();
    this.#waiting.push({ result, done });
    this.#writing ??= this.#writeWaiting();
    return done.promise;
  }

  /** Waits for commits under way, then lets go of the files. */
  async close(): Promise<void> {
    await this.#writing;
    // All that was promised is synced; a disk that cannot even close a file is no longer to be trusted, though.
    await this.#files?.close().catch((error: unknown) => this.#place.parts.health.degrade(error));
    await this.#place.compact?.run.close();
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const { clock, health } = this.#place.parts;
        const results = group.map(({ result }) => result);
        // Only its first file operations can be refused, before anything of the group is written.
        await retryWhileRefused(clock, () => health.attempt(() => this.#write(results)));
        for (const { done } of group) done.resolve();
      } catch (error) {
        for (const { done } of group) done.reject(error);
      }
    }
    this.#writing = undefined;
  }

  #takeGroup(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ result }) => (bytes += result.outputs.length) > groupBytes);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(1, end));
  }

  async #write(group: readonly RowResults[]): Promise<void> {
    const { commit, bytes } = this.#commitOf(group);
    const isWhole = this.#isWhole(commit);
    if (!isWhole || sizeOf(bytes) > groupBytes) await this.#unfold();
    if (isWhole) await this.#writeWhole(bytes, commit);
    else {
      this.#files ??= (await CommitFiles.open(this.#place)).files;
      await this.#files.append(bytes, this.#last);
    }
    this.#last = commit;
    this.#counted = bytes.statistics;
  }

  #commitOf(group: readonly RowResults[]): { readonly commit: Commit; readonly bytes: CommitBytes } {
    const last = this.#last;
    const outputs = group.map((result) => result.outputs);
    const states = group.map((result) => result.states);
    const trace = group.map((result) => result.trace).filter(({ length }) => length > 0);
    const rows = last.rows + sum(group.map((result) => result.rows));
    const { line, commit } = writeCommit(
      {
        rows,
        outputsBytes: last.outputsBytes + sum(outputs.map((chunk) => chunk.length)),
        rowsFailed: last.rowsFailed + countIn(states, 'failed'),
        traceBytes: last.traceBytes + sum(trace.map((chunk) => chunk.length)),
        rowsUnfinished: last.rowsUnfinished + countIn(states, 'unfinished'),
        outputsCrc: crcOf(outputs),
        statesCrc: crcOf(states),
        traceCrc: crcOf(trace),
      },
      last,
    );
    const statistics = nextStatistics(this.#addUp(rows, group), this.#counted.place);
    return { commit, bytes: { outputs, states, trace, statistics, line } };
  }

  /** Whether nothing comes before or after it. */
  #isWhole({ rows }: Commit): boolean {
    return this.#files === undefined && this.#last.rows === 0 && rows === this.#place.rows;
  }

  /** From here on the run has a folder. */
  async #unfold(): Promise<void> {
    await this.#compact?.unfold();
    this.#compact = undefined;
  }

  async #writeWhole(
    { outputs, states, trace, statistics, line }: CommitBytes,
    commit: Commit,
  ): Promise<void> {
    const content = {
      [outputNames.index]: [line],
      [outputNames.outputs]: outputs,
      [outputNames.states]: states,
      [outputNames.trace]: trace,
      [outputNames.statistics0]: [statistics.bytes],
    };
    if (this.#compact === undefined) await writeResults(this.#place, content);
    else await this.#compact.run.commit(content, commit);
  }

  /** The sums after these results. Of a run that began before there were statistics they have the later rows alone. */
  #addUp(upTo: number, group: readonly RowResults[]): RunStatistics {
    const before = this.#counted.statistics;
    const rows = sum(group.map(({ rows: all, states }) => all - countIn([states], 'unfinished')));
    // Without one, earlier rows finished nobody knows when.
    const pace = before.pace ?? (before.upTo === 0 ? paceFrom(this.#openedMs) : undefined);
    return {
      upTo,
      rows: before.rows + rows,
      nodes: addStatistics([before.nodes, ...group.map(({ nodes }) => nodes)]),
      ...(pace === undefined ? {} : { pace: addToPace(pace, this.#place.parts.clock.now(), rows) }),
    };
  }
}

const sizeOf = ({ outputs, trace }: CommitBytes): number =>
  sum([...outputs, ...trace].map((chunk) => chunk.length));

function countIn(chunks: readonly Uint8Array[], state: RowState['state']): number {
  let found = 0;
  for (const states of chunks) {
    const view = new DataView(states.buffer, states.byteOffset, states.byteLength);
    for (let offset = 0; offset < states.length; offset += rowStateBytes) {
      if (readRowState(view, offset).state === state) found += 1;
    }
  }
  return found;
}

const crcOf = (chunks: readonly Uint8Array[]): number => chunks.reduce((crc, chunk) => crc32(chunk, crc), 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
