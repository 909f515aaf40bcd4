import { addStatistics, type NodeStatistics } from './node-statistics.ts';

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

// Rows that a run finished over time, counted in equal stretches of time. Stretches grow with the length of the run.
export type Throughput = {
  /** Wall clock at the beginning of the first stretch, in ms. */
  readonly startMs: number;
  readonly everyMs: number;
  /** Rows that ended in each stretch, up to the last stretch that has any; `maxStretches` entries at most. */
  readonly rows: readonly number[];
};

/** First length of a stretch, in ms; it doubles whenever the run would have more than `maxStretches`. */
const shortestMs = 100;
const maxStretches = 240;

export const throughputFrom = (startMs: number): Throughput => ({ startMs, everyMs: shortestMs, rows: [] });

/** The pace after so many more rows have finished at that time; a clock that was put back changes no earlier stretch. */
export function addToThroughput(before: Throughput, atMs: number, rows: number): Throughput {
  let { everyMs } = before;
  let counts = [...before.rows];
  const sinceMs = Math.max(0, atMs - before.startMs);
  while (Math.floor(sinceMs / everyMs) >= maxStretches) {
    everyMs *= 2;
    counts = Array.from(
      { length: Math.ceil(counts.length / 2) },
      (_, at) => (counts[2 * at] ?? 0) + (counts[2 * at + 1] ?? 0),
    );
  }
  const at = Math.max(Math.floor(sinceMs / everyMs), counts.length - 1);
  while (counts.length <= at) counts.push(0);
  counts[at] = (counts[at] ?? 0) + rows;
  return { startMs: before.startMs, everyMs, rows: counts };
}

/** The throughput of rows that ran at the same time in several places. */
function mergeThroughputs(all: readonly Throughput[]): Throughput | undefined {
  const [only] = all;
  if (only === undefined || all.length === 1) return only;
  const counted = all
    .flatMap(({ startMs, everyMs, rows }) =>
      rows.map((ended, at) => ({ atMs: startMs + at * everyMs, ended })).filter(({ ended }) => ended > 0),
    )
    .sort((one, other) => one.atMs - other.atMs);
  let sum = throughputFrom(Math.min(...all.map(({ startMs }) => startMs)));
  for (const { atMs, ended } of counted) sum = addToThroughput(sum, atMs, ended);
  return sum;
}
