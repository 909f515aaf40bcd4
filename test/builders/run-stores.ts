// The stores of a data folder without services; they need the build's storage thread.
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src-main/base/clock.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { openDataFolder, type DataFolder } from '../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../src-main/files/file-system.ts';
import { openRunStores, type RunStores } from '../../src-main/storage/open-run-stores.ts';

/** The build's storage thread. */
export const storageThread = fileURLToPath(new URL('../../dist/storage-thread.js', import.meta.url));

export type OpenedStores = RunStores & {
  readonly folder: DataFolder;
  /** Closes the stores, then the folder. */
  close(): Promise<void>;
};

type Options = { readonly clock?: Clock; readonly fileSystem?: FileSystem };

export async function openStores(
  dataDir: string,
  { clock = systemClock, fileSystem }: Options = {},
): Promise<OpenedStores> {
  const folder = await openDataFolder({ path: dataDir, clock, log: silentLog, fileSystem });
  try {
    const onDied = (): void => undefined;
    const stores = await openRunStores(folder, { script: storageThread, clock, onDied });
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
