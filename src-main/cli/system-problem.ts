/** Plain words for errors of the file system, by code. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** True if the user named a path that is missing or a folder. Storage reports its own files otherwise. */
export const isNoFile = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR');

/** A failed system call in words, without the path; undefined for any other error. */
export function systemProblem(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? words[error.code] : undefined;
}
