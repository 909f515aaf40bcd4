// Runs one row through the plan's steps. A row whose nodes are all synchronous runs without a promise; the first
// node that waits makes the rest of its row asynchronous, and other rows go on meanwhile.
import type { RowScenario } from '../plan.ts';
import { AttemptRunner, type AttemptDeps } from './attempt-runner.ts';
import { describeThrown } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import type { RowEnd, BatchResultBuilder } from './batch-result-builder.ts';
import { nodeEndCodes, TraceBuffer } from './trace-buffer.ts';
import { RowOutput, type Members } from './row-output.ts';
import { newRowRun, type RowRun, indexInBatch } from './row-run.ts';
import { NodeScheduler } from './node-scheduler.ts';
import { recordNodeEnd, StepRunner } from './step-runner.ts';
import type { CompiledStep } from './compiled-step.ts';
import { latencyBucket, latencyBuckets, bucketMicros } from '../../domain/results/latency-bucket.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import { parseInOrder } from '../../domain/rows/name-order.ts';
import { rowsTraced, rowsWithValues, alwaysSlowMs, minSlowMs } from '../../domain/results/trace-form.ts';
import type { WorkerBatch } from '../protocol.ts';
import { briefLine, failureLine, fullLine, type NodeValue } from './trace-line.ts';

type RowRunnerDeps = AttemptDeps & {
  readonly steps: readonly CompiledStep[];
  /** As NodeScheduler needs them; absent for a workflow whose nodes run one after the other. */
  readonly waits: readonly (readonly number[])[] | undefined;
  readonly scenario: RowScenario;
};

export class RowRunner {
  readonly #deps: RowRunnerDeps;
  readonly #output: RowOutput;
  readonly #tracer: RowTracer;
  readonly #blank: readonly undefined[];
  readonly #attempts: AttemptRunner;
  readonly #stepRunner: StepRunner;
  readonly #scheduler: NodeScheduler | undefined;

  constructor(deps: RowRunnerDeps) {
    this.#deps = deps;
    this.#attempts = new AttemptRunner(deps);
    const stepRunner = new StepRunner({ ...deps, attempts: this.#attempts });
    this.#stepRunner = stepRunner;
    const { waits } = deps;
    this.#scheduler = waits && new NodeScheduler({ ...deps, stepRunner, waits });
    this.#output = new RowOutput(deps.steps);
    this.#tracer = new RowTracer(deps.steps);
    this.#blank = deps.steps.map(() => undefined);
  }

  /** Monotonic time at which a row that has not waited last ran: right afterwards it can be used as the current time. */
  get now(): number {
    return this.#attempts.now;
  }

  /** Runs a row; `text` is its JSON. A failing row never throws. */
  runRow(row: number, text: string, source: Parameters<typeof newRowRun>[0]): RowEnd | Promise<RowEnd> {
    const { steps, scenario, wait, clock } = this.#deps;
    this.#attempts.now = clock.monotonic();
    // The work of a called workflow is traced with the node that called it.
    const trace = source.caller === undefined ? this.#tracer.startRow(source.batch) : undefined;
    const run = newRowRun(source, { row, blank: this.#blank, trace, now: this.#attempts.now });
    if (!this.#readRow(run, text)) return this.#endRow(run);
    if (scenario.slowMs !== undefined)
      return this.#continueRow(run, -1, this.#waitBeforeRow(run, wait(scenario.slowMs, run)));
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index];
      if (step === undefined) break;
      if (step.callsOut && this.#scheduler !== undefined)
        return this.#runConcurrently(this.#scheduler, run, index);
      const later = this.#stepRunner.runNode(step, run);
      if (later !== undefined) return this.#continueRow(run, index, later);
      if (run.failure !== undefined) break;
    }
    return this.#endRow(run);
  }

  /** Parses the row. False for bytes that are not a row, which only a damaged file has. */
  #readRow(run: RowRun, text: string): boolean {
    try {
      run.input = freezeParsed(parseInOrder(text));
      return true;
    } catch (error) {
      this.#failAtStart(run, `the row cannot be read: ${describeThrown(error)}`);
      return false;
    }
  }

  /** Waits before the first node; fails the row if the wait fails. */
  async #waitBeforeRow(run: RowRun, wait: Promise<void>): Promise<void> {
    try {
      await wait;
    } catch (error) {
      this.#failAtStart(run, describeThrown(error));
    }
  }

  #failAtStart(run: RowRun, message: string): void {
    run.failure = { row: run.row, nodeId: this.#deps.steps[0]?.nodeId ?? '', message, attempts: 1 };
    run.attempts = 1;
    recordNodeEnd(run, nodeEndCodes.failed, this.#attempts.now);
  }

  async #continueRow(run: RowRun, index: number, later: Promise<void>): Promise<RowEnd> {
    const { steps, pauseGate } = this.#deps;
    run.hasWaited = true;
    await later;
    for (const step of steps.slice(index + 1)) {
      if (run.failure !== undefined) break;
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      if (step.callsOut && this.#scheduler !== undefined)
        return this.#runConcurrently(this.#scheduler, run, step.nodeIndex);
      await this.#stepRunner.runNode(step, run);
    }
    return this.#endRow(run);
  }

  async #runConcurrently(scheduler: NodeScheduler, run: RowRun, first: number): Promise<RowEnd> {
    await scheduler.runFrom(run, first);
    return this.#endRow(run);
  }

  #endRow(run: RowRun): RowEnd {
    const { retries, failure, failureError } = run;
    const now = run.hasWaited ? this.#deps.clock.monotonic() : this.#attempts.now;
    this.#deps.channel.sendHeartbeatIfDue(now);
    const durationMicros = (now - run.startedAt) * 1000;
    const trace = run.trace && this.#tracer.endRow(run, run.trace, durationMicros);
    if (failure !== undefined) return { failure, error: failureError, retries, durationMicros, trace };
    return { output: this.#output.line(run.members), retries, durationMicros, trace };
  }
}

// Decides how much of a row's trace is stored, and creates the buffers that traces are made of. Who calls: RowRunner, at the
// start and end of each row.

/** A row that has ended, as the runner knows it. */
type EndedRow = {
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

class RowTracer {
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
