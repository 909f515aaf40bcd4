// One writer for the data folder. The lock is a file that can be created only once and that names its owner; a lock
// whose owner is gone is taken over. INVARIANT: of any number of starters, exactly one gets the lock.
//
// To take over a lock, its file must be removed, but another process may just have replaced it. So a second lock of the same
// kind (`lock.takeover`) is needed: only its owner removes a stale `lock`, after checking it again.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import { dataFolderLocked } from '../../domain/store-errors.ts';
import { hasCode, type FileSystem } from '../../files/file-system.ts';
import { readWhole } from '../../files/read-bytes.ts';
import { writeAll } from './durable-files.ts';

const ownerSchema = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  /** Id of the lock, which tells two locks of one process apart. */
  token: z.string(),
});

type LockRequest = {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  /** The lock file. */
  readonly path: string;
  /** The locked folder, for messages. */
  readonly folder: string;
};

/** Maximum nesting of take-overs. A process rarely ends inside a take-over, and never inside the take-over of one. */
const deepestTakeover = 2;
/** Checks of an empty lock, over one second. A lock is only empty for a moment after its creation, unless its process ended. */
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
      // A released lock is not removed: its next owner may create it at any moment.
      if (wasStale) await request.fileSystem.remove(request.path);
      if (!(await tryCreate(request, text))) throw dataFolderLocked(request.folder, undefined);
      return new FolderLock(request, text, wasStale);
    } finally {
      await takeover.release();
    }
  }

  /** Removes the lock if this process still owns it. */
  async release(): Promise<void> {
    const { fileSystem, path } = this.#request;
    const found = await readWhole(fileSystem, path);
    if (found?.toString() === this.#text) await fileSystem.remove(path);
  }
}

/** Creates the lock. False if it exists already. */
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
  // Another process may have treated the empty lock as stale.
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

/** The identity of a process in a lock. The pid alone is not enough, since systems reuse pids. */
type ProcessIdentity = {
  readonly pid: number;
  /** Start time in the system's own unit; null if unknown. */
  readonly start: string | null;
};

const thisProcess = async (): Promise<ProcessIdentity> => ({
  pid: process.pid,
  start: await startOf(process.pid),
});

/** True if this process still exists, or may exist. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  if (!hasProcess(identity.pid)) return false;
  // A killed process stays in the process table until its parent collects it, but has no resources any more.
  if (deadStates.has((await statOf(identity.pid))?.state ?? '')) return false;
  const start = await startOf(identity.pid);
  return start === null || identity.start === null || start === identity.start;
}

export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

/** States of ended processes: zombie and dead. */
const deadStates = new Set(['Z', 'X']);

/** Clock ticks from the machine's start to the process's (Linux); null elsewhere. */
const startOf = async (pid: number): Promise<string | null> => (await statOf(pid))?.start ?? null;

/** State and start of a process on Linux; undefined elsewhere, or when the process has gone. */
async function statOf(pid: number): Promise<{ state: string; start: string } | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, which may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: fields[19] ?? '' };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES')) return undefined;
    throw error;
  }
}
