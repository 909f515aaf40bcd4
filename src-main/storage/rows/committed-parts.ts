// Row states and traces as their commits vouch for them: each commit's are held against its checksum before anything
// of them is handed out. Commits of older versions have none for them; theirs are read as they are.
import { crc32 } from 'node:zlib';
import { dataUnreadable } from '../../domain/errors.ts';
import { readRowState, rowStateBytes, type RowState } from '../../domain/run/row-state.ts';
import { readBytes, release } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { commitsFrom } from './commits-from.ts';
import { crcOfRange } from './crc-of-range.ts';
import type { StoredCommit } from './output-index.ts';
import type { TraceFile } from './read-traces.ts';
import { outputNames } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';

export type PartSource = {
  readonly index: OpenFile;
  readonly file: OpenFile;
  readonly name: typeof outputNames.states | typeof outputNames.trace;
  /** The run's folder, for messages. */
  readonly label: string;
};

/**
 * A file that commits vouch for, with their index; undefined before the first commit. Throws `data_unreadable`.
 * @param least rows that must be there: of a run that has ended, whose index can no longer be growing
 */
export async function openPart(
  folder: RunFolder,
  name: PartSource['name'],
  least: number,
): Promise<PartSource | undefined> {
  const { rows } = await folder.lastCommit();
  if (rows < least)
    throw dataUnreadable(`${folder.labelOf(outputNames.index)}: ${rows} of ${least} rows are there`);
  // A run that starts makes its files one by one: before its first commit not all of them need be there.
  if (rows === 0) return undefined;
  const index = await folder.open(outputNames.index);
  try {
    return { index, file: await folder.open(name), name, label: folder.label };
  } catch (error) {
    await release(index);
    throw error;
  }
}

export async function closePart({ index, file }: PartSource): Promise<void> {
  await release(file);
  await release(index);
}

/** Positions, from 1. */
export type RowRange = { readonly from: number; readonly to: number };

/** States of committed rows; fewer where there are no more. Throws `data_unreadable`. */
export async function readCommittedStates(
  source: PartSource,
  { from, to }: RowRange,
): Promise<readonly RowState[]> {
  const { index, file, name, label } = source;
  const commits: StoredCommit[] = [];
  if (from <= to)
    for await (const found of commitsFrom({ index, label, fromRow: from })) {
      commits.push(found);
      if (found.commit.rows >= to) break;
    }
  const first = commits[0]?.before.rows ?? 0;
  const bytes = Buffer.allocUnsafe(((commits.at(-1)?.commit.rows ?? first) - first) * rowStateBytes);
  const read = await readBytes(file, bytes, first * rowStateBytes);
  if (read < bytes.length) throw dataUnreadable(`${label}/${name}: it is too short`);
  for (const { commit, before } of commits) {
    const own = bytes.subarray((before.rows - first) * rowStateBytes, (commit.rows - first) * rowStateBytes);
    if (commit.statesCrc !== undefined && crc32(own) !== commit.statesCrc)
      throw damaged(source, { commit, before });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [start, end] = [from - 1 - first, Math.min(to - first, bytes.length / rowStateBytes)];
  return Array.from({ length: Math.max(0, end - start) }, (_, row) =>
    readRowState(view, (start + row) * rowStateBytes),
  );
}

/** @property failed whether commits without a failed row are left out */
export type TracedRows = RowRange & { readonly failed?: true };

/** Where the traces of each commit with rows of that range are, in order. Throws `data_unreadable`. */
export async function* committedTraces(
  source: PartSource,
  { from, to, failed }: TracedRows,
): AsyncGenerator<TraceFile> {
  const { index, file, label } = source;
  for await (const { commit, before } of commitsFrom({ index, label, fromRow: from })) {
    if (before.rows >= to) return;
    const [start, end] = [before.traceBytes, commit.traceBytes];
    if (start === end || (failed && commit.rowsFailed === before.rowsFailed)) continue;
    if (commit.traceCrc !== undefined && (await crcOfRange(file, start, end)) !== commit.traceCrc)
      throw damaged(source, { commit, before });
    yield { file, from: start, to: end };
  }
}

const damaged = (
  { name, label }: PartSource,
  { commit, before }: Pick<StoredCommit, 'commit' | 'before'>,
): Error =>
  dataUnreadable(`${label}/${name}: what it holds of rows ${before.rows + 1} to ${commit.rows} is damaged`);
