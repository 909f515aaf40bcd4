// One writer for the data folder. The lock is a file that can be created only once and that names its owner; a lock
// whose owner is gone is taken over. INVARIANT: of any number of starters, exactly one gets the lock.
//
// Taking over means removing a file that another process may just have replaced. So it is done under a second lock of
// the same kind (`lock.takeover`): only its holder removes a stale `lock`, after looking at it once more.
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { dataFolderLocked } from '../../domain/errors.ts';
import { hasCode, type FileSystem } from '../../files/file-system.ts';
import { isAlive, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { readWhole } from '../../files/read-bytes.ts';
import { writeAll } from './write-all.ts';

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  /** Tells apart two locks of one process. */
  token: z.string(),
});

export type LockRequest = {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  /** The lock file. */
  readonly path: string;
  /** The folder that it stands for, for messages. */
  readonly folder: string;
};

/** A process dies inside a take-over once in a blue moon, inside the take-over of a take-over never. */
const deepestTakeover = 2;
/** A lock is empty for the instant between its creation and its first write; after a second its writer is dead. */
const emptyChecks = 10;
const emptyCheckMs = 100;

export class FolderLock {
  /** True if the owner before us ended without releasing the lock. */
  readonly wasStale: boolean;
  readonly #request: LockRequest;
  readonly #text: string;

  private constructor(request: LockRequest, text: string, wasStale: boolean) {
    this.#request = request;
    this.#text = text;
    this.wasStale = wasStale;
  }

  /** Throws `data_folder_locked`, naming the owner's pid. */
  static async acquire(request: LockRequest, depth = 0): Promise<FolderLock> {
    const text = JSON.stringify({ ...(await thisProcess()), token: crypto.randomUUID() });
    if (await tryCreate(request, text)) return new FolderLock(request, text, false);
    await inspect(request);
    if (depth === deepestTakeover) throw dataFolderLocked(request.folder, undefined);
    const takeover = await FolderLock.acquire({ ...request, path: `${request.path}.takeover` }, depth + 1);
    try {
      const wasStale = (await inspect(request)) === 'stale';
      // One that is gone may be created anew at any moment, by its rightful next owner.
      if (wasStale) await request.fileSystem.remove(request.path);
      if (!(await tryCreate(request, text))) throw dataFolderLocked(request.folder, undefined);
      return new FolderLock(request, text, wasStale);
    } finally {
      await takeover.release();
    }
  }

  /** Leaves a lock alone that is not ours (any more). */
  async release(): Promise<void> {
    const { fileSystem, path } = this.#request;
    const found = await readWhole(fileSystem, path);
    if (found?.toString() === this.#text) await fileSystem.remove(path);
  }
}

/** False if there is a lock already. */
async function tryCreate({ fileSystem, path }: LockRequest, text: string): Promise<boolean> {
  try {
    const file = await fileSystem.open(path, 'create');
    try {
      await writeAll(file, Buffer.from(text), 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  // Another process may have taken the lock for stale before our name was in it.
  return (await readWhole(fileSystem, path))?.toString() === text;
}

/** Throws `data_folder_locked` if the lock's owner lives. */
async function inspect({ fileSystem, clock, path, folder }: LockRequest): Promise<'gone' | 'stale'> {
  for (let check = 0; check < emptyChecks; check += 1) {
    const bytes = await readWhole(fileSystem, path);
    if (bytes === undefined) return 'gone';
    const owner = parseOwner(bytes.toString());
    if (owner !== undefined) {
      if (await isAlive(owner)) throw dataFolderLocked(folder, owner.pid);
      return 'stale';
    }
    await sleep(clock, emptyCheckMs);
  }
  return 'stale';
}

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
