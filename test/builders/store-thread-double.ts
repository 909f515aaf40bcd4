// A store of runs in memory, in this thread: the storage thread's own objects over SQLite without a file. For specs that
// have no build, and for those that decide when each call is done.
import { DatabaseSync } from '@photostructure/sqlite';
import type { Clock } from '../../src-main/base/clock.ts';
import { deferred } from '../../src-main/base/deferred.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { FreeSpace } from '../../src-main/storage/free-space.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import type { RunStores } from '../../src-main/storage/runs/open-run-stores.ts';
import { RowQueryStore } from '../../src-main/storage/runs/row-query-store.ts';
import { RowSetStore } from '../../src-main/storage/runs/row-set-store.ts';
import { RunDatabase } from '../../src-main/storage/runs/run-database.ts';
import { RunStore } from '../../src-main/storage/runs/run-store.ts';
import { SnapshotStore } from '../../src-main/storage/runs/snapshot-store.ts';
import type { Database } from '../../src-main/storage/sqlite/open-database.ts';
import { migrate } from '../../src-main/storage/sqlite/schema.ts';
import { openReader } from '../../src-main/storage/sqlite/answer-calls.ts';
import { StoreWriter, type Opened } from '../../src-main/storage/sqlite/store-writer.ts';
import { errorOf, failureOf } from '../../src-main/storage/sqlite/thread-messages.ts';
import type { StoreHealth } from '../../src-main/storage/runs/store-health.ts';

type Method = (...args: unknown[]) => unknown;

/** Runs one call of the storage thread; a spec may let it wait, before it is done or before its answer. */
type CallRunner = <T>(method: string, act: () => Promise<T>) => Promise<T>;

const atOnce: CallRunner = (_, act) => act();

/** A new database in memory, in place of `rowbench.db`. It outlives the processes that a spec simulates. */
export function memoryDatabase(): Database {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  return database;
}

/** Has the calls that RunDatabase makes of a storage thread. */
class StoreThreadDouble {
  readonly #stores: readonly object[];
  readonly #database: Database;
  readonly #isWriter: boolean;
  readonly #run: CallRunner;
  /** Resolves when the calls so far are done: a thread does them in their order. */
  #done: Promise<unknown> = Promise.resolve();

  constructor(database: Database, { role, run }: { role: 'writer' | 'reader'; run: CallRunner }) {
    this.#database = database;
    this.#isWriter = role === 'writer';
    this.#stores = this.#isWriter ? [new StoreWriter(database)] : openReader(database);
    this.#run = run;
  }

  async call(method: string, ...args: unknown[]): Promise<unknown> {
    // What is handed over is no longer the caller's.
    const sent = structuredClone(args);
    const before = this.#done;
    const done = deferred();
    this.#done = done.promise;
    try {
      return await this.#run(method, async () => {
        await before;
        try {
          return this.#answer(method, sent);
        } finally {
          done.resolve();
        }
      });
    } catch (error) {
      throw errorOf(failureOf(error));
    }
  }

  async close(): Promise<void> {}

  #answer(method: string, args: unknown[]): unknown {
    const store = this.#stores.find((candidate) => method in candidate) as Record<string, Method>;
    if (!this.#isWriter) return store[method]?.(...args);
    this.#database.exec('begin immediate');
    try {
      const value = store[method]?.(...args);
      this.#database.exec('commit');
      return value;
    } catch (error) {
      this.#database.exec('rollback');
      throw error;
    }
  }
}

export type MemoryStoreOptions = {
  readonly health: StoreHealth;
  readonly fileSystem: FileSystem;
  /** The data folder, whose free space counts. */
  readonly path: string;
  readonly clock?: Clock;
  readonly run?: CallRunner;
  /** true: for a spec that looks at what is committed. */
  readonly isReadOnly?: boolean;
};

const nothingOpened: Opened = { nextOwner: 1, newestRunId: undefined };

/** The stores of one process over a database in memory. */
export async function openMemoryStores(
  database: Database,
  { health, fileSystem, path, clock = systemClock, run = atOnce, isReadOnly }: MemoryStoreOptions,
): Promise<RunStores> {
  const writer = new StoreThreadDouble(database, { role: 'writer', run });
  const reader = new StoreThreadDouble(database, { role: 'reader', run });
  const opened = isReadOnly === true ? nothingOpened : ((await writer.call('open')) as Opened);
  const threads = isReadOnly === true ? { reader } : { writer, reader };
  // Its constructor is private: only threads are given to it elsewhere.
  const runDatabase = Reflect.construct(RunDatabase, [threads, opened, health]) as RunDatabase;
  const free = new FreeSpace({ fileSystem, clock }, path);
  return {
    database: runDatabase,
    runs: new RunStore({ database: runDatabase, results: runDatabase, free, clock }),
    queries: new RowQueryStore(runDatabase),
    snapshots: new SnapshotStore(runDatabase),
    rowSets: await RowSetStore.open({ database: runDatabase, free, report: () => undefined }),
  };
}
