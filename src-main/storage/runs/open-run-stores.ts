// Opens `rowbench.db` in a data folder, and the stores that use it. Who calls: app, for a server, and for commands that read
// stored runs while a server writes them.
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import type { DataFolder } from '../data-folder.ts';
import { orUnreadable } from '../../files/read-bytes.ts';
import { FreeSpace } from '../free-space.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { RowQueryStore } from './row-query-store.ts';
import { RowSetStore } from './row-set-store.ts';
import { databaseName, RunDatabase } from './run-database.ts';
import { RunStore } from './run-store.ts';
import { SnapshotStore } from './snapshot-store.ts';
import { StoreHealth } from './store-health.ts';

export type RunStores = {
  readonly database: RunDatabase;
  readonly runs: RunStore;
  readonly queries: RowQueryStore;
  readonly snapshots: SnapshotStore;
  readonly rowSets: RowSetStore;
};

type Options = {
  /** Path of the bundled storage thread. */
  readonly script: string;
  readonly clock: Clock;
  /** Storage threads; `writer` is for a process that ends soon. */
  readonly threads?: 'both' | 'writer';
  /** Called once when a storage thread ends unexpectedly: the process cannot continue. */
  readonly onDied: (error: Error) => void;
};

/** Opens the stores of a folder that this process has locked. Throws `data_unreadable`. */
export async function openRunStores(
  folder: DataFolder,
  { script, clock, threads = 'both', onDied }: Options,
): Promise<RunStores> {
  const { path, health, fileSystem } = folder;
  // Created first, since SQLite would let other users read the file.
  await orUnreadable(databaseName, async () =>
    (await fileSystem.open(join(path, databaseName), 'update')).close(),
  );
  const database = await RunDatabase.open({
    folder: path,
    script,
    health,
    threads,
    onDied: (error) => {
      health.degrade(error);
      onDied(error);
    },
  });
  try {
    const free = new FreeSpace({ fileSystem, clock }, path);
    return {
      database,
      runs: new RunStore({ database, results: database, free, clock }),
      queries: new RowQueryStore(database),
      snapshots: new SnapshotStore(database),
      rowSets: await RowSetStore.open({ database, free, report: folder.report }),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Maximum size of a store that is checked after a crash, in bytes: a stop waits for the check, which takes up to a second. */
const maxCheckedBytes = 200_000_000;

/**
 * Checks the whole file for damaged pages in the background. Resolves to SQLite's messages; empty for a good file and for a
 * file that is too large to check.
 */
export async function checkRuns(
  { path, fileSystem, health }: DataFolder,
  script: string,
): Promise<readonly string[]> {
  const file = await fileSystem.stat(join(path, databaseName));
  if (file === undefined || file.size > maxCheckedBytes) return [];
  const database = await RunDatabase.open({
    folder: path,
    script,
    health,
    threads: 'reader',
    onDied: () => undefined,
  });
  try {
    return await database.read('check');
  } finally {
    await database.close();
  }
}

/** The reads of stored runs that are possible while another process writes them. */
type StoredRuns = {
  readonly runs: Pick<
    RunStore,
    'find' | 'resolveId' | 'attemptsOf' | 'readRows' | 'readOutputs' | 'readStates' | 'eachFailure'
  >;
  readonly queries: Pick<RowQueryStore, 'columns' | 'selectNumbers'>;
  readonly database: Pick<RunDatabase, 'close' | 'read'>;
};

/** Opens the stored runs of a data folder that another process may have. Throws `data_unreadable`. */
export async function openStoredRuns(
  path: string,
  { script, clock, log }: Pick<Options, 'script' | 'clock'> & { readonly log: Log },
): Promise<StoredRuns> {
  const file = join(path, databaseName);
  if ((await nodeFileSystem.stat(file)) === undefined)
    throw dataUnreadable(`there is no ${databaseName} in ${path}`);
  const database = await RunDatabase.open({
    folder: path,
    script,
    threads: 'reader',
    health: new StoreHealth(log),
    onDied: (error) => log.error({ error }, 'stored runs can no longer be read'),
  });
  const free = new FreeSpace({ fileSystem: nodeFileSystem, clock }, path);
  return { runs: new RunStore({ database, free, clock }), queries: new RowQueryStore(database), database };
}
