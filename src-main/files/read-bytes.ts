import { AppError, errorText } from '../base/app-error.ts';
import { dataUnreadable, isShortage, outOfResources } from '../domain/store-errors.ts';
import { hasCode, type FileSystem, type OpenFile } from './file-system.ts';

/** Fills the buffer from that position on. Resolves to the bytes read: fewer only at the end of the file. */
export async function readBytes(
  file: Pick<OpenFile, 'read'>,
  into: Uint8Array,
  position: number,
): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const taken = await file.read(into.subarray(filled), position + filled);
    if (taken === 0) break;
    filled += taken;
  }
  return filled;
}

/** The first `maxBytes` of a file; all of it if it has no more. */
export async function readStart(fileSystem: FileSystem, path: string, maxBytes: number): Promise<Buffer> {
  const file = await fileSystem.open(path, 'read');
  try {
    const bytes = Buffer.allocUnsafe(Math.min(await file.size(), maxBytes));
    return bytes.subarray(0, await readBytes(file, bytes, 0));
  } finally {
    await release(file);
  }
}

/** A whole file; undefined if there is none. */
export async function readWhole(fileSystem: FileSystem, path: string): Promise<Buffer | undefined> {
  try {
    return await readStart(fileSystem, path, Infinity);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Closes a file that was only read: if that fails, nothing is lost. */
export const release = (file: Pick<OpenFile, 'close'>): Promise<void> => file.close().catch(() => undefined);

/** The reason of a disk failure, without the path, which clients must not learn. */
export const diskReason = (error: unknown): string => errorText(error).split(', ')[0] ?? '';

/**
 * Resolves to the result of `read`; a failure of the disk is thrown as `data_unreadable`, naming `label`, and a shortage of the
 * system as `out_of_resources`.
 */
export async function orUnreadable<T>(label: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw asUnreadable(label, error);
  }
}

/** An AppError passes as it is: the code that threw it knows the cause. */
export function asUnreadable(label: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  return isShortage(error) ? outOfResources(error) : dataUnreadable(`${label}: ${diskReason(error)}`, error);
}
