// Writes whole files so that they survive a power cut at any moment: either the old content or the new, never a mix.
// Who calls: every store for its small files. INVARIANT: when a method resolves, its bytes are on the disk.
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { diskHasNoRoom, isShortage, outOfResources } from '../../domain/store-errors.ts';
import { hasCode, isOfFullDisk, type FileSystem, type OpenFile } from '../../files/file-system.ts';

/** The path of the previous content of a file. */
export const previousOf = (path: string): string => `${path}.previous`;

const temporarySuffix = '.tmp';

/** True for a file that a process left when it ended inside `replace`; the process that has the data folder may remove it. */
const isTemporary = (name: string): boolean => name.endsWith(temporarySuffix);

/** Removes files that processes left in a folder when they ended inside `replace`. */
export async function clearTemporaries(fileSystem: FileSystem, folder: string): Promise<void> {
  for (const name of await fileSystem.list(folder)) {
    if (isTemporary(name)) await fileSystem.remove(join(folder, name));
  }
}

/** Maximum retries of a rename, for virus scanners that open new files for a moment; a second in total. */
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
   * Replaces the content of a file. With `keepPrevious` the old file is first renamed to `previousOf(path)`. After a crash
   * between the two renames, only that file exists, so readers also check it. Fails like `create` if nothing was changed.
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

  /** Renames a file, with retries while a virus scanner has it open. Does not sync the folder. */
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

  /** Creates a folder and its parents, for the owner only. True if the folder is new. */
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
      // The first version of a file has no previous one.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  async #discard(path: string): Promise<void> {
    // The caller reports the first failure; a leftover file with a unique name does no harm.
    await this.#fileSystem.remove(path).catch(() => undefined);
  }
}

/** Converts the error of a failed write: after a full disk or a shortage, another try may succeed. */
function asRefused(error: unknown): unknown {
  if (isOfFullDisk(error)) return diskHasNoRoom(error);
  return isShortage(error) ? outOfResources(error) : error;
}

/** Maximum writes in a row that write nothing. */
const maxEmptyWrites = 10;

/** Writes all bytes, with as many calls as necessary. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  let emptyWrites = 0;
  while (written < bytes.length) {
    const taken = await file.write(bytes.subarray(written), position + written);
    written += taken;
    emptyWrites = taken === 0 ? emptyWrites + 1 : 0;
    if (emptyWrites === maxEmptyWrites)
      throw new Error('The disk accepts no more bytes and reports no error');
  }
}
