import { randomBytes } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { UsageError } from './exit-code.ts';
import { systemProblem } from './system-problem.ts';

/** Throws for a file that could not be written in the end: better before the work than after it. */
export async function assertWritable(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) throw new UsageError(`${path} cannot be written: it is a folder`);
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new UsageError(`${path} cannot be written: there is no folder ${folder}`);
    throw notWritable(path, `${folder} cannot be written`);
  });
}

const notWritable = (path: string, reason: string): AppError =>
  new AppError('invalid_input', `${path} cannot be written: ${reason}`);

/**
 * Writes a file whole or not at all: into a neighbour first, which takes the name once everything is on the disk.
 * A reader never sees half a file, and a failure leaves the old one as it was.
 */
export async function writeOutputFile(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx').catch((error: NodeJS.ErrnoException) => {
    // The user named the file, not its draft.
    throw notWritable(path, systemProblem(error) ?? error.message);
  });
  try {
    for await (const piece of pieces) await handle.appendFile(piece, 'utf8');
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => undefined); // closed already when the rename failed
    await rm(draft, { force: true });
    throw error;
  }
}

/** Writes a text that is at hand, whole or not at all. */
export const writeText = (path: string, text: string): Promise<void> => writeOutputFile(path, once(text));

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
