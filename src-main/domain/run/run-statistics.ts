import type { NodeStatistics } from './node-statistics.ts';
import type { Throughput } from './throughput.ts';

/** How a run's nodes fared in its committed rows, as it is stored with each commit. */
export type RunStatistics = {
  /** Rows that are counted. */
  readonly rows: number;
  readonly nodes: readonly NodeStatistics[];
  readonly pace?: Throughput;
};
