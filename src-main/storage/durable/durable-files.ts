// Writes whole files so that they survive a power cut at any moment: either the old content or the new, never a mix.
// Who calls: every store for its small files. INVARIANT: when a method resolves, its bytes are on the disk.
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { diskHasNoRoom, isShortage, outOfResources } from '../../domain/store-errors.ts';
import { hasCode, isOfFullDisk, type FileSystem } from '../../files/file-system.ts';
import { writeAll } from './write-all.ts';

/** The name under which the content before the last replacement is kept. */
export const previousOf = (path: string): string => `${path}.previous`;

const temporarySuffix = '.tmp';

/** Left by a process that ended inside `replace`; the process that holds the data folder may remove it. */
const isTemporary = (name: string): boolean => name.endsWith(temporarySuffix);

/** Removes what processes that ended inside `replace` left in a folder. */
export async function clearTemporaries(fileSystem: FileSystem, folder: string): Promise<void> {
  for (const name of await fileSystem.list(folder)) {
    if (isTemporary(name)) await fileSystem.remove(join(folder, name));
  }
}

/** Virus scanners hold a new file open for a moment. Longer than a second is no such moment. */
const renameRetries = 10;
const renameRetryMs = 100;

export class DurableFiles {
  readonly #fileSystem: FileSystem;
  readonly #clock: Clock;

  constructor(fileSystem: FileSystem, clock: Clock) {
    this.#fileSystem = fileSystem;
    this.#clock = clock;
  }

  /**
   * Puts new content in a file's place. With `keepPrevious` the old file moves to `previousOf(path)` first: a crash
   * between the two renames leaves the old content under that name alone, so readers look there too. Fails as `create`
   * where nothing was changed.
   */
  async replace(
    path: string,
    bytes: Uint8Array,
    { keepPrevious }: { readonly keepPrevious: boolean },
  ): Promise<void> {
    const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
    try {
      await this.create(temporary, bytes);
      if (keepPrevious) await this.#moveAway(path);
      await this.rename(temporary, path);
    } catch (error) {
      await this.#discard(temporary);
      throw error;
    }
    await this.#fileSystem.syncFolder(dirname(path));
  }

  /**
   * Writes a new file and syncs it, but not its folder. Fails with EEXIST, or as `disk_full` or `out_of_resources`, and
   * leaves nothing behind when it fails.
   */
  async create(path: string, bytes: Uint8Array): Promise<void> {
    const file = await this.#fileSystem.open(path, 'create').catch((error: unknown) => {
      throw asRefused(error);
    });
    try {
      try {
        await writeAll(file, bytes, 0);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      await this.#discard(path);
      throw asRefused(error);
    }
  }

  /** Renames, with patience for scanners that hold the file open. Does not sync the folder. */
  async rename(from: string, to: string): Promise<void> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#fileSystem.rename(from, to);
      } catch (error) {
        if (retry === renameRetries || !hasCode(error, 'EPERM', 'EBUSY', 'EACCES')) throw error;
      }
      await sleep(this.#clock, renameRetryMs);
    }
  }

  /** Makes a folder, and those above it, for the owner alone. Says whether it was made now. */
  async makeFolder(path: string): Promise<boolean> {
    if ((await this.#fileSystem.stat(path)) !== undefined) return false;
    await this.makeFolder(dirname(path));
    try {
      await this.#fileSystem.makeFolder(path);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
    await this.#fileSystem.syncFolder(dirname(path));
    return true;
  }

  async #moveAway(path: string): Promise<void> {
    try {
      await this.rename(path, previousOf(path));
    } catch (error) {
      // The first generation has none before it.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  async #discard(path: string): Promise<void> {
    // The failure that led here is the one to report; what is left is only litter with a name of its own.
    await this.#fileSystem.remove(path).catch(() => undefined);
  }
}

/** The error of a failed write: a full disk or a shortage becomes an error after which another try may succeed. */
function asRefused(error: unknown): unknown {
  if (isOfFullDisk(error)) return diskHasNoRoom(error);
  return isShortage(error) ? outOfResources(error) : error;
}
