import { constants } from 'node:fs';
import {
  access,
  chmod,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  type FileHandle,
} from 'node:fs/promises';
import { hasCode, type FileStat, type FileSystem, type OpenFile, type OpenMode } from './file-system.ts';

const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;
const allPermissions = 0o7777;

/** Without it, opening a pipe that stands in a file's place would wait for a writer. Windows has no such flag. */
const withoutWaiting = (constants.O_NONBLOCK as number | undefined) ?? 0;

/** Fails with ELOOP for a symbolic link. Windows has no such flag. */
const withoutLink = (constants.O_NOFOLLOW as number | undefined) ?? 0;

const flags: Record<OpenMode, number> = {
  read: constants.O_RDONLY | withoutWaiting,
  write: constants.O_RDWR | withoutWaiting | withoutLink,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  update: constants.O_RDWR | constants.O_CREAT,
};

/** The machine's own files. */
export const nodeFileSystem: FileSystem = {
  open: async (path, mode) => new NodeFile(await open(path, flags[mode], ownerOnlyFile)),
  rename,
  makeFolder: (path) => mkdir(path, ownerOnlyFolder),
  makePrivate: async (path) =>
    chmod(path, (await stat(path)).isDirectory() ? ownerOnlyFolder : ownerOnlyFile),
  copyPermissions: async (from, to) => chmod(to, (await stat(from)).mode & allPermissions),
  list: (path) => readdir(path),
  // Windows refuses to remove a file that is still open, and closes it a moment later.
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  stat: (path) => orNothing(async () => toStat(await stat(path))),
  realPath: (path) => orNothing(() => realpath(path)),
  isWritable: (folder) =>
    access(folder, constants.W_OK).then(
      () => true,
      () => false,
    ),
  async freeBytes(path) {
    const disk = await statfs(path);
    return disk.bavail * disk.bsize;
  },
  async syncFolder(path) {
    try {
      const folder = await open(path, flags.read);
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

async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

const toStat = (stats: Awaited<ReturnType<typeof stat>>): FileStat => ({
  size: Number(stats.size),
  mtimeMs: Number(stats.mtimeMs),
  isFolder: stats.isDirectory(),
  isFile: stats.isFile(),
});

class NodeFile implements OpenFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return (await this.#handle.read(into, 0, into.length, position)).bytesRead;
  }

  async write(bytes: Uint8Array, position: number): Promise<number> {
    return (await this.#handle.write(bytes, 0, bytes.length, position)).bytesWritten;
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
