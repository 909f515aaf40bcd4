// Streams a run's committed outputs, each commit's bytes checked against its CRC before they are handed out.
import { crc32 } from 'node:zlib';
import { dataUnreadable } from '../../domain/errors.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { readCommits, type StoredCommit } from './output-index.ts';
import { outputNames } from './run-files.ts';

export type OutputSource = {
  readonly index: OpenFile;
  readonly outputs: OpenFile;
  /** The run's folder, for messages. */
  readonly label: string;
  /** Small commits are gathered up to about this size; one commit is never divided. */
  readonly chunkBytes: number;
};

export async function* readOutputLines(
  source: OutputSource,
): AsyncGenerator<{ firstRow: number; bytes: Uint8Array }> {
  let gathered: StoredCommit[] = [];
  for await (const found of readCommits(source.index)) {
    if (found.kind === 'bad') {
      throw dataUnreadable(`${source.label}/${outputNames.index}: line ${found.line} is damaged`);
    }
    // Else the last line is torn: a commit under way, or one that a crash prevented.
    if (found.kind !== 'commit') break;
    gathered.push(found);
    if (sizeOf(gathered) >= source.chunkBytes) {
      yield await readGathered(source, gathered);
      gathered = [];
    }
  }
  if (gathered.length > 0) yield await readGathered(source, gathered);
}

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
    if (read < bytes.length || crc32(own) !== commit.outputsCrc) {
      throw dataUnreadable(
        `${label}/${outputNames.outputs}: rows ${before.rows + 1} to ${commit.rows} are damaged`,
      );
    }
  }
  return { firstRow: start.rows + 1, bytes };
}
