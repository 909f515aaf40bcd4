// Disks with planted faults, as if the product left out a safeguard. A rig must notice each of them.
import type { FileSystem, OpenFile } from '../../../src-main/files/file-system.ts';

/** Ignores all syncs, as if the product did not call them. */
export const withoutSync = (disk: FileSystem, isLeftOut: (path: string) => boolean): FileSystem =>
  wrapped(disk, (file, path) =>
    isLeftOut(path) ? { ...boundFile(file), sync: () => Promise.resolve() } : file,
  );

/** Hides failed writes, as if the product ignored their errors. */
export const hastyDisk = (disk: FileSystem): FileSystem =>
  wrapped(disk, (file) => ({
    ...boundFile(file),
    write: (bytes, position) => file.write(bytes, position).catch(() => bytes.length),
  }));

/** Ignores syncs of folders, as if the product did not call them. */
export const withoutFolderSync = (disk: FileSystem): FileSystem => ({
  ...bound(disk),
  syncFolder: () => Promise.resolve(),
});

/** Hides previous versions, as if the product did not read them after damage. */
export const withoutPrevious = (disk: FileSystem): FileSystem => ({
  ...bound(disk),
  open: (path, mode) =>
    path.endsWith('.previous')
      ? Promise.reject(Object.assign(new Error('ENOENT'), { code: 'ENOENT' }))
      : disk.open(path, mode),
});

const bound = (disk: FileSystem): FileSystem => ({
  open: (path, mode) => disk.open(path, mode),
  rename: (from, to) => disk.rename(from, to),
  makeFolder: (path) => disk.makeFolder(path),
  makePrivate: (path) => disk.makePrivate(path),
  copyPermissions: (from, to) => disk.copyPermissions(from, to),
  list: (path) => disk.list(path),
  remove: (path) => disk.remove(path),
  stat: (path) => disk.stat(path),
  realPath: (path) => disk.realPath(path),
  isWritable: (folder) => disk.isWritable(folder),
  freeBytes: (path) => disk.freeBytes(path),
  syncFolder: (path) => disk.syncFolder(path),
});

function wrapped(disk: FileSystem, wrap: (file: OpenFile, path: string) => OpenFile): FileSystem {
  return { ...bound(disk), open: async (path, mode) => wrap(await disk.open(path, mode), path) };
}

const boundFile = (file: OpenFile): OpenFile => ({
  size: () => file.size(),
  read: (into, position) => file.read(into, position),
  write: (bytes, position) => file.write(bytes, position),
  truncate: (size) => file.truncate(size),
  sync: () => file.sync(),
  close: () => file.close(),
});
