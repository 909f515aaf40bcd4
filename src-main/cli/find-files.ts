import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The path itself when it is a file; else the files below it whose name fits, hidden folders and packages left out. */
export async function findFiles(path: string, pattern: RegExp): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return isSearched(entry.name) ? findFiles(inside, pattern) : [];
      return pattern.test(entry.name) ? [inside] : [];
    }),
  );
  return found.flat().sort();
}

const isSearched = (folder: string): boolean => folder !== 'node_modules' && !folder.startsWith('.');
