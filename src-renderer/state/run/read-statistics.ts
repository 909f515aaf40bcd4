// Statistics of columns of a run. The server reads the run only while this page asks.
import type { Call, ColumnStatistics, ReadProgress, StatisticsInput } from '#contract';

type ReadOptions = {
  /** Asked before each request: false ends the reading. */
  readonly isNeeded: () => boolean;
  readonly onProgress?: (progress: ReadProgress) => void;
};

/** Undefined if the reading was ended. Rejects as the server does. */
export async function readStatistics(
  call: Call,
  input: StatisticsInput,
  { isNeeded, onProgress }: ReadOptions,
): Promise<readonly ColumnStatistics[] | undefined> {
  while (isNeeded()) {
    const step = await call('run.statistics', input);
    if (step.isReady) return step.statistics;
    onProgress?.(step);
  }
  return undefined;
}

/** Part of the rows that has been read, 0 to 1. */
export const shareRead = ({ rowsRead, rows }: Pick<ReadProgress, 'rowsRead' | 'rows'>): number =>
  rowsRead / Math.max(1, rows);
