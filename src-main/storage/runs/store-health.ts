// Whether the data folder can still be written. After one failed write or sync, the content of the disk is unknown. So
// nothing new is accepted until a restart has read it again; a sync is never tried twice.
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { sleep } from '../../base/sleep.ts';
import { storeDegraded, isRefusedForNow, isShortage, outOfResources } from '../../domain/store-errors.ts';
import { hasCode, type FileSystem } from '../../files/file-system.ts';

export class StoreHealth {
  readonly #log: Log;
  #isDegraded = false;
  #cause: unknown;

  constructor(log: Log) {
    this.#log = log;
  }

  get degraded(): boolean {
    return this.#isDegraded;
  }

  /** The first failure. */
  get cause(): unknown {
    return this.#cause;
  }

  degrade(error: unknown): void {
    if (this.#isDegraded) return;
    this.#isDegraded = true;
    this.#cause = error;
    this.#log.error(
      { error },
      'the data folder could not be written; nothing new is accepted until a restart',
    );
  }

  /** Throws `store_degraded`. */
  assertWritable(): void {
    if (this.#isDegraded) throw storeDegraded(this.#cause);
  }

  /**
   * Does a write; a failure degrades the store and is thrown as `store_degraded`. An AppError passes as it is, such as
   * the `disk_full` of a file that was not changed.
   */
  async attempt<T>(write: () => Promise<T>): Promise<T> {
    this.assertWritable();
    try {
      return await write();
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.degrade(error);
      throw storeDegraded(error);
    }
  }
}

// Tells a lack of file descriptors or memory from a failing disk. A failed open, list or stat changes nothing, so the call is
// refused as `out_of_resources` and the store stays in use. A failed write, rename or sync still stops the store, whatever
// its cause.

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
