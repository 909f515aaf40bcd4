// Decides how much of a row's trace is stored, and creates the buffers that traces are made of. Who calls: RowRunner, at the
// start and end of each row.
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { rowsTraced, rowsWithValues } from '../../domain/run/trace-form.ts';
import type { WorkerBatch } from '../protocol.ts';
import type { BatchResultBuilder } from './batch-result-builder.ts';
import { TraceBuffer } from './trace-buffer.ts';
import { indexInBatch } from './row-run.ts';
import type { Members } from './row-output.ts';
import { SlowRows } from './slow-rows.ts';
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
};

export class RowTracer {
  readonly #steps: readonly CompiledStep[];
  readonly #slow = new SlowRows();

  constructor(steps: readonly CompiledStep[]) {
    this.#steps = steps;
  }

  startRow({ detail }: WorkerBatch): TraceBuffer {
    return new TraceBuffer(this.#steps.length, detail !== 'failures');
  }

  /** Counts the row. Returns its line of the trace, or undefined if none is stored. */
  endRow(ended: EndedRow, notes: TraceBuffer, durationMicros: number): string | undefined {
    ended.results.countRow(indexInBatch(ended), notes);
    const line = this.#line(ended, notes, this.#slow.recordDuration(durationMicros));
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
