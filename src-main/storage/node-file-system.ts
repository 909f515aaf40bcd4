import { constants, type Stats } from 'node:fs';
import {
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

const flags: Record<OpenMode, number> = {
  read: constants.O_RDONLY,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
  update: constants.O_RDWR | constants.O_CREAT,
};

/** The machine's own files. */
export const nodeFileSystem: FileSystem = {
  async open(path, mode) {
    return new NodeFile(await open(path, flags[mode], ownerOnlyFile));
  },
  rename,
  async makeFolder(path) {
    await mkdir(path, { mode: ownerOnlyFolder });
  },
  async makePrivate(path) {
    const { isFolder } = toStat(await stat(path));
    await chmod(path, isFolder ? ownerOnlyFolder : ownerOnlyFile);
  },
  list: (path) => readdir(path),
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  async stat(path) {
    try {
      return toStat(await stat(path));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  },
  async realPath(path) {
    try {
      return await realpath(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  },
  async freeBytes(path) {
    const disk = await statfs(path);
    return disk.bavail * disk.bsize;
  },
  async syncFolder(path) {
    try {
      const folder = await open(path, constants.O_RDONLY);
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

const toStat = (stats: Stats): FileStat => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
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

  async write(chunks: readonly Uint8Array[], position: number): Promise<number> {
    const [first] = chunks;
    if (first !== undefined && chunks.length === 1) {
      return (await this.#handle.write(first, 0, first.length, position)).bytesWritten;
    }
    return (await this.#handle.writev(chunks as Uint8Array[], position)).bytesWritten;
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  dataSync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
