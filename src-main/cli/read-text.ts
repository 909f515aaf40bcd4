import { readFile } from 'node:fs/promises';
import { utf8Text } from '../base/utf8-text.ts';

/**
 * The text of a file that the user named. A failed read names the path, which Node leaves out for a folder. Throws
 * `invalid_input` for a file that is not UTF-8.
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  });
  return utf8Text(bytes, path);
}
