// How a run's nodes fared over all its rows: counters, and how long they took as a histogram. Row workers count the
// rows of a portion; everything after them only adds up.
import { z } from 'zod';
import { addCalls, noCalls } from './call-counts.ts';
import { addTokens, noTokens } from './tokens.ts';
import { bucketMicros, latencyBuckets, latencyBucketStart } from './latency-bucket.ts';

const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

export const nodeStatisticsSchema = z.strictObject({
  nodeId: z.string().max(200),
  /** Rows in which the node ended in that way; rows that never came to it are in none. */
  done: count,
  failed: count,
  skipped: count,
  replaced: count,
  /** Attempts beyond the first one. */
  retries: count,
  /** Spent in the node by all rows, waits included. */
  micros: count,
  /** That models have used; absent: none was asked. */
  tokens: z.strictObject({ prompt: count, completion: count }).exactOptional(),
  /** Calls that were answered; absent: none was. */
  calls: z.strictObject({ answered: count, played: count, shared: count.exactOptional() }).exactOptional(),
  /** Rows by the time that the node took, skipped ones left out: a bucket's number, then how many, and so on. */
  buckets: z
    .array(count)
    .max(2 * latencyBuckets)
    .refine((flat) => flat.length % 2 === 0),
});
export type NodeStatistics = z.infer<typeof nodeStatisticsSchema>;

/** The time, in microseconds, that `share` of the rows (0 to 1) took at most; undefined when no row was timed. */
export function quantile({ buckets }: Pick<NodeStatistics, 'buckets'>, share: number): number | undefined {
  let rows = 0;
  for (let at = 1; at < buckets.length; at += 2) rows += buckets[at] ?? 0;
  if (rows === 0) return undefined;
  let left = Math.max(1, Math.ceil(rows * share));
  for (let at = 0; at < buckets.length; at += 2) {
    left -= buckets[at + 1] ?? 0;
    if (left <= 0) return bucketMicros(buckets[at] ?? 0);
  }
  return undefined;
}

/** How many rows took how long, in a few parts of every doubling; only parts that have rows. */
export function latencyOf({ buckets }: Pick<NodeStatistics, 'buckets'>): readonly LatencyPart[] {
  const rows = new Map<number, number>();
  for (let at = 0; at < buckets.length; at += 2) {
    const part = Math.floor((buckets[at] ?? 0) / bucketsPerPart);
    rows.set(part, (rows.get(part) ?? 0) + (buckets[at + 1] ?? 0));
  }
  return [...rows].map(([part, found]) => ({
    fromMicros: latencyBucketStart(part * bucketsPerPart),
    toMicros: latencyBucketStart((part + 1) * bucketsPerPart),
    rows: found,
  }));
}
/** Two parts of a doubling. */
const bucketsPerPart = 4;
type LatencyPart = { readonly fromMicros: number; readonly toMicros: number; readonly rows: number };

/** Sums by node, in the order in which nodes are first met. */
export function addStatistics(lists: readonly (readonly NodeStatistics[])[]): readonly NodeStatistics[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const sums = new Map<string, NodeStatistics>();
  for (const list of lists) {
    for (const node of list) {
      const sum = sums.get(node.nodeId);
      sums.set(node.nodeId, sum === undefined ? node : plus(sum, node));
    }
  }
  return [...sums.values()];
}

const plus = (one: NodeStatistics, other: NodeStatistics): NodeStatistics => ({
  nodeId: one.nodeId,
  done: one.done + other.done,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  replaced: one.replaced + other.replaced,
  retries: one.retries + other.retries,
  micros: one.micros + other.micros,
  ...tokensOf(one, other),
  ...callsOf(one, other),
  buckets: mergedBuckets(one.buckets, other.buckets),
});

const tokensOf = (one: NodeStatistics, other: NodeStatistics): Pick<NodeStatistics, 'tokens'> =>
  one.tokens === undefined && other.tokens === undefined
    ? {}
    : { tokens: addTokens(one.tokens ?? noTokens, other.tokens ?? noTokens) };

const callsOf = (one: NodeStatistics, other: NodeStatistics): Pick<NodeStatistics, 'calls'> =>
  one.calls === undefined && other.calls === undefined
    ? {}
    : { calls: addCalls(one.calls ?? noCalls, other.calls ?? noCalls) };

/** Both are in the order of their buckets. */
function mergedBuckets(one: readonly number[], other: readonly number[]): number[] {
  const merged: number[] = [];
  let left = 0;
  let right = 0;
  while (left < one.length || right < other.length) {
    const low = one[left] ?? Infinity;
    const high = other[right] ?? Infinity;
    merged.push(
      Math.min(low, high),
      (low <= high ? (one[left + 1] ?? 0) : 0) + (high <= low ? (other[right + 1] ?? 0) : 0),
    );
    if (low <= high) left += 2;
    if (high <= low) right += 2;
  }
  return merged;
}
