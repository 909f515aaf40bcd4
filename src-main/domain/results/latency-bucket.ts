// Durations sorted into buckets, a few for every doubling, so that quantiles over millions of rows cost a few numbers.

/** Parts of a doubling: the middle of a bucket is off by 6 % at most. */
const partsBits = 3;
const parts = 2 ** partsBits;
/** Up to 2^32 µs, which is more than an hour; longer times are in the last one. */
export const latencyBuckets = (32 - partsBits + 1) * parts;

/** The bucket of a duration in microseconds. */
export function latencyBucket(micros: number): number {
  if (micros < parts) return Math.max(0, Math.floor(micros));
  const whole = Math.min(micros, 0xffff_ffff) >>> 0;
  const shift = 31 - Math.clz32(whole) - partsBits;
  return (shift << partsBits) + (whole >>> shift);
}

/** Where a bucket begins, in microseconds. */
export function latencyBucketStart(bucket: number): number {
  if (bucket < 2 * parts) return bucket;
  return ((bucket & (parts - 1)) + parts) * 2 ** ((bucket >> partsBits) - 1);
}

/** The middle of a bucket, in microseconds. */
export function bucketMicros(bucket: number): number {
  if (bucket < 2 * parts) return bucket;
  return latencyBucketStart(bucket) + 2 ** ((bucket >> partsBits) - 1) / 2;
}
