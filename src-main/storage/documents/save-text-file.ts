// Replaces a file that the user owns and other programs may change at any time: the whole new text or the old one is there
// after a crash, and a text that another program wrote meanwhile is never lost.
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { utf8Text } from '../../base/utf8-text.ts';
import { diskHasNoRoom } from '../../domain/store-errors.ts';
import { fileNotSaved } from '../../domain/workflow-errors.ts';
import { hasCode, isOfFullDisk, type FileSystem, type OpenFile } from '../../files/file-system.ts';
import { diskReason, readBytes, release } from '../../files/read-bytes.ts';
import { textHash } from '../../files/text-file.ts';
import { type DurableFiles, writeAll } from '../durable/durable-files.ts';

export type SaveResult =
  | {
      readonly kind: 'saved';
      /** The text of another program, where it was written at the same moment and is replaced. */
      readonly replaced?: string;
    }
  /** The file does not have the expected text. `text`: what it has; absent: it is gone. */
  | { readonly kind: 'changed'; readonly text?: string };

type SaveRequest = {
  /** Without links: see `findWriteTarget`. */
  readonly path: string;
  readonly text: string;
  /** SHA-256 of the text that the file must have; absent: there must be no file. */
  readonly expected: string | undefined;
};

type SaveDeps = { readonly fileSystem: FileSystem; readonly files: DurableFiles };

const unsavedName = /^\..+\.rowbench-save$/;
/** The new text of a file until it takes the file's place. The name is fixed, so that a crash leaves at most one. */
const unsavedOf = (path: string): string => join(dirname(path), `.${basename(path)}.rowbench-save`);

/** Removes what a crash has left of saves in a folder. */
export async function clearUnsaved(fileSystem: FileSystem, folder: string): Promise<void> {
  for (const name of await fileSystem.list(folder))
    if (unsavedName.test(name)) await fileSystem.remove(join(folder, name));
}

/**
 * Durable when it resolves. Permissions stay. Throws `disk_full`, or `invalid_input` with the reason;
 * the file has the old text then.
 */
export async function saveTextFile(deps: SaveDeps, request: SaveRequest): Promise<SaveResult> {
  try {
    return request.expected === undefined
      ? await createTextFile(deps, request)
      : await reconnectionTextFile(deps, { ...request, expected: request.expected });
  } catch (error) {
    if (isOfFullDisk(error)) throw diskHasNoRoom(error);
    const isOfText = error instanceof AppError && error.detail.textFault !== undefined;
    if (error instanceof AppError && !isOfText) throw error;
    throw fileNotSaved(basename(request.path), isOfText ? error.message : diskReason(error), error);
  }
}

async function createTextFile(deps: SaveDeps, { path, text }: SaveRequest): Promise<SaveResult> {
  try {
    await deps.files.create(path, Buffer.from(text));
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    return { kind: 'changed', text: await readText(deps.fileSystem, path) };
  }
  await deps.fileSystem.syncFolder(dirname(path));
  return { kind: 'saved' };
}

async function reconnectionTextFile(
  deps: SaveDeps,
  { path, text, expected }: SaveRequest & { readonly expected: string },
): Promise<SaveResult> {
  const { fileSystem } = deps;
  if ((await fileSystem.stat(path)) === undefined) return { kind: 'changed' };
  const old = await fileSystem.open(path, 'read');
  try {
    const before = await textOf(old);
    if (textHash(before) !== expected) return { kind: 'changed', text: before };
    const isReplaced = await writeNewFile(deps, path, text);
    if (!isReplaced) await writeIntoFile(deps, path, { text, before });
    // The old file is still open: a text that was written into it since then shows here.
    const after = isReplaced ? Buffer.from(await bytesOf(old)).toString('utf8') : before;
    return after === before ? { kind: 'saved' } : { kind: 'saved', replaced: after };
  } finally {
    await release(old);
  }
}

/** False if the folder takes no new file. */
async function writeNewFile({ fileSystem, files }: SaveDeps, path: string, text: string): Promise<boolean> {
  const unsaved = unsavedOf(path);
  try {
    await fileSystem.remove(unsaved);
    const file = await fileSystem.open(unsaved, 'create');
    try {
      await fileSystem.copyPermissions(path, unsaved);
      await writeAll(file, Buffer.from(text), 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await files.rename(unsaved, path);
  } catch (error) {
    await fileSystem.remove(unsaved).catch(() => undefined);
    if (hasCode(error, 'EACCES', 'EPERM')) return false;
    throw error;
  }
  await fileSystem.syncFolder(dirname(path));
  return true;
}

/** Not safe from a crash: the caller has stored the old text elsewhere. */
async function writeIntoFile(
  { fileSystem }: SaveDeps,
  path: string,
  { text, before }: { readonly text: string; readonly before: string },
): Promise<void> {
  const file = await fileSystem.open(path, 'write');
  try {
    await overwrite(file, text).catch(async (error: unknown) => {
      await overwrite(file, before);
      throw error;
    });
  } finally {
    await file.close();
  }
}

async function overwrite(file: OpenFile, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await writeAll(file, bytes, 0);
  await file.truncate(bytes.length);
  await file.sync();
}

async function readText(fileSystem: FileSystem, path: string): Promise<string> {
  const file = await fileSystem.open(path, 'read');
  try {
    return await textOf(file);
  } finally {
    await release(file);
  }
}

/** Throws `invalid_input` for a file that is not UTF-8: to replace it would lose what it holds. */
const textOf = async (file: OpenFile): Promise<string> => utf8Text(await bytesOf(file), 'it');

async function bytesOf(file: OpenFile): Promise<Uint8Array> {
  const bytes = Buffer.alloc(await file.size());
  return bytes.subarray(0, await readBytes(file, bytes, 0));
}
