// The few file operations that documents, imports and cassettes need; `rowbench.db` goes through SQLite. Passed in
// everywhere, so that a test can make any single call fail or lose unsynced bytes. Only `node-file-system.ts` knows the
// real file system.

export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** Replaces the target, if there is one, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** Makes one folder, for the owner alone. Fails with EEXIST. */
  makeFolder(path: string): Promise<void>;
  /** Closes a folder or file to all users but the owner. */
  makePrivate(path: string): Promise<void>;
  /** Gives a file the permissions of another one. */
  copyPermissions(from: string, to: string): Promise<void>;
  /** Names of what is in a folder, in no particular order. */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file or a whole folder; content if there is nothing of that name. */
  remove(path: string): Promise<void>;
  /** Undefined if there is nothing of that name. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The path with every symbolic link followed. Undefined if there is nothing of that name. */
  realPath(path: string): Promise<string | undefined>;
  /** True if files can be created in the folder. */
  isWritable(folder: string): Promise<boolean>;
  /** Bytes that we may still write on that disk. */
  freeBytes(path: string): Promise<number>;
  /** Makes creations, renames and removals in a folder survive a power cut. */
  syncFolder(path: string): Promise<void>;
}

/**
 * `read`: must exist. `write`: must exist and be no symbolic link; it can be read too. `create`: must not exist yet.
 * `update`: made if absent. New files are for the owner alone.
 */
export type OpenMode = 'read' | 'write' | 'create' | 'update';

export type FileStat = {
  readonly size: number;
  readonly mtimeMs: number;
  readonly isFolder: boolean;
  /** Neither true for a pipe or a device. */
  readonly isFile: boolean;
};

export interface OpenFile {
  size(): Promise<number>;
  /** Bytes read; 0 at the end of the file. May be fewer than fit. */
  read(into: Uint8Array, position: number): Promise<number>;
  /** Returns the number of bytes written. May be fewer than were given: see `writeAll`. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  truncate(size: number): Promise<void>;
  /** Content and metadata reach the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** True if an error is the file system's and carries one of these codes (`ENOENT`, `EEXIST`…). */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** True if there was no room for what was written, or the user may have no more. */
export const isOfFullDisk = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT');
