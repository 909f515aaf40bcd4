// Puts a run's output files in order before it goes on: finds the last commit that everything vouches for.
// Who calls: OutputFile, once a run and process. After it, the index ends with the commit that it returns.
import { dirname } from 'node:path';
import { corruptSuffix } from '../durable/json-file.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { readWhole } from '../durable/read-bytes.ts';
import { noCommit, readCommits, type Commit, type IndexFlaw, type StoredCommit } from './output-index.ts';
import { holds, type OutputFiles } from './run-files.ts';

export type IndexPlace = {
  readonly parts: StoreParts;
  readonly files: OutputFiles;
  readonly indexPath: string;
  /** For messages: the index relative to the data folder. */
  readonly label: string;
};

export async function findLastCommit(place: IndexPlace): Promise<{ commit: Commit; indexBytes: number }> {
  for (let isNewest = true; ; isNewest = false) {
    const { last, flaw } = await scan(place);
    if (flaw !== undefined) await dropFrom(place, flaw);
    if (last === undefined) return { commit: noCommit, indexBytes: 0 };
    if (await holds(place.files, last.commit, last.before)) {
      return { commit: last.commit, indexBytes: last.lineEnd };
    }
    const rows = `rows ${last.before.rows + 1} to ${last.commit.rows}`;
    // Of the newest a power cut leaves what the disk had come to: that is no damage, and nobody was told of these rows.
    if (isNewest) place.parts.log.info({}, `${place.label}: ${rows} were being written; they run again`);
    else place.parts.report(`${place.label}: the outputs of ${rows} are damaged; these rows run again.`);
    await cutIndex(place, last.lineStart);
  }
}

async function scan({ files }: IndexPlace): Promise<{ last?: StoredCommit; flaw?: IndexFlaw }> {
  let last: StoredCommit | undefined;
  for await (const found of readCommits(files.index)) {
    if (found.kind !== 'commit') return { ...(last === undefined ? {} : { last }), flaw: found };
    last = found;
  }
  return last === undefined ? {} : { last };
}

/** An incomplete last line is what a crash leaves: it is cut. Anything else is evidence, and kept beside. */
async function dropFrom(place: IndexPlace, flaw: IndexFlaw): Promise<void> {
  if (flaw.kind === 'bad') {
    const { parts, indexPath, label } = place;
    const suffix = corruptSuffix(parts.clock);
    const bytes = (await readWhole(parts.fileSystem, indexPath)) ?? new Uint8Array();
    await parts.files.replace(indexPath + suffix, bytes, { keepPrevious: false });
    await parts.fileSystem.syncFolder(dirname(indexPath));
    parts.report(
      `${label}: line ${flaw.line} is damaged. It was kept as ${label}${suffix}; the rows from there on run again.`,
    );
  }
  await cutIndex(place, flaw.at);
}

async function cutIndex({ files }: IndexPlace, size: number): Promise<void> {
  await files.index.truncate(size);
  await files.index.sync();
}
