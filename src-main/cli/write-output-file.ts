import { randomBytes } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { maxExportColumns } from '../domain/rows/export/export-options.ts';
import { outputFormatOfName, type OutputFormat } from '../domain/rows/export/output-writer.ts';
import { outputsTooWide } from '../domain/run-errors.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import { outputText } from '../services/results/output-text.ts';
import { UsageError, systemProblem } from './exit-code.ts';
import type { Terminal } from './terminal/terminal.ts';

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

/**
 * Writes the outputs of a run that no data folder stores. They are not lost if CSV cannot hold them: the user may have
 * paid for the calls that made them.
 */
export type OutputOptions = { readonly format?: OutputFormat; readonly out?: string };

/** The format named, else the one that the output file's name tells. Throws a UsageError where that tells none. */
export function formatOf({ format, out }: OutputOptions): OutputFormat {
  if (format !== undefined) return format;
  if (out === undefined) return 'json';
  const byName = outputFormatOfName(out);
  if (byName !== undefined) return byName;
  throw new UsageError(
    `the name "${out}" tells no format: end it in .json, .ndjson, .jsonl or .csv, or name one with --format`,
  );
}

/**
 * Writes to the file, else to standard output. Outputs that CSV cannot hold are written as NDJSON, to a file beside the
 * named one; then it throws `invalid_input`, which names that file.
 * @param read the run's outputs, from the first row each time
 */
export async function writeRunOutputs(
  terminal: Terminal,
  read: () => AsyncIterable<RowLines>,
  options: OutputOptions,
): Promise<void> {
  const format = formatOf(options);
  try {
    await write(terminal, outputText(read, format), options.out);
  } catch (error) {
    if (format !== 'csv' || !(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    const instead = options.out === undefined ? undefined : `${options.out}.ndjson`;
    await write(terminal, outputText(read, 'ndjson'), instead);
    throw outputsTooWide(maxExportColumns, instead);
  }
}

async function write(
  terminal: Terminal,
  pieces: AsyncIterable<string>,
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) return writeOutputFile(out, pieces);
  for await (const text of pieces) await terminal.out(text, 'data');
}
