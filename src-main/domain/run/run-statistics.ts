import type { NodeStatistics } from './node-statistics.ts';
import type { Pace } from './pace.ts';

/** How a run's nodes fared in its committed rows, as it is stored with each commit. */
export type RunStatistics = {
  /** Rows that are counted. */
  readonly rows: number;
  readonly nodes: readonly NodeStatistics[];
  readonly pace?: Pace;
};
