// One stored run, as its readers see it: its files by name, and what is committed. Those of a compact run are parts of one
// file. Who calls: RunStore.
import { join } from 'node:path';
import { dataUnreadable } from '../../domain/errors.ts';
import { openIfThere, orUnreadable, release } from '../durable/read-bytes.ts';
import type { FileSystem, OpenFile } from '../file-system.ts';
import type { CompactRun } from './compact-run.ts';
import type { CompactRuns } from './compact-runs.ts';
import { lastCommit, noCommit, type Commit } from './output-index.ts';
import { hasIndex, OpenResults, resultsName } from './results-file.ts';
import { isOutputName, outputNames } from './run-files.ts';

export type RunFolderPlace = {
  readonly fileSystem: FileSystem;
  readonly compact: CompactRuns;
  readonly runId: string;
  /** Where its folder is, if it has one. */
  readonly path: string;
  /** What a person may read of the path, relative to the data folder. */
  readonly label: string;
};

export class RunFolder {
  readonly #fileSystem: FileSystem;
  readonly #compactRuns: CompactRuns;
  readonly runId: string;
  readonly path: string;
  /** What a person may read of the path, relative to the data folder. */
  readonly label: string;
  #results: OpenResults | undefined;

  constructor({ fileSystem, compact, runId, path, label }: RunFolderPlace) {
    this.#fileSystem = fileSystem;
    this.#compactRuns = compact;
    this.runId = runId;
    this.path = path;
    this.label = label;
  }

  /** Whether the run is kept in one file, be it damaged. Throws `data_unreadable`. */
  isCompact(): Promise<boolean> {
    return orUnreadable(this.label, () => this.#compactRuns.has(this.runId));
  }

  /** The run, where it is kept in one file. Throws `data_unreadable`. */
  compact(): Promise<CompactRun | undefined> {
    return this.#compactRuns.find(this.runId);
  }

  labelOf(name: string): string {
    return `${this.label}/${name}`;
  }

  /** Throws `data_unreadable`. */
  async exists(): Promise<boolean> {
    if (await this.isCompact()) return true;
    return (await orUnreadable(this.label, () => this.#fileSystem.stat(this.path))) !== undefined;
  }

  /** Throws `data_unreadable`. What is in one file with one that is open still is not opened again. */
  async openIfThere(name: string): Promise<OpenFile | undefined> {
    const compact = await this.compact();
    if (compact !== undefined) return compact.open(name);
    if (!isOutputName(name)) return this.#openFile(name);
    if (this.#results?.isOpen) return this.#results.open(name);
    const file = await this.#openResults();
    if (file === undefined) return this.#openFile(name);
    const label = this.labelOf(resultsName);
    try {
      this.#results = await orUnreadable(label, () => OpenResults.of(file, label));
    } catch (error) {
      await release(file);
      throw error;
    }
    if (this.#results !== undefined) return this.#results.open(name);
    await release(file);
    return undefined;
  }

  async #openResults(): Promise<OpenFile | undefined> {
    const results = await this.#openFile(resultsName);
    if (results === undefined) return undefined;
    try {
      if (!(await orUnreadable(this.label, () => hasIndex(this.#fileSystem, this.path)))) return results;
    } catch (error) {
      await release(results);
      throw error;
    }
    await release(results);
    return undefined;
  }

  #openFile(name: string): Promise<OpenFile | undefined> {
    const path = join(this.path, name);
    return orUnreadable(this.labelOf(name), () => openIfThere(this.#fileSystem, path));
  }

  /** Throws `data_unreadable`, for a file that is missing too. */
  async open(name: string): Promise<OpenFile> {
    const file = await this.openIfThere(name);
    if (file === undefined) throw dataUnreadable(`${this.labelOf(name)} is missing`);
    return file;
  }

  /** What `use` makes of a file; undefined if there is none. Throws `data_unreadable`. */
  async use<T>(name: string, use: (file: OpenFile) => Promise<T>): Promise<T | undefined> {
    const file = await this.openIfThere(name);
    if (file === undefined) return undefined;
    try {
      return await orUnreadable(this.labelOf(name), () => use(file));
    } finally {
      await release(file);
    }
  }

  /** What is committed of the run, so far. Throws `data_unreadable`. */
  async lastCommit(): Promise<Commit> {
    return (await this.use(outputNames.index, lastCommit)) ?? noCommit;
  }
}
