// The files that a run's commits are appended to, one after the other. Who calls: OutputFile.
import { join } from 'node:path';
import type { StoreParts } from '../durable/store-parts.ts';
import { allDone, writeAll } from '../durable/write-all.ts';
import type { OpenFile } from '../file-system.ts';
import { rowStateBytes } from '../../domain/run/row-state.ts';
import { findLastCommit } from './find-last-commit.ts';
import type { Commit } from './output-index.ts';
import { cutBack, openOutputFiles, outputNames, type OutputFiles } from './run-files.ts';
import { noStatistics, readStatistics, type PlacedStatistics } from './statistics-file.ts';

/** The run's folder. */
export type RunPlace = {
  readonly parts: StoreParts;
  readonly folder: string;
  /** What a person may read of it, relative to the data folder. */
  readonly label: string;
};

/** What a commit adds. */
export type CommitBytes = {
  readonly outputs: readonly Uint8Array[];
  readonly states: readonly Uint8Array[];
  readonly trace: readonly Uint8Array[];
  readonly statistics: PlacedStatistics & { readonly bytes: Uint8Array };
  /** Of the index. */
  readonly line: Uint8Array;
};

/** How far a run has come. */
export type CommitEnd = {
  readonly commit: Commit;
  /** The statistics as of that commit. */
  readonly counted: PlacedStatistics;
};

export class CommitFiles {
  readonly #place: RunPlace;
  readonly #files: OutputFiles;
  #indexBytes: number;
  /** The names of the files, which some of them may have got just now. */
  #areNamesSynced = false;

  private constructor(place: RunPlace, files: OutputFiles, indexBytes: number) {
    this.#place = place;
    this.#files = files;
    this.#indexBytes = indexBytes;
  }

  /** Opens them to go on after the last commit, makes those that are missing, and repairs what a crash left. */
  static async open(place: RunPlace): Promise<CommitEnd & { readonly files: CommitFiles }> {
    const { parts, folder, label } = place;
    const files = await openOutputFiles(parts.fileSystem, (name) => join(folder, name));
    try {
      const indexPath = join(folder, outputNames.index);
      const { commit, indexBytes } = await findLastCommit({
        parts,
        files,
        indexPath,
        label: `${label}/${outputNames.index}`,
      });
      await cutBack(files, commit);
      // A process that was killed may have written it and synced nothing: from here on it counts.
      if (indexBytes > 0) await syncAll(place, files);
      const counted = await readStatistics([files.statistics0, files.statistics1], commit.rows);
      // Of a commit that did not come about they are, too, if those before them are damaged: then counting starts anew.
      const isPast = counted !== undefined && counted.statistics.upTo <= commit.rows;
      return {
        files: new CommitFiles(place, files, indexBytes),
        commit,
        counted: isPast ? counted : { statistics: noStatistics, place: counted?.place ?? 0 },
      };
    } catch (error) {
      await closeAll(files);
      throw error;
    }
  }

  /** Durable when it resolves. @param after where the commit before it ends */
  async append(commit: CommitBytes, after: Commit): Promise<void> {
    const { outputs, states, trace, index, statistics0, statistics1 } = this.#files;
    const statistics = commit.statistics.place === 0 ? statistics0 : statistics1;
    await allDone([
      write(outputs, commit.outputs, after.outputsBytes),
      write(states, commit.states, after.rows * rowStateBytes),
      write(trace, commit.trace, after.traceBytes),
      write(statistics, [commit.statistics.bytes], 0),
    ]);
    // Not before: whoever reads meanwhile goes by the index.
    await write(index, [commit.line], this.#indexBytes);
    const written = [outputs, states, statistics, index];
    await this.#sync(commit.trace.length === 0 ? written : [...written, trace]);
    this.#indexBytes += commit.line.length;
  }

  close(): Promise<void> {
    return closeAll(this.#files);
  }

  async #sync(files: readonly OpenFile[]): Promise<void> {
    const { parts, folder } = this.#place;
    const syncs = files.map((file) => file.dataSync());
    if (!this.#areNamesSynced) syncs.push(parts.fileSystem.syncFolder(folder));
    try {
      await allDone(syncs);
    } catch (error) {
      // Nobody is to read what is refused; a disk that cannot do this either cannot be helped.
      await this.#files.index.truncate(this.#indexBytes).catch(() => undefined);
      throw error;
    }
    this.#areNamesSynced = true;
  }
}

const write = async (file: OpenFile, chunks: readonly Uint8Array[], position: number): Promise<void> =>
  void (await writeAll(file, chunks, position));

const syncAll = ({ parts, folder }: RunPlace, files: OutputFiles): Promise<void> =>
  allDone([...Object.values(files).map((file) => file.dataSync()), parts.fileSystem.syncFolder(folder)]);

const closeAll = async (files: OutputFiles): Promise<void> =>
  void (await Promise.all(Object.values(files).map((file) => file.close())));
