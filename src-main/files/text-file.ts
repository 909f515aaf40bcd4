// Text files beside workflow files: tests and what they expect.
import { randomUUID } from 'node:crypto';
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';

/** Fails as the file system does: ENOENT where there is none. */
export const readTextFile = (path: string): Promise<string> => readFile(path, 'utf8');

/** Names of what is in a folder. */
export const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder);

export const isFileThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** Writes a file completely or not at all. Fails as the file system does. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
