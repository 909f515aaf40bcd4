import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bucketMicros,
  latencyBucket,
  latencyBuckets,
} from '../../../../src-main/domain/results/latency-bucket.ts';
import {
  addStatistics,
  quantile,
  type NodeStatistics,
} from '../../../../src-main/domain/results/node-statistics.ts';

it('a duration is in the bucket whose middle it is near to', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (micros) => {
      const bucket = latencyBucket(micros);
      expect(bucket).toBeLessThan(latencyBuckets);
      expect(Math.abs(bucketMicros(bucket) - micros)).toBeLessThanOrEqual(0.063 * micros + 0.5);
    }),
  );
  expect(latencyBucket(1e15)).toBe(latencyBuckets - 1);
});

it('buckets are in the order of durations', () => {
  const middles = Array.from({ length: latencyBuckets }, (_, bucket) => bucketMicros(bucket));
  expect(middles).toEqual([...middles].sort((one, other) => one - other));
  expect(middles.map((micros) => latencyBucket(micros))).toEqual(middles.map((_, bucket) => bucket));
});

const timed = (durations: readonly number[]): NodeStatistics => {
  const rows = new Map<number, number>();
  for (const micros of durations) rows.set(latencyBucket(micros), (rows.get(latencyBucket(micros)) ?? 0) + 1);
  const buckets = [...rows].sort(([one], [other]) => one - other).flat();
  const none = { failed: 0, skipped: 0, replaced: 0, retries: 0, micros: 0 };
  return { nodeId: 'a', done: durations.length, ...none, buckets };
};

it('sums are those of all rows together, in whatever parts they came', () => {
  const durations = fc.array(fc.array(fc.nat(5_000_000), { maxLength: 30 }), { maxLength: 6 });
  fc.assert(
    fc.property(durations, (parts) => {
      const [sum] = addStatistics([[timed([])], ...parts.map((part) => [timed(part)])]);
      expect(sum).toEqual(timed(parts.flat()));
    }),
  );
});

it('tokens add up, to no more than can be counted', () => {
  const used = (prompt: number): NodeStatistics => ({ ...timed([]), tokens: { prompt, completion: 1 } });
  expect(addStatistics([[used(2)], [timed([])], [used(3)]])[0]?.tokens).toEqual({ prompt: 5, completion: 2 });
  expect(addStatistics([[used(Number.MAX_SAFE_INTEGER)], [used(3)]])[0]?.tokens?.prompt).toBe(
    Number.MAX_SAFE_INTEGER,
  );
  expect(addStatistics([[timed([])], [timed([])]])[0]).not.toHaveProperty('tokens');
});

it('a quantile is what that share of the rows took at most', () => {
  const node = timed(Array.from({ length: 1000 }, (_, index) => (index + 1) * 100));
  expect(quantile(node, 0.5)).toBeGreaterThan(47_000);
  expect(quantile(node, 0.5)).toBeLessThan(53_000);
  expect(quantile(node, 0.99)).toBeGreaterThan(93_000);
  expect(quantile(timed([]), 0.5)).toBeUndefined();
});
