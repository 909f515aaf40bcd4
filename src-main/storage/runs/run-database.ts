// `rowbench.db`: runs, their rows and results, and row sets, in SQLite. One thread writes and, except in short processes, a
// second one reads. Who calls: app opens it; RunStore, SnapshotStore and RowSetStore use it.
import { join } from 'node:path';
import { AppError, errorText } from '../../base/app-error.ts';
import { invariant } from '../../base/invariant.ts';
import { dataUnreadable, diskHasNoRoom, outOfResources, storeDegraded } from '../../domain/store-errors.ts';
import type { ResultsDatabase, StoreDatabase } from './store-database.ts';
import type { StoreHealth } from './store-health.ts';
import { Sweeper } from './sweeper.ts';
import type { StoreReader } from '../sqlite/answer-calls.ts';
import type { Opened, ResultsCommit, StoreWriter } from '../sqlite/store-writer.ts';
import { StoreThread, type Arguments, type MethodName, type MethodResult } from '../sqlite/store-thread.ts';
import { isFull, isOutOfMemory, SqliteError, type ThreadData } from '../sqlite/thread-messages.ts';

/** The file of runs and row sets in a data folder. */
export const databaseName = 'rowbench.db';

type DatabaseOptions = {
  /** The data folder. */
  readonly folder: string;
  /** Path of the bundled storage thread. */
  readonly script: string;
  readonly health: StoreHealth;
  /**
   * `both` (default): one thread writes and one reads. `writer`: one thread does both, for a process that ends soon, since
   * starting a second thread takes 0.2 s of computing. `reader`: only reads, since another process may write.
   */
  readonly threads?: 'both' | 'writer' | 'reader';
  /** Called once when a storage thread ends unexpectedly: the process cannot continue. */
  readonly onDied: (error: Error) => void;
};

export class RunDatabase implements StoreDatabase, ResultsDatabase {
  readonly newestRunId: string | undefined;
  readonly isShared = false;
  /** Called before runs and their snapshots are removed. */
  onRunsRemoved: () => void = () => undefined;
  /** The writing thread; undefined if another process may write. */
  readonly #writer: StoreThread<StoreWriter & StoreReader> | undefined;
  /** The reading thread; without a second thread, the writing one. */
  readonly #reader: StoreThread<StoreReader>;
  readonly #health: StoreHealth;
  readonly #sweeper = new Sweeper(() => this.write('sweep'));
  #nextOwner: number;

  private constructor(
    threads: { writer: StoreThread<StoreWriter & StoreReader> | undefined; reader: StoreThread<StoreReader> },
    { nextOwner, newestRunId }: Opened,
    health: StoreHealth,
  ) {
    this.#writer = threads.writer;
    this.#reader = threads.reader;
    this.#health = health;
    this.newestRunId = newestRunId;
    this.#nextOwner = nextOwner;
    // Removes leftovers of a crash.
    if (threads.writer !== undefined) this.#sweeper.sweepSoon();
  }

  /** Opens the file; creates it if necessary, unless it is opened for reading. Throws `data_unreadable`. */
  static async open({
    folder,
    script,
    health,
    threads = 'both',
    onDied,
  }: DatabaseOptions): Promise<RunDatabase> {
    const path = join(folder, databaseName);
    const optionsOf = (role: ThreadData['role'], waits = false) => ({
      script,
      name: `Rowbench storage (${role})`,
      data: { path, role, waits } satisfies ThreadData,
      onDied,
    });
    const writing =
      threads === 'reader' ? undefined : StoreThread.open<StoreWriter & StoreReader>(optionsOf('writer'));
    // Starts beside the writer, and opens the file once the writer has migrated it.
    const reading =
      threads === 'writer' && writing !== undefined
        ? writing
        : StoreThread.open<StoreReader>(optionsOf('reader', writing !== undefined), writing);
    const started = await Promise.allSettled([writing, reading]);
    try {
      const [writer, reader] = await Promise.all([writing, reading]);
      const opened = (await writer?.call('open')) ?? { nextOwner: 0, newestRunId: undefined };
      return new RunDatabase({ writer, reader }, opened, health);
    } catch (error) {
      for (const thread of started) if (thread.status === 'fulfilled') await thread.value?.close();
      throw asUnreadable(error);
    }
  }

  /** Throws `store_degraded`. */
  assertWritable(): void {
    this.#health.assertWritable();
  }

  async nextOwner(): Promise<number> {
    return this.#nextOwner++;
  }

  /**
   * Changes the store durably. Throws `disk_full` or `out_of_resources` if nothing was changed and the call may be repeated,
   * `store_degraded` after any other failure of the disk.
   */
  async write<Name extends MethodName<StoreWriter>>(
    method: Name,
    ...args: Arguments<StoreWriter, Name>
  ): Promise<MethodResult<StoreWriter, Name>> {
    invariant(this.#writer !== undefined, 'the file was opened for writing');
    this.#health.assertWritable();
    try {
      return await this.#writer.call(method, ...args);
    } catch (error) {
      throw this.#writeError(error);
    }
  }

  /** Reads committed data. Throws `data_unreadable`, `out_of_resources`, and the errors of the method. */
  async read<Name extends MethodName<StoreReader>>(
    method: Name,
    ...args: Arguments<StoreReader, Name>
  ): Promise<MethodResult<StoreReader, Name>> {
    try {
      return await this.#reader.call(method, ...args);
    } catch (error) {
      throw asUnreadable(error);
    }
  }

  appendResults(commit: ResultsCommit): Promise<void> {
    return this.write('appendResults', commit);
  }

  /** Removes runs; their batches are removed later. Throws as `write`. */
  async removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    // Called synchronously, so that a snapshot that is stored from now on is stored after the removal.
    this.onRunsRemoved();
    await this.write('removeRuns', runIds, retainedHashes);
    this.#sweeper.sweepSoon();
  }

  /** Resolves when the batches of removed runs are gone, or their removal is left to the next start. */
  swept(): Promise<void> {
    return this.#sweeper.settled();
  }

  /** Removes a row set; the sweeper removes its batches. Throws as `write`. */
  async dropRowSet(id: string): Promise<void> {
    await this.write('dropRowSet', id);
    this.#sweeper.sweepSoon();
  }

  /** Removes rows without an owner. Never rejects: the next start removes them too. */
  async abandonRows(owner: number): Promise<void> {
    await this.write('abandonRows', owner).catch(() => undefined);
    this.#sweeper.sweepSoon();
  }

  /** Waits for running calls and closes the file. */
  async close(): Promise<void> {
    await this.#sweeper.close();
    // The writer is closed last: it moves the write-ahead log into the file.
    await this.#reader.close();
    await this.#writer?.close();
  }

  #writeError(error: unknown): unknown {
    if (!(error instanceof SqliteError)) return error;
    if (isFull(error.errcode)) return diskHasNoRoom(error);
    if (isOutOfMemory(error.errcode)) return outOfResources(error);
    // Other errors, such as a violated constraint, changed nothing and are not caused by the disk.
    if (!diskErrors.has(error.errcode & 0xff)) return error;
    this.#health.degrade(error);
    return storeDegraded(error);
  }
}

/**
 * Result codes after which the content of the disk is unknown: READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB
 * (https://sqlite.org/rescode.html).
 */
const diskErrors: ReadonlySet<number> = new Set([8, 10, 11, 14, 26]);

function asUnreadable(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof SqliteError && isOutOfMemory(error.errcode)) return outOfResources(error);
  return dataUnreadable(`${databaseName}: ${errorText(error)}`, error);
}
