// Tells a lack of file descriptors or memory from a failing disk. A failed open, list or stat changes nothing, so the call is
// refused as `out_of_resources` and the store stays in use. A failed write, rename or sync still stops the store, whatever
// its cause. Who calls: DataFolder, for documents, imports
// and cassettes; RunStore and RunResults repeat writes to `rowbench.db` with `retryWhileRefused`.
import { sleep } from '../base/sleep.ts';
import type { Clock } from '../base/clock.ts';
import { isRefusedForNow, isShortage, outOfResources } from '../domain/store-errors.ts';
import { hasCode, type FileSystem } from '../files/file-system.ts';

/** Interval between retries of a call that cannot be refused, and the maximum total time, in ms. */
const retryEveryMs = 200;
const retryForMs = 30_000;

/** Wraps a file system: a shortage that changed nothing is thrown as `out_of_resources`. */
export function reportShortages(fileSystem: FileSystem, clock: Clock): FileSystem {
  return {
    open: (path, mode) => orRefuse(() => fileSystem.open(path, mode)),
    rename: (from, to) => fileSystem.rename(from, to),
    makeFolder: (path) => orRefuse(() => fileSystem.makeFolder(path)),
    makePrivate: (path) => fileSystem.makePrivate(path),
    copyPermissions: (from, to) => fileSystem.copyPermissions(from, to),
    list: (path) => orRefuse(() => fileSystem.list(path)),
    remove: (path) => fileSystem.remove(path),
    stat: (path) => orRefuse(() => fileSystem.stat(path)),
    realPath: (path) => orRefuse(() => fileSystem.realPath(path)),
    isWritable: (folder) => fileSystem.isWritable(folder),
    freeBytes: (path) => orRefuse(() => fileSystem.freeBytes(path)),
    // The folder was changed before, so this call cannot be refused. It only retries a lack of descriptors: these two codes
    // come from opening the folder, and a sync itself is never repeated.
    syncFolder: (path) =>
      retry(
        clock,
        () => fileSystem.syncFolder(path),
        (error) => hasCode(error, 'EMFILE', 'ENFILE'),
      ),
  };
}

/**
 * Repeats a call for an accepted run while it is refused as `out_of_resources` or `disk_full`: without it, rows would run
 * twice. Throws the error of the last try.
 */
export const retryWhileRefused = <T>(clock: Clock, act: () => Promise<T>): Promise<T> =>
  retry(clock, act, isRefusedForNow);

async function orRefuse<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw isShortage(error) ? outOfResources(error) : error;
  }
}

async function retry<T>(
  clock: Clock,
  act: () => Promise<T>,
  isRetried: (error: unknown) => boolean,
): Promise<T> {
  const until = clock.monotonic() + retryForMs;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isRetried(error) || clock.monotonic() >= until) throw error;
    }
    await sleep(clock, retryEveryMs);
  }
}
