import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from './exit-code.ts';

/**
 * The path itself when it is a file; else the files below it whose name fits, hidden folders and packages left out.
 * Throws a UsageError where there is nothing.
 */
export async function findFiles(path: string, pattern: RegExp): Promise<string[]> {
  const found = await stat(path).catch((error: Error & { code?: string }) => {
    if (error.code === 'ENOENT') throw new UsageError(`${path}: no such file or folder`);
    throw error;
  });
  if (found.isDirectory()) return filesBelow(path, pattern);
  return [path];
}

async function filesBelow(path: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return isSearched(entry.name) ? filesBelow(inside, pattern) : [];
      return pattern.test(entry.name) ? [inside] : [];
    }),
  );
  return found.flat().sort();
}

const isSearched = (folder: string): boolean => folder !== 'node_modules' && !folder.startsWith('.');
