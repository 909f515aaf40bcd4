// `rowbench.db`: runs, their rows and results, and row sets, in SQLite behind two threads: one that writes, and one that
// reads beside it, unless the process is a short one. Who calls: app opens it; RunStore, SnapshotStore and RowSetStore are its users.
import { join } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { invariant } from '../base/invariant.ts';
import { dataUnreadable } from '../domain/errors.ts';
import { diskHasNoRoom, outOfResources, storeDegraded } from '../domain/store-errors.ts';
import type { StoreHealth } from './store-health.ts';
import type { StoreReader } from './sqlite/answer-calls.ts';
import type { Opened, StoreWriter } from './sqlite/store-writer.ts';
import { StoreThread, type Arguments, type MethodName, type MethodResult } from './sqlite/store-thread.ts';
import { isFull, isOutOfMemory, SqliteError } from './sqlite/thread-messages.ts';

/** The file of runs and row sets in a data folder. */
export const databaseName = 'rowbench.db';

export type DatabaseOptions = {
  /** The data folder. */
  readonly folder: string;
  /** Path of the bundled storage thread. */
  readonly script: string;
  readonly health: StoreHealth;
  /**
   * `both`, the default: one thread writes and one reads beside it. `writer`: one thread does both, for a process that ends
   * soon, since starting a second thread takes 0.2 s of computing. `reader`: the file is another process's to change.
   */
  readonly threads?: 'both' | 'writer' | 'reader';
  /** Called once when a storage thread ends by itself: the process cannot go on. */
  readonly onDied: (error: Error) => void;
};

export class RunDatabase {
  readonly newestRunId: string | undefined;
  /** Called when runs are about to be removed, and texts with them. */
  onRunsRemoved: () => void = () => undefined;
  /** Undefined: the file is another process's to change. */
  readonly #writer: StoreThread<StoreWriter & StoreReader> | undefined;
  /** The writer itself, where there is no second thread. */
  readonly #reader: StoreThread<StoreReader>;
  readonly #health: StoreHealth;
  #sweeping: Promise<void> | undefined;
  #isSweepRequested = false;
  #isClosing = false;
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
    // What a crash left.
    if (threads.writer !== undefined) this.#sweepSoon();
  }

  /** Opens the file, and makes it if there is none, unless it is only read. Throws `data_unreadable`. */
  static async open({
    folder,
    script,
    health,
    threads = 'both',
    onDied,
  }: DatabaseOptions): Promise<RunDatabase> {
    const options = { script, path: join(folder, databaseName), onDied };
    let writer: StoreThread<StoreWriter & StoreReader> | undefined;
    try {
      if (threads !== 'reader') writer = await StoreThread.open({ ...options, role: 'writer' });
      const reader: StoreThread<StoreReader> =
        threads === 'writer' && writer !== undefined
          ? writer
          : await StoreThread.open({ ...options, role: 'reader' });
      const opened = (await writer?.call('open')) ?? { nextOwner: 0, newestRunId: undefined };
      return new RunDatabase({ writer, reader }, opened, health);
    } catch (error) {
      await writer?.close();
      throw asUnreadable(error);
    }
  }

  /** Throws `store_degraded`. */
  assertWritable(): void {
    this.#health.assertWritable();
  }

  /** A number for a new owner of rows. */
  nextOwner(): number {
    return this.#nextOwner++;
  }

  /**
   * Changes the store; durable when it resolves. Throws `disk_full` or `out_of_resources` where nothing was changed and
   * the call may be tried again, `store_degraded` after any other failure of the disk.
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

  /** Reads what is committed. Throws `data_unreadable`, `out_of_resources`, and what the method throws. */
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

  /** Removes runs; their batches go by and by. Throws as `write`. */
  async removeRuns(runIds: readonly string[], retainedHashes: readonly string[]): Promise<void> {
    // In the same turn, so that a text that is put from here on is stored after the removal.
    this.onRunsRemoved();
    await this.write('removeRuns', runIds, retainedHashes);
    this.#sweepSoon();
  }

  /** Gives up rows that have arrived and belong to nothing. Never rejects: the next start removes them as well. */
  async abandonRows(owner: number): Promise<void> {
    await this.write('abandonRows', owner).catch(() => undefined);
    this.#sweepSoon();
  }

  /** Waits for calls under way and lets go of the file. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sweeping;
    // The writer last: it takes what is in the write-ahead log into the file.
    await this.#reader.close();
    await this.#writer?.close();
  }

  /** Removes batches that belong to nothing, a few at a time and with other calls in between. */
  #sweepSoon(): void {
    this.#isSweepRequested = true;
    this.#sweeping ??= this.#sweep();
  }

  async #sweep(): Promise<void> {
    while (this.#isSweepRequested && !this.#isClosing) {
      this.#isSweepRequested = false;
      // Where it fails, space comes back with the next removal or the next start.
      while (!this.#isClosing && (await this.write('sweep').catch(() => false)));
    }
    this.#sweeping = undefined;
  }

  #writeError(error: unknown): unknown {
    if (!(error instanceof SqliteError)) return error;
    if (isFull(error.errcode)) return diskHasNoRoom(error);
    if (isOutOfMemory(error.errcode)) return outOfResources(error);
    // Any other error, say of a constraint, has changed nothing and says nothing of the disk.
    if (!diskErrors.has(error.errcode & 0xff)) return error;
    this.#health.degrade(error);
    return storeDegraded(error);
  }
}

/**
 * After these it is unknown what the disk holds: READONLY, IOERR, CORRUPT, CANTOPEN, NOTADB
 * (https://sqlite.org/rescode.html).
 */
const diskErrors: ReadonlySet<number> = new Set([8, 10, 11, 14, 26]);

function asUnreadable(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof SqliteError && isOutOfMemory(error.errcode)) return outOfResources(error);
  return dataUnreadable(`${databaseName}: ${error instanceof Error ? error.message : String(error)}`, error);
}
