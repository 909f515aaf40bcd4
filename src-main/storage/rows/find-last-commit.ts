// Puts a run's output files in order before it goes on: finds the last commit that everything vouches for.
// Who calls: OutputFile, once a run and process. After it, the index ends with the commit that it returns.
import { dirname } from 'node:path';
import { corruptSuffix } from '../durable/json-file.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { readWhole } from '../durable/read-bytes.ts';
import { noCommit, readCommits, type Commit, type IndexFlaw, type StoredCommit } from './output-index.ts';
import { holds, type OutputFiles } from './run-files.ts';
import { readStatistics } from './statistics-file.ts';

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
    // Nothing was begun after it: it may have been under way when the power was cut, which leaves what the disk had come to.
    const mayBePart = isNewest && flaw === undefined;
    const isWhole = await holds(place.files, last.commit, last.before);
    if (isWhole && !(mayBePart && (await lacksStatistics(place.files, last))))
      return { commit: last.commit, indexBytes: last.lineEnd };
    const rows = `rows ${last.before.rows + 1} to ${last.commit.rows}`;
    if (mayBePart) place.parts.log.info({}, `${place.label}: ${rows} were being written; they run again`);
    else place.parts.report(`${place.label}: the outputs of ${rows} are damaged; these rows run again.`);
    await cutIndex(place, last.lineStart);
  }
}

/** No line vouches for them. Where they are damaged, or an older version kept none, counting starts anew. */
async function lacksStatistics(
  { statistics0, statistics1 }: OutputFiles,
  { commit, before }: StoredCommit,
): Promise<boolean> {
  if (commit.statesCrc === undefined) return false;
  const found = await readStatistics([statistics0, statistics1], commit.rows);
  if (found !== undefined) return found.statistics.upTo === before.rows;
  return before.rows === 0 && (await statistics0.size()) + (await statistics1.size()) === 0;
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
