// Where a run's results go while it executes. Who calls: the executor, through its `OutputSink` port; one at a time
// may be open for a run.
// INVARIANT: line n of the outputs is row n, and a commit that resolved survives a power cut.
//
// A commit writes outputs, row states, traces and statistics, then its line in the index, and syncs all of it together:
// a slow disk is waited for once. What of it reaches the disk first is up to the disk, so the line carries checksums of
// the rest: after a power cut it counts if all that it vouches for is there. Commits that arrive while one is being
// written share the next one's syncs.
import { crc32 } from 'node:zlib';
import { join } from 'node:path';
import { deferred, type Deferred } from '../base/deferred.ts';
import { invariant } from '../base/invariant.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import { addStatistics, type NodeStatistics } from '../domain/run/node-statistics.ts';
import { addToPace, paceFrom } from '../domain/run/pace.ts';
import { readRowState, rowStateBytes, type RowState } from '../domain/run/row-state.ts';
import type { RowCounts } from '../domain/run/run.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { allDone, writeAll } from './durable/write-all.ts';
import type { OpenFile } from './file-system.ts';
import { findLastCommit } from './rows/find-last-commit.ts';
import { countsOf, writeCommit, type Commit } from './rows/output-index.ts';
import { cutBack, openOutputFiles, outputNames, type OutputFiles } from './rows/run-files.ts';
import {
  nextStatistics,
  noStatistics,
  readStatistics,
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

/** Where the results end. */
type OutputEnd = {
  readonly commit: Commit;
  readonly indexBytes: number;
  readonly counted: PlacedStatistics;
};

type OutputPlace = { readonly parts: StoreParts; readonly folder: string; readonly files: OutputFiles };

type Waiting = { readonly result: RowResults; readonly done: Deferred<void> };

/** Bounds what one commit holds, and so what a reader must hold to check it. */
const groupBytes = 1024 * 1024;

export class OutputFile {
  readonly #parts: StoreParts;
  readonly #files: OutputFiles;
  readonly #folder: string;
  /** The names of the files, which some of them may have got just now. */
  #areNamesSynced = false;
  #last: Commit;
  #indexBytes: number;
  /** The statistics as of the last commit. */
  #counted: PlacedStatistics;
  /** When it was opened, by the wall clock. */
  readonly #openedMs: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  private constructor({ parts, folder, files }: OutputPlace, end: OutputEnd) {
    this.#parts = parts;
    this.#folder = folder;
    this.#files = files;
    this.#last = end.commit;
    this.#indexBytes = end.indexBytes;
    this.#counted = end.counted;
    this.#openedMs = parts.clock.now();
  }

  /** Opens a run's outputs to go on after the last commit, repairing what a crash left. Throws `store_degraded`. */
  static open(parts: StoreParts, folder: string, label: string): Promise<OutputFile> {
    return parts.health.attempt(async () => {
      const files = await openOutputFiles(parts.fileSystem, (name) => join(folder, name));
      try {
        const end = await findLastCommit({
          parts,
          files,
          indexPath: join(folder, outputNames.index),
          label: `${label}/${outputNames.index}`,
        });
        await cutBack(files, end.commit);
        // A process that was killed may have written it and synced nothing: from here on it counts.
        if (end.indexBytes > 0) await syncAll(parts, folder, files);
        const counted = await readStatistics([files.statistics0, files.statistics1], end.commit.rows);
        // Of a commit that did not come about they are, too, if those before them are damaged: then counting starts anew.
        const isPast = counted !== undefined && counted.statistics.upTo <= end.commit.rows;
        return new OutputFile(
          { parts, folder, files },
          {
            ...end,
            counted: isPast ? counted : { statistics: noStatistics, place: counted?.place ?? 0 },
          },
        );
      } catch (error) {
        await closeAll(files);
        throw error;
      }
    });
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

  /** Appends the next rows' results; calls keep their order. Durable when it resolves. Throws `store_degraded`. */
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
    await closeAll(this.#files).catch((error: unknown) => this.#parts.health.degrade(error));
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#parts.health.attempt(() => this.#write(group.map(({ result }) => result)));
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
    const { outputs, states, trace, index, statistics0, statistics1 } = this.#files;
    const last = this.#last;
    const outputChunks = group.map((result) => result.outputs);
    const stateChunks = group.map((result) => result.states);
    const rows = last.rows + sum(group.map((result) => result.rows));
    const counted = nextStatistics(this.#addUp(rows, group), this.#counted.place);
    const traceChunks = group.map((result) => result.trace).filter(({ length }) => length > 0);
    const traceBytes = last.traceBytes + sum(traceChunks.map((chunk) => chunk.length));
    const { line, commit } = writeCommit(
      {
        rows,
        outputsBytes: last.outputsBytes + sum(outputChunks.map((chunk) => chunk.length)),
        rowsFailed: last.rowsFailed + countIn(stateChunks, 'failed'),
        traceBytes,
        rowsUnfinished: last.rowsUnfinished + countIn(stateChunks, 'unfinished'),
        outputsCrc: crcOf(outputChunks),
        statesCrc: crcOf(stateChunks),
        traceCrc: crcOf(traceChunks),
      },
      last,
    );
    const statistics = counted.place === 0 ? statistics0 : statistics1;
    await allDone([
      write(outputs, outputChunks, last.outputsBytes),
      write(states, stateChunks, last.rows * rowStateBytes),
      write(trace, traceChunks, last.traceBytes),
      write(statistics, [counted.bytes], 0),
    ]);
    // Not before: whoever reads meanwhile goes by the index.
    await write(index, [line], this.#indexBytes);
    const written = [outputs, states, statistics, index];
    await this.#sync(traceChunks.length === 0 ? written : [...written, trace]);
    this.#indexBytes += line.length;
    this.#last = commit;
    this.#counted = counted;
  }

  async #sync(files: readonly OpenFile[]): Promise<void> {
    const syncs = files.map((file) => file.dataSync());
    if (!this.#areNamesSynced) syncs.push(this.#parts.fileSystem.syncFolder(this.#folder));
    try {
      await allDone(syncs);
    } catch (error) {
      // Nobody is to read what is refused; a disk that cannot do this either cannot be helped.
      await this.#files.index.truncate(this.#indexBytes).catch(() => undefined);
      throw error;
    }
    this.#areNamesSynced = true;
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
      ...(pace === undefined ? {} : { pace: addToPace(pace, this.#parts.clock.now(), rows) }),
    };
  }
}

const write = async (file: OpenFile, chunks: readonly Uint8Array[], position: number): Promise<void> =>
  void (await writeAll(file, chunks, position));

const syncAll = ({ fileSystem }: StoreParts, folder: string, files: OutputFiles): Promise<void> =>
  allDone([...Object.values(files).map((file) => file.dataSync()), fileSystem.syncFolder(folder)]);

const closeAll = async (files: OutputFiles): Promise<void> =>
  void (await Promise.all(Object.values(files).map((file) => file.close())));

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
