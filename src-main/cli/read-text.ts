import { readFile } from 'node:fs/promises';

/** The text of a file that the user named. A failed read names the path, which Node leaves out for a folder. */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}
