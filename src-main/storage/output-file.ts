// Where a run's results go while it executes. Who calls: the executor, through its `OutputSink` port; one at a time
// may be open for a run.
// INVARIANT: line n of the outputs is row n, and a commit that resolved survives a power cut.
//
// A commit writes outputs, row states, traces and statistics, syncs them, and only then appends its line to the index and syncs
// that: the line is the commit. Commits that arrive while one is being written share the next one's syncs.
import { crc32 } from 'node:zlib';
import { join } from 'node:path';
import { deferred, type Deferred } from '../base/deferred.ts';
import { invariant } from '../base/invariant.ts';
import { countLines, newline } from '../domain/rows/line-bytes.ts';
import { addStatistics, type NodeStatistics } from '../domain/run/node-statistics.ts';
import { addToPace, paceFrom } from '../domain/run/pace.ts';
import { readRowState, rowStateBytes, type RowState } from '../domain/run/row-state.ts';
import type { RowCounts } from '../domain/run/run.ts';
import { isTemporary } from './durable/durable-files.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { orUnreadable } from './durable/read-bytes.ts';
import { allDone, writeAll } from './durable/write-all.ts';
import type { OpenFile } from './file-system.ts';
import { findLastCommit } from './rows/find-last-commit.ts';
import { countsOf, noCommit, writeCommit, type Commit } from './rows/output-index.ts';
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

const noResults: OutputEnd = {
  commit: noCommit,
  indexBytes: 0,
  counted: { statistics: noStatistics, place: 0 },
};

type Waiting = { readonly result: RowResults; readonly done: Deferred<void> };

/** Bounds what one commit holds, and so what a reader must hold to check it. */
const groupBytes = 1024 * 1024;

export class OutputFile {
  readonly #parts: StoreParts;
  readonly #files: OutputFiles;
  #last: Commit;
  #indexBytes: number;
  /** The statistics as of the last commit. */
  #counted: PlacedStatistics;
  /** When it was opened, by the wall clock. */
  readonly #openedMs: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  private constructor(parts: StoreParts, files: OutputFiles, end: OutputEnd) {
    this.#parts = parts;
    this.#files = files;
    this.#last = end.commit;
    this.#indexBytes = end.indexBytes;
    this.#counted = end.counted;
    this.#openedMs = parts.clock.now();
  }

  /** Opens a run's outputs to go on after the last commit, repairing what a crash left. Throws `store_degraded`. */
  static open(parts: StoreParts, folder: string, label: string): Promise<OutputFile> {
    return parts.health.attempt(async () => {
      const found = await listTidily(parts, folder, label);
      const files = await openOutputFiles(parts.fileSystem, (name) => join(folder, name));
      try {
        const missing = Object.values(outputNames).filter((name) => !found.includes(name));
        if (missing.length > 0) await parts.fileSystem.syncFolder(folder);
        if (missing.length === Object.keys(outputNames).length)
          return new OutputFile(parts, files, noResults);
        const end = await findLastCommit({
          parts,
          files,
          indexPath: join(folder, outputNames.index),
          label: `${label}/${outputNames.index}`,
        });
        await cutBack(files, end.commit);
        const counted = await readStatistics([files.statistics0, files.statistics1], end.commit.rows);
        // Of a commit that did not come about they are, too, if those before them are damaged: then counting starts anew.
        const isPast = counted !== undefined && counted.statistics.upTo <= end.commit.rows;
        return new OutputFile(parts, files, {
          ...end,
          counted: isPast ? counted : { statistics: noStatistics, place: counted?.place ?? 0 },
        });
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
    await allDone([
      append(outputs, outputChunks, last.outputsBytes),
      append(states, stateChunks, last.rows * rowStateBytes),
      traceChunks.length === 0 ? Promise.resolve() : append(trace, traceChunks, last.traceBytes),
      append(counted.place === 0 ? statistics0 : statistics1, [counted.bytes], 0),
    ]);
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
    await append(index, [line], this.#indexBytes);
    this.#indexBytes += line.length;
    this.#last = commit;
    this.#counted = counted;
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

async function append(file: OpenFile, chunks: readonly Uint8Array[], position: number): Promise<void> {
  await writeAll(file, chunks, position);
  await file.dataSync();
}

/** What is in the run's folder, once the litter of an interrupted replacement of its record is removed. */
async function listTidily(
  { fileSystem }: StoreParts,
  folder: string,
  label: string,
): Promise<readonly string[]> {
  const names = await orUnreadable(label, () => fileSystem.list(folder));
  for (const name of names) if (isTemporary(name)) await fileSystem.remove(join(folder, name));
  return names;
}

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
