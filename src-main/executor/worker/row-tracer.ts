// Decides how much of a row's trace is stored, and creates the buffers that traces are made of. Who calls: RowRunner, at the
// start and end of each row.
import { latencyBucket, latencyBuckets, bucketMicros } from '../../domain/results/latency-bucket.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowsTraced, rowsWithValues, alwaysSlowMs, minSlowMs } from '../../domain/results/trace-form.ts';
import type { WorkerBatch } from '../protocol.ts';
import type { BatchResultBuilder } from './batch-result-builder.ts';
import { TraceBuffer } from './trace-buffer.ts';
import { indexInBatch } from './row-run.ts';
import type { Members } from './row-output.ts';
import type { CompiledStep } from './compiled-step.ts';
import { briefLine, failureLine, fullLine, type NodeValue } from './trace-line.ts';

/** A row that has ended, as the runner knows it. */
export type EndedRow = {
  readonly row: number;
  /** Position among the run's rows, from 1; the first rows get more detailed traces. */
  readonly position: number;
  readonly batch: WorkerBatch;
  readonly results: BatchResultBuilder;
  readonly failure: RowFailure | undefined;
  /** Indexed by node, in the order of the plan. */
  readonly values: readonly unknown[];
  readonly members: readonly (Members | undefined)[];
  readonly hasWaited: boolean;
};

export class RowTracer {
  readonly #steps: readonly CompiledStep[];
  readonly #slow = new SlowRows();
  /** The buffer of a row that has ended. */
  #recycled: TraceBuffer | undefined;

  constructor(steps: readonly CompiledStep[]) {
    this.#steps = steps;
  }

  startRow({ detail }: WorkerBatch): TraceBuffer {
    const notes = this.#recycled ?? new TraceBuffer(this.#steps.length);
    this.#recycled = undefined;
    notes.begin(detail !== 'failures');
    return notes;
  }

  /** Counts the row. Returns its line of the trace, or undefined if none is stored. */
  endRow(ended: EndedRow, notes: TraceBuffer, durationMicros: number): string | undefined {
    const isRetained = ended.results.countRow(indexInBatch(ended), notes);
    const line = this.#line(ended, notes, this.#slow.recordDuration(durationMicros));
    // Attempts that a row gave up while it waited may still write into its buffer. A row whose code leaves jobs waits.
    if (!isRetained && !ended.hasWaited) this.#recycled = notes;
    return line;
  }

  #line(ended: EndedRow, notes: TraceBuffer, isSlow: boolean): string | undefined {
    const { row, position, failure, batch } = ended;
    if (batch.detail === 'failures') return failure && failureLine(failure);
    const traced = { row, failure, notes };
    if (failure !== undefined || position <= rowsWithValues || batch.detail === 'full')
      return fullLine(traced, (nodeIndex) => this.#valueOf(ended, nodeIndex));
    return position <= rowsTraced || isSlow ? briefLine(traced) : undefined;
  }

  #valueOf({ values, members }: EndedRow, nodeIndex: number): NodeValue {
    if (this.#steps[nodeIndex]?.fields === undefined) {
      const value = values[nodeIndex];
      return value === undefined ? undefined : { value };
    }
    const own = members[nodeIndex];
    return own === undefined ? undefined : { json: `{${own}}` };
  }
}

// Decides which rows are slow, compared with the rows that this worker ran before.

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
