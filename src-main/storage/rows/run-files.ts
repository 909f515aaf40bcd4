// Names inside a run's folder, and the files that are written while a run executes.
import { rowStateBytes } from '../../domain/run/row-state.ts';
import type { FileSystem, OpenFile } from '../file-system.ts';
import { crcOfRange } from './crc-of-range.ts';
import type { Commit } from './output-index.ts';

export const recordName = 'run.json';
export const rowsName = 'rows.ndjson';
/** Of runs whose rows keep the numbers that they had in another run. */
export const numbersName = 'rows.numbers';
/** Of runs whose rows are given values of nodes: one line a row. */
export const givenName = 'rows.given';

export const outputNames = {
  outputs: 'outputs.ndjson',
  index: 'outputs.index',
  states: 'rows.state',
  trace: 'trace.ndjson',
  statistics0: 'statistics.0',
  statistics1: 'statistics.1',
} as const;

const outputFileNames: ReadonlySet<string> = new Set(Object.values(outputNames));
export const isOutputName = (name: string): boolean => outputFileNames.has(name);

export type OutputFiles = { readonly [K in keyof typeof outputNames]: OpenFile };

/** A run's id as it may appear in a path; anything else never reaches the file system. */
const runIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isRunId = (text: string): boolean => runIdPattern.test(text);

/** Opens them all, making what is missing. */
export async function openOutputFiles(
  fileSystem: FileSystem,
  pathOf: (name: string) => string,
): Promise<OutputFiles> {
  const names = Object.entries(outputNames);
  const opening = await Promise.allSettled(names.map(([, name]) => fileSystem.open(pathOf(name), 'update')));
  const opened = opening.flatMap((open) => (open.status === 'fulfilled' ? [open.value] : []));
  const failed = opening.find((open) => open.status === 'rejected');
  if (failed === undefined)
    return Object.fromEntries(names.map(([key], at) => [key, opened[at]])) as OutputFiles;
  await Promise.all(opened.map((file) => file.close()));
  throw failed.reason;
}

/** Cuts what a commit does not vouch for. */
export async function cutBack(files: OutputFiles, commit: Commit): Promise<void> {
  await cutTo(files.outputs, commit.outputsBytes);
  await cutTo(files.states, commit.rows * rowStateBytes);
  await cutTo(files.trace, commit.traceBytes);
}

async function cutTo(file: OpenFile, size: number): Promise<void> {
  if ((await file.size()) > size) await file.truncate(size);
}

/** Whether everything that a commit vouches for is there, and what it added itself is unchanged. */
export async function holds(
  files: Pick<OutputFiles, 'outputs' | 'states' | 'trace'>,
  commit: Commit,
  before: Commit,
): Promise<boolean> {
  const { outputsCrc, statesCrc, traceCrc } = commit;
  return (
    (await isAdded(files.outputs, before.outputsBytes, { to: commit.outputsBytes, crc: outputsCrc })) &&
    (await isAdded(files.states, before.rows * rowStateBytes, {
      to: commit.rows * rowStateBytes,
      crc: statesCrc,
    })) &&
    (await isAdded(files.trace, before.traceBytes, { to: commit.traceBytes, crc: traceCrc }))
  );
}

/** @param added with no CRC where an older version wrote it */
async function isAdded(
  file: OpenFile,
  from: number,
  { to, crc }: { readonly to: number; readonly crc: number | undefined },
): Promise<boolean> {
  if ((await file.size()) < to) return false;
  return crc === undefined || (await crcOfRange(file, from, to)) === crc;
}
