// Runs one row through the plan's steps. A row whose nodes are all synchronous runs without a promise; the first
// node that waits makes the rest of its row asynchronous, and other rows go on meanwhile.
import type { RowScenario } from '../plan.ts';
import { AttemptRunner, type AttemptDeps } from './attempt-runner.ts';
import { describeThrown } from './node-error.ts';
import { freezeParsed } from './plain-value.ts';
import type { RowEnd } from './batch-result-builder.ts';
import { nodeEndCodes } from './trace-buffer.ts';
import { RowOutput } from './row-output.ts';
import { newRowRun, type RowRun, type RowSource } from './row-run.ts';
import { NodeScheduler } from './node-scheduler.ts';
import { RowTracer } from './row-tracer.ts';
import { recordNodeEnd, StepRunner } from './step-runner.ts';
import type { CompiledStep } from './compiled-step.ts';

export type RowRunnerDeps = AttemptDeps & {
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
  runRow(row: number, text: string, source: RowSource): RowEnd | Promise<RowEnd> {
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
      run.input = freezeParsed(JSON.parse(text));
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
