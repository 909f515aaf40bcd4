// Text files beside workflow files: tests and what they expect.
import { readFile, readdir } from 'node:fs/promises';

/** Fails as the file system does: ENOENT where there is none. */
export const readTextFile = (path: string): Promise<string> => readFile(path, 'utf8');

/** Names of what is in a folder. */
export const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder);
