// Counts the results of a batch's rows for each node. It costs a few additions per node and row, with or without a trace.
import { addCalls, noCalls, type CallCounts } from '../../domain/results/call-counts.ts';
import { latencyBucket, latencyBuckets } from '../../domain/results/latency-bucket.ts';
import type { NodeStatistics } from '../../domain/results/node-statistics.ts';
import { addTokens, noTokens, type Tokens } from '../../domain/results/tokens.ts';
import { nodeEndCodes, type NodeOutcome, type TraceBuffer } from './trace-buffer.ts';

/** Counts as properties, not in typed arrays, which are ten times slower to write in a hardened realm. */
type Counted = {
  done: number;
  failed: number;
  skipped: number;
  replaced: number;
  retries: number;
  micros: number;
  readonly buckets: number[];
  tokens: Tokens | undefined;
  calls: CallCounts | undefined;
};

export class NodeCounts {
  readonly #nodeIds: readonly string[];
  readonly #nodes: readonly Counted[];

  constructor(nodeIds: readonly string[]) {
    this.#nodeIds = nodeIds;
    this.#nodes = nodeIds.map(() => ({
      done: 0,
      failed: 0,
      skipped: 0,
      replaced: 0,
      retries: 0,
      micros: 0,
      buckets: new Array<number>(latencyBuckets).fill(0),
      tokens: undefined,
      calls: undefined,
    }));
  }

  countRow({ nodes, tokens, callCounts }: TraceBuffer): void {
    if (tokens !== undefined) this.#addTokens(tokens);
    if (callCounts !== undefined) this.#addCalls(callCounts);
    for (let nodeIndex = 0; nodeIndex < nodes.length; nodeIndex += 1) {
      const note = nodes[nodeIndex];
      const counted = this.#nodes[nodeIndex];
      if (note !== undefined && counted !== undefined && note.end < nodeEndCodes.notReached)
        count(counted, note);
    }
  }

  #addTokens(tokens: ReadonlyMap<number, Tokens>): void {
    for (const [nodeIndex, used] of tokens) {
      const counted = this.#nodes[nodeIndex];
      if (counted !== undefined) counted.tokens = addTokens(counted.tokens ?? noTokens, used);
    }
  }

  #addCalls(callCounts: ReadonlyMap<number, CallCounts>): void {
    for (const [nodeIndex, calls] of callCounts) {
      const counted = this.#nodes[nodeIndex];
      if (counted !== undefined) counted.calls = addCalls(counted.calls ?? noCalls, calls);
    }
  }

  /** Statistics of the nodes that at least one row reached. */
  get statistics(): NodeStatistics[] {
    return this.#nodeIds.flatMap((nodeId, nodeIndex) => {
      const counted = this.#nodes[nodeIndex];
      if (counted === undefined) return [];
      const { done, failed, skipped, replaced } = counted;
      return done + failed + skipped + replaced === 0 ? [] : [statisticsOf(nodeId, counted)];
    });
  }
}

const statisticsOf = (nodeId: string, { tokens, calls, buckets, ...counts }: Counted): NodeStatistics => ({
  nodeId,
  ...counts,
  ...(tokens === undefined ? {} : { tokens }),
  ...(calls === undefined ? {} : { calls }),
  buckets: flat(buckets),
});

function count(counted: Counted, { end, micros, attempts, items, calls }: NodeOutcome): void {
  if (end === nodeEndCodes.done) counted.done += 1;
  else if (end === nodeEndCodes.failed) counted.failed += 1;
  else if (end === nodeEndCodes.replaced) counted.replaced += 1;
  else {
    // A node whose value is reused neither ran nor was skipped.
    if (end === nodeEndCodes.skipped) counted.skipped += 1;
    return;
  }
  counted.micros += micros;
  const bucket = latencyBucket(micros);
  counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
  if (attempts > 1) counted.retries += Math.max(0, attempts - Math.max(1, calls, items - 1));
}

function flat(buckets: readonly number[]): number[] {
  const pairs: number[] = [];
  for (let bucket = 0; bucket < buckets.length; bucket += 1) {
    const rows = buckets[bucket] ?? 0;
    if (rows > 0) pairs.push(bucket, rows);
  }
  return pairs;
}
