import { release } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { outputNames } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';
import { readStatistics, type RunStatistics } from './statistics-file.ts';

/**
 * The statistics of a run's committed rows. Undefined where there are none, or those of the last rows are damaged.
 * Throws `data_unreadable`.
 * @param rows of a run that has ended: while rows come and go the statistics may be a commit behind, or before
 */
export async function statisticsIn(
  folder: RunFolder,
  rows: number | undefined,
): Promise<RunStatistics | undefined> {
  const upTo = rows ?? (await folder.lastCommit()).rows;
  const first = await folder.openIfThere(outputNames.statistics0);
  let second: OpenFile | undefined;
  try {
    second = await folder.openIfThere(outputNames.statistics1);
    const found = (await readStatistics([first, second], upTo))?.statistics;
    return rows !== undefined && found?.upTo !== rows ? undefined : found;
  } finally {
    for (const file of [first, second]) if (file !== undefined) await release(file);
  }
}
