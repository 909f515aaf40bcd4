import { addStatistics, type NodeStatistics } from './node-statistics.ts';
import { mergeThroughputs, type Throughput } from './throughput.ts';

/** How a run's nodes fared in its committed rows, as it is stored with each commit. */
export type RunStatistics = {
  /** Rows that are counted. */
  readonly rows: number;
  readonly nodes: readonly NodeStatistics[];
  readonly pace?: Throughput;
};

/** The statistics of all rows of which each entry counts others; undefined for no entries. */
export function addRunStatistics(parts: readonly RunStatistics[]): RunStatistics | undefined {
  const [only] = parts;
  if (only === undefined || parts.length === 1) return only;
  const throughput = mergeThroughputs(parts.flatMap((part) => (part.pace === undefined ? [] : [part.pace])));
  return {
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    nodes: addStatistics(parts.map(({ nodes }) => nodes)),
    ...(throughput === undefined ? {} : { pace: throughput }),
  };
}
