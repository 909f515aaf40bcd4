// Decides which rows are slow, compared with the rows that this worker ran before.
import { latencyBucket, latencyBuckets, bucketMicros } from '../../domain/run/latency-bucket.ts';
import { alwaysSlowMs, minSlowMs } from '../../domain/run/trace-form.ts';

/** Rows between two checks of the histogram; before the first check, only `alwaysSlowMs` counts. */
const rowsBetween = 1000;

export class SlowRows {
  readonly #buckets = new Array<number>(latencyBuckets).fill(0);
  #rows = 0;
  #bound = alwaysSlowMs * 1000;

  /** Records a row's duration. True if the row is slow. */
  recordDuration(micros: number): boolean {
    const bucket = latencyBucket(micros);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#rows += 1;
    if (this.#rows % rowsBetween === 0) this.#updateBound();
    return micros > this.#bound;
  }

  #updateBound(): void {
    let left = this.#rows * 0.01;
    let bucket = latencyBuckets;
    while (left > 0 && bucket > 0) left -= this.#buckets[(bucket -= 1)] ?? 0;
    // The limit is the end of the bucket: rows near the 99th percentile are not slow.
    const bound = Math.max(bucketMicros(bucket + 1), minSlowMs * 1000);
    this.#bound = Math.min(bound, alwaysSlowMs * 1000);
  }
}
