import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statfsSync,
  statSync,
  writeSync,
  writevSync,
  type Stats,
} from 'node:fs';
import * as callbacks from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { invariant } from '../base/invariant.ts';
import { systemClock } from '../base/system-clock.ts';
import { DiskPace } from './disk-pace.ts';
import { hasCode, type FileStat, type FileSystem, type OpenFile, type OpenMode } from './file-system.ts';

// By number, not as a `FileHandle`: a number can be used at once as well as elsewhere.
const open = promisify(callbacks.open);
const close = promisify(callbacks.close);
const fstat = promisify(callbacks.fstat);
const ftruncate = promisify(callbacks.ftruncate);
const fsync = promisify(callbacks.fsync);
const fdatasync = promisify(callbacks.fdatasync);
const read = promisify(callbacks.read);
const write = promisify(callbacks.write);
const writev = promisify(callbacks.writev);

const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;

/** A pipe, which somebody may have put in a file's place, is waited for otherwise. Windows has no such flag. */
const withoutWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;

const flags: Record<OpenMode, number> = {
  read: constants.O_RDONLY | withoutWaiting,
  write: constants.O_RDWR | withoutWaiting,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  update: constants.O_RDWR | constants.O_CREAT,
};

/** In bytes: copying as much takes no longer than calling another thread. */
const mostAtOnce = 64 * 1024;

const pace = new DiskPace(systemClock);

/** The machine's own files. */
export const nodeFileSystem: FileSystem = {
  open: (path, mode) => openFile(path, flags[mode]),
  rename: async (from, to) =>
    pace.make(
      () => renameSync(from, to),
      () => rename(from, to),
    ),
  makeFolder: async (path) =>
    pace.make(
      () => mkdirSync(path, ownerOnlyFolder),
      () => mkdir(path, ownerOnlyFolder),
    ),
  async makePrivate(path) {
    const { isFolder } = toStat(await statOf(path));
    const mode = isFolder ? ownerOnlyFolder : ownerOnlyFile;
    await pace.make(
      () => chmodSync(path, mode),
      () => chmod(path, mode),
    );
  },
  list: (path) => readdir(path),
  async remove(path) {
    try {
      if ((await lstat(path)).isDirectory()) await removeFolder(path);
      else await unlink(path);
    } catch {
      // Not there, or changed meanwhile; or a file that is still open, where the system waits for that.
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    }
  },
  stat: (path) =>
    orNothing(async () => {
      // Without an exception for what is not there: making one takes longer than the look.
      const stats = await pace.make(
        () => statSync(path, { throwIfNoEntry: false }),
        () => stat(path),
      );
      return stats && toStat(stats);
    }),
  realPath: (path) => orNothing(() => realpath(path)),
  async freeBytes(path) {
    const disk = await pace.make(
      () => statfsSync(path),
      () => statfs(path),
    );
    return disk.bavail * disk.bsize;
  },
  async syncFolder(path) {
    try {
      const folder = await openFile(path, flags.read);
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (error) {
      // Windows cannot open a folder to sync it; its file systems journal renames by themselves.
      if (process.platform === 'win32' && hasCode(error, 'EISDIR', 'EPERM', 'EINVAL', 'EACCES')) return;
      throw error;
    }
  },
};

/**
 * Removes a folder and all that is in it. Node's own `rm` takes twice the time: it tries each entry as a folder, a file, and
 * a folder again. Throws for what is no folder, a link to one too, and for what is in use.
 */
export async function removeFolder(path: string): Promise<void> {
  // Not of what a link leads to.
  invariant((await lstat(path)).isDirectory(), 'it is a folder');
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) await removeFolder(inside);
    else await unlink(inside);
  }
  await rmdir(path);
}

async function openFile(path: string, flag: number): Promise<OpenFile> {
  const number = await pace.make(
    () => openSync(path, flag, ownerOnlyFile),
    () => open(path, flag, ownerOnlyFile),
  );
  return new NodeFile(number);
}

const statOf = async (path: string): Promise<Stats> =>
  pace.make(
    () => statSync(path),
    () => stat(path),
  );

async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const toStat = (stats: Stats): FileStat => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  isFolder: stats.isDirectory(),
  isFile: stats.isFile(),
});

class NodeFile implements OpenFile {
  #open: number | undefined;

  constructor(number: number) {
    this.#open = number;
  }

  /** Once it is closed the system gives the number to another file: nothing may reach that one through this. */
  get #number(): number {
    invariant(this.#open !== undefined, 'the file is open');
    return this.#open;
  }

  async size(): Promise<number> {
    const file = this.#number;
    return (
      await pace.make(
        () => fstatSync(file),
        () => fstat(file),
      )
    ).size;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    const file = this.#number;
    const elsewhere = async (): Promise<number> =>
      (await read(file, into, 0, into.length, position)).bytesRead;
    if (into.length > mostAtOnce) return elsewhere();
    return pace.make(() => readSync(file, into, 0, into.length, position), elsewhere);
  }

  async write(chunks: readonly Uint8Array[], position: number): Promise<number> {
    const file = this.#number;
    const [first] = chunks;
    if (first === undefined) return 0;
    const isOne = chunks.length === 1;
    const list = chunks as Uint8Array[];
    const elsewhere = async (): Promise<number> =>
      isOne
        ? (await write(file, first, 0, first.length, position)).bytesWritten
        : (await writev(file, list, position)).bytesWritten;
    if (chunks.reduce((bytes, chunk) => bytes + chunk.length, 0) > mostAtOnce) return elsewhere();
    return pace.make(
      () => (isOne ? writeSync(file, first, 0, first.length, position) : writevSync(file, list, position)),
      elsewhere,
    );
  }

  async truncate(size: number): Promise<void> {
    const file = this.#number;
    await pace.make(
      () => ftruncateSync(file, size),
      () => ftruncate(file, size),
    );
  }

  async sync(): Promise<void> {
    await fsync(this.#number);
  }

  async dataSync(): Promise<void> {
    await fdatasync(this.#number);
  }

  async close(): Promise<void> {
    const file = this.#number;
    this.#open = undefined;
    await pace.make(
      () => closeSync(file),
      () => close(file),
    );
  }
}
