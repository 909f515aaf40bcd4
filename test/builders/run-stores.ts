// The stores of a data folder without services; they need the build's storage thread.
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { openDataFolder, type DataFolder } from '../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { openRunStores, type RunStores } from '../../src-main/storage/runs/open-run-stores.ts';

/** The build's storage thread. */
export const storageThread = fileURLToPath(new URL('../../dist/storage-thread.cjs', import.meta.url));

export type OpenedStores = RunStores & {
  readonly folder: DataFolder;
  /** Closes the stores, then the folder. */
  close(): Promise<void>;
};

type Options = {
  readonly clock?: Clock;
  readonly fileSystem?: FileSystem;
  /** true: a second thread reads, as in a server. Without it the writer reads too, which saves 0.1 s of computing. */
  readonly hasReadThread?: boolean;
};

export async function openStores(
  dataDir: string,
  { clock = systemClock, fileSystem, hasReadThread = false }: Options = {},
): Promise<OpenedStores> {
  const folder = await openDataFolder({ path: dataDir, clock, log: silentLog, fileSystem });
  try {
    const onDied = (): void => undefined;
    const threads = hasReadThread ? 'both' : 'writer';
    const stores = await openRunStores(folder, { script: storageThread, clock, threads, onDied });
    const close = async (): Promise<void> => {
      await stores.database.close();
      await folder.close();
    };
    return { ...stores, folder, close };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Uses the stores of a data folder that no process has. */
export async function withRunStores<T>(
  dataDir: string,
  use: (stores: OpenedStores) => Promise<T>,
): Promise<T> {
  const stores = await openStores(dataDir);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}
