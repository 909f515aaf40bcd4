// Text files beside workflow files: tests and what they expect.
import { randomUUID, createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve, basename, join, sep } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { utf8Text } from '../base/utf8-text.ts';
import { fileNotSaved } from '../domain/workflow-errors.ts';
import { hasCode, type FileSystem } from './file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { diskReason } from './read-bytes.ts';

/** Fails as the file system does: ENOENT where there is none. Throws `invalid_input` for a file that is not UTF-8. */
export const readTextFile = async (path: string): Promise<string> => utf8Text(await readFile(path), path);

/** The text in pieces. Fails and throws as `readTextFile`. */
export async function* readTextPieces(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>)
      yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Throws an error that names the place, which takes the whole file.
    yield await readTextFile(path);
  }
}

/** Names of what is in a folder. */
export const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder);

export const isFileThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** The file that a write to `path` changes, without links. Throws `invalid_input` for a link out of its folder. */
export async function writtenPath(path: string): Promise<string> {
  const named = resolve(path);
  const target = await findWriteTarget(nodeFileSystem, named, [dirname(named)]);
  if ('problem' in target) throw fileNotSaved(path, target.problem);
  return target.path;
}

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

/** SHA-256 of a text, hexadecimal. */
export const textHash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

// Finds the file that a write beside a workflow changes, so that no link leads the write out of the folders that may be
// written.

/** `path`: the file to write, without links. `problem`: why it must not be written, with the remedy. */
export type WriteTarget = { readonly path: string } | { readonly problem: string };

/**
 * Follows links inside the folders. A link that leads out of them, or to no file, is a problem.
 * @param folders what may be written; they may be links themselves
 */
export async function findWriteTarget(
  fileSystem: FileSystem,
  path: string,
  folders: readonly string[],
): Promise<WriteTarget> {
  try {
    const roots = await Promise.all(folders.map((folder) => fileSystem.realPath(folder)));
    const isInside = (target: string): boolean =>
      roots.some((root) => root !== undefined && isBelow(target, root));
    const folder = await fileSystem.realPath(dirname(path));
    // The caller makes the folder, or fails.
    if (folder === undefined) return { path };
    if (!isInside(join(folder, basename(path)))) return leadsOut(`its folder ${dirname(path)}`, 'folder');
    const target = await fileSystem.realPath(path);
    if (target === undefined)
      return (await fileSystem.list(folder)).includes(basename(path))
        ? leadsNowhere
        : { path: join(folder, basename(path)) };
    return isInside(target) ? { path: target } : leadsOut('it', 'file');
  } catch (error) {
    if (error instanceof AppError) throw error;
    return hasCode(error, 'ELOOP') ? leadsNowhere : { problem: diskReason(error) };
  }
}

/** True for a path below a folder; both without links. */
export const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const leadsNowhere = { problem: 'it is a link that leads to no file. Remove the link' };

const leadsOut = (what: string, kind: 'file' | 'folder') => ({
  problem: `${what} is a link to a ${kind} outside the folders that may be written. Replace the link with a copy of that ${kind}`,
});
