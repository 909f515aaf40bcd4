import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hasCode } from './file-system.ts';

/** Files that are open at once: a process may have few descriptors. */
const openAtOnce = 16;

/**
 * Every file below the folder, by its path as a URL would name it (`/assets/x.js`). About 1 MB, kept in memory: no
 * request ever reaches the disk, and none can name a file that is not of the pages. Empty where there is no folder.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, Uint8Array>();
  while (paths.length > 0) {
    const read = paths.splice(0, openAtOnce).map(async (path) => [path, await readFile(path)] as const);
    for (const [path, bytes] of await Promise.all(read)) files.set(urlPath(relative(folder, path)), bytes);
  }
  return files;
}

const urlPath = (path: string): string => `/${path.split(sep).join('/')}`;
