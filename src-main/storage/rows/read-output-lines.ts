// Streams a run's committed outputs, each commit's bytes checked against its CRC before they are handed out.
import { crc32 } from 'node:zlib';
import { countLines } from '../../domain/rows/line-bytes.ts';
import { dataUnreadable } from '../../domain/errors.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { commitsFrom, type CommitRange } from './commits-from.ts';
import type { StoredCommit } from './output-index.ts';
import { outputNames } from './run-files.ts';
import { wholeLines } from './whole-lines.ts';

export type OutputSource = CommitRange & {
  readonly outputs: OpenFile;
  /** Small commits are gathered up to about this size, and larger ones come in pieces of it. */
  readonly chunkBytes: number;
  /** Lines too large to be held come in several pieces. */
  readonly mayCut?: boolean | undefined;
};

export async function* readOutputLines(
  source: OutputSource,
): AsyncGenerator<{ firstRow: number; bytes: Uint8Array }> {
  let gathered: StoredCommit[] = [];
  for await (const found of commitsFrom(source)) {
    if (sizeOf([...gathered, found]) > mostBytesHeld) {
      if (gathered.length > 0) yield await readGathered(source, gathered);
      gathered = [];
    }
    if (sizeOf([found]) > mostBytesHeld) {
      yield* readInPieces(source, found);
      continue;
    }
    gathered.push(found);
    if (sizeOf(gathered) >= source.chunkBytes) {
      yield await readGathered(source, gathered);
      gathered = [];
    }
  }
  if (gathered.length > 0) yield await readGathered(source, gathered);
}

/** What one reader may hold. Commits of rows with large outputs are larger, and there can be many readers. */
const mostBytesHeld = 1024 * 1024;

const sizeOf = (commits: readonly StoredCommit[]): number =>
  (commits.at(-1)?.commit.outputsBytes ?? 0) - (commits[0]?.before.outputsBytes ?? 0);

async function readGathered(
  { outputs, label }: OutputSource,
  commits: readonly StoredCommit[],
): Promise<{ firstRow: number; bytes: Uint8Array }> {
  const start = commits[0]?.before ?? { rows: 0, outputsBytes: 0 };
  const bytes = Buffer.allocUnsafe(sizeOf(commits));
  const read = await readBytes(outputs, bytes, start.outputsBytes);
  for (const { commit, before } of commits) {
    const own = bytes.subarray(
      before.outputsBytes - start.outputsBytes,
      commit.outputsBytes - start.outputsBytes,
    );
    if (read < bytes.length || crc32(own) !== commit.outputsCrc) throw damaged(label, { commit, before });
  }
  return { firstRow: start.rows + 1, bytes };
}

/** One commit too large to be held: its bytes are checked first, then read once more to be handed out. */
async function* readInPieces(
  { outputs, label, chunkBytes, mayCut }: OutputSource,
  { commit, before }: StoredCommit,
): AsyncGenerator<{ firstRow: number; bytes: Uint8Array }> {
  const piece = Buffer.allocUnsafe(chunkBytes);
  let crc = 0;
  for (let at = before.outputsBytes; at < commit.outputsBytes; at += chunkBytes) {
    const wanted = piece.subarray(0, Math.min(chunkBytes, commit.outputsBytes - at));
    const read = await readBytes(outputs, wanted, at);
    crc = crc32(wanted.subarray(0, read), crc);
  }
  if (crc !== commit.outputsCrc) throw damaged(label, { commit, before });
  let firstRow = before.rows + 1;
  for await (const bytes of wholeLines(outputs, {
    from: before.outputsBytes,
    to: commit.outputsBytes,
    chunkBytes,
    mayCut,
  })) {
    yield { firstRow, bytes };
    firstRow += countLines(bytes);
  }
}

const damaged = (label: string, { commit, before }: Pick<StoredCommit, 'commit' | 'before'>): Error =>
  dataUnreadable(`${label}/${outputNames.outputs}: rows ${before.rows + 1} to ${commit.rows} are damaged`);
