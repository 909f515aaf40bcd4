// How a run's nodes fared in its committed rows, as it is stored with each commit.
import { z } from 'zod';
import { nodeStatisticsSchema, type NodeStatistics } from './node-statistics.ts';
import { paceSchema } from './pace.ts';

export const runStatisticsSchema = z.object({
  /** Rows that are counted. */
  rows: z.number().int().nonnegative(),
  nodes: z.array(nodeStatisticsSchema),
  pace: paceSchema.exactOptional(),
});

export type RunStatistics = Omit<z.infer<typeof runStatisticsSchema>, 'nodes'> & {
  readonly nodes: readonly NodeStatistics[];
};
