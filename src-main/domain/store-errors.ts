// Error messages about the data folder and the system.
import { AppError } from '../base/app-error.ts';

/** 503: after a failed write nothing new is accepted until a restart has checked the data */
export const storeDegraded = (cause?: unknown) =>
  new AppError(
    'store_degraded',
    'The data folder could not be written. Finished runs can still be read; fix the disk problem, then restart Rowbench',
    { retryAfterSeconds: 30, cause },
  );

/** 503: a call that changed nothing, refused while the system has no file descriptor or memory for it */
export const outOfResources = (cause: unknown) =>
  new AppError(
    'out_of_resources',
    'The system is out of file descriptors or memory. Nothing was changed; try again in a few seconds',
    { retryAfterSeconds: 5, cause },
  );

/** Codes of the system for a shortage that passes by itself: of descriptors, of memory, of processes. */
const shortageCodes = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];

/** True if a call failed because the system was short of a resource, not because of the disk or the request. */
export const isShortage = (error: unknown): boolean =>
  error instanceof AppError
    ? error.code === 'out_of_resources'
    : error instanceof Error && 'code' in error && shortageCodes.includes(String(error.code));

/** True if a call changed nothing and may succeed later: the system was short of a resource, or the disk was full. */
export const isRefusedForNow = (error: unknown): boolean =>
  isShortage(error) || (error instanceof AppError && error.code === 'disk_full');

/** A newer version keeps a copy of `rowbench.db` before it changes its format. */
export const noRoomForFormatCopy = (freeBytes: number, neededBytes: number) =>
  new AppError(
    'disk_full',
    `This version changes the format of rowbench.db and first copies the file: ${Math.floor(freeBytes / 1e6)} MB are free on its disk, ${Math.ceil(neededBytes / 1e6)} MB are needed. Free that space and start again`,
  );

/** 503 */
export const diskFull = (freeBytes: number, neededBytes: number) =>
  new AppError(
    'disk_full',
    `Not enough free disk space: ${Math.floor(freeBytes / 1e6)} MB free, ${Math.ceil(neededBytes / 1e6)} MB needed. Delete old runs or free space on the disk of the data folder`,
    { retryAfterSeconds: 30 },
  );

/** 503: a write that changed nothing, and may be tried again */
export const diskHasNoRoom = (cause: unknown) =>
  new AppError(
    'disk_full',
    'The disk is full. Nothing was changed. Delete old runs or free space on the disk of the data folder, then try again',
    {
      retryAfterSeconds: 30,
      cause,
    },
  );

/** 503 */
export const tooManyExports = (most: number) =>
  new AppError(
    'too_many_exports',
    `${most} exports that take much memory are under way already. Try again once one has ended`,
    { retryAfterSeconds: 5 },
  );

export const tooManySheets = (most: number) =>
  new AppError(
    'too_many_exports',
    `${most} spreadsheets are being read already. Try again once one of them is done`,
    { retryAfterSeconds: 5 },
  );

export const tooManyRowsFiles = (max: number) =>
  new AppError(
    'too_many_exports',
    `${max} large files of rows are being read already. Try again once one of them is done`,
    { retryAfterSeconds: 5 },
  );

/** Another process writes this data folder; one writer at a time. */
export const dataFolderLocked = (path: string, pid: number | undefined) =>
  new AppError(
    'data_folder_locked',
    `The data folder ${path} is in use by another Rowbench${pid === undefined ? '' : ` (process ${pid})`}. Stop it, or name another folder with --data`,
  );

/** Something stored cannot be read, and going on without it would lose it. `what` names the file and the problem. */
export const dataUnreadable = (what: string, cause?: unknown) =>
  new AppError('data_unreadable', `Stored data cannot be read: ${what}`, { cause });

/** True if stored data is damaged or missing. Callers may still show the rest. */
export const isUnreadable = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'data_unreadable';

/** The command line's: a look into a folder does not make it. */
export const dataFolderMissing = (path: string, start: string) =>
  new AppError('invalid_input', `There is no data folder ${path}. Make one with: ${start}`);

/** 400 */
export const backupExists = (path: string) =>
  new AppError('invalid_input', `${path} exists; name a file that does not`);
