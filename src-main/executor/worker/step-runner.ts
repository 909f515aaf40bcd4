// Runs one node for one row: its condition, its items, its attempts, and its `onError`. Who calls: RowRunner.
import type { RowScenario } from '../plan.ts';
import type { AttemptDeps, AttemptRunner } from './attempt-runner.ts';
import { PresetFailureError } from './preset-failure-error.ts';
import { describeThrown, NodeError, toNodeError } from './node-error.ts';
import { nodeEndCodes, type NodeEndCode } from './trace-buffer.ts';
import { membersOf, valueOf, type Members } from './row-output.ts';
import type { RowRun } from './row-run.ts';
import type { CompiledStep } from './compiled-step.ts';

export type StepRunnerDeps = Pick<AttemptDeps, 'clock' | 'pauseGate'> & {
  readonly attempts: AttemptRunner;
  readonly scenario: RowScenario;
};

/** The error of a node, and the error of its `onError` if that failed too. */
type Fault = { readonly error: unknown; readonly onError?: string };

export class StepRunner {
  readonly #deps: StepRunnerDeps;
  readonly #attempts: AttemptRunner;

  constructor(deps: StepRunnerDeps) {
    this.#deps = deps;
    this.#attempts = deps.attempts;
  }

  /** Runs a node to its end, with retries and `onError`. It stores a value, or sets `run.failure`. */
  runNode(step: CompiledStep, run: RowRun): Promise<void> | undefined {
    run.nodeIndex = step.nodeIndex;
    run.attempt = 1;
    run.itemIndex = 0;
    run.item = undefined;
    run.attempts = 0;
    run.nodeStartedAt = run.hasWaited ? this.#deps.clock.monotonic() : this.#attempts.now;
    if (this.#failsByScenario(step, run) || this.#reusesValue(step, run)) return undefined;
    if (step.leavesJobs) return this.#runNodeWithJobs(step, run);
    try {
      this.#failIfPreset(step, run);
      if (step.when !== undefined && !this.#attempts.runSync(step, run, step.when)) {
        recordNodeEnd(run, nodeEndCodes.skipped, run.nodeStartedAt);
        return undefined;
      }
      const value =
        step.each === undefined
          ? this.#attempts.runAttempts(step, run)
          : this.#runItems(step, run, this.#attempts.runSync(step, run, step.each));
      if (value instanceof Promise) return this.#awaitValue(step, run, value);
      this.#storeValue(step, run, value);
      recordNodeEnd(run, nodeEndCodes.done, this.#attempts.now);
    } catch (error) {
      this.#fail(step, run, error);
    }
    return undefined;
  }

  /** Runs a node whose code may leave promise jobs behind. */
  async #runNodeWithJobs(step: CompiledStep, run: RowRun): Promise<void> {
    run.hasWaited = true;
    try {
      this.#failIfPreset(step, run);
      if (step.when !== undefined) {
        const { value } = await this.#attempts.runCode(step, run, step.when);
        if (!value) return recordNodeEnd(run, nodeEndCodes.skipped, this.#deps.clock.monotonic());
      }
      const value = await (step.each === undefined
        ? this.#attempts.runAttempts(step, run)
        : this.#runItems(step, run, (await this.#attempts.runCode(step, run, step.each)).value));
      this.#storeValue(step, run, value);
      recordNodeEnd(run, nodeEndCodes.done, this.#deps.clock.monotonic());
    } catch (error) {
      await this.#failLater(step, run, error);
    }
  }

  /** Fails the row that the scenario names, in the first node after the input, without its retries and `onError`. */
  #failsByScenario({ nodeIndex, nodeId }: CompiledStep, run: RowRun): boolean {
    if (run.row !== this.#deps.scenario.failRow || nodeIndex !== 1) return false;
    run.failure = { row: run.row, nodeId, message: 'scenario fail-row', attempts: 1 };
    run.attempts = 1;
    recordNodeEnd(run, nodeEndCodes.failed, run.nodeStartedAt);
    return true;
  }

  /** Reuses the value that the node had in an earlier run of the row. True if there is one. */
  #reusesValue({ nodeId, nodeIndex }: CompiledStep, run: RowRun): boolean {
    if (run.reusedValues === undefined || !run.reusedValues.has(nodeId)) return false;
    run.values[nodeIndex] = run.reusedValues.get(nodeId);
    recordNodeEnd(run, nodeEndCodes.reused, run.nodeStartedAt);
    return true;
  }

  async #awaitValue(step: CompiledStep, run: RowRun, value: Promise<unknown>): Promise<void> {
    try {
      this.#storeValue(step, run, await value);
      recordNodeEnd(run, nodeEndCodes.done, this.#deps.clock.monotonic());
    } catch (error) {
      await this.#failLater(step, run, error);
    }
  }

  #storeValue(step: CompiledStep, run: RowRun, value: unknown): void {
    if (step.fields === undefined) run.values[step.nodeIndex] = value;
    // Output nodes have no `each`, and their runners return members.
    else this.#storeMembers(step, run, value as Members);
  }

  /** Reads the clock after a node that threw, so that its time does not count for the next node. */
  #readClock(): number {
    this.#attempts.now = this.#deps.clock.monotonic();
    return this.#attempts.now;
  }

  #storeMembers(step: CompiledStep, run: RowRun, members: Members): void {
    run.members[step.nodeIndex] = members;
    if (step.isRead) run.values[step.nodeIndex] = valueOf(members);
  }

  #fail(step: CompiledStep, run: RowRun, error: unknown): void {
    if (step.onError === undefined) return this.#failRow(step, run, { error });
    try {
      this.#storeReplacement(step, run, this.#attempts.runSync(step, run, step.onError));
    } catch (second) {
      this.#failRow(step, run, { error, onError: describeThrown(second) });
    }
  }

  /** Handles an error after a wait or promise jobs, once no code of another row runs. */
  async #failLater(step: CompiledStep, run: RowRun, error: unknown): Promise<void> {
    if (step.onError === undefined) return this.#failRow(step, run, { error });
    try {
      const { value } = await this.#attempts.runCode(step, run, step.onError);
      this.#storeReplacement(step, run, value);
    } catch (second) {
      this.#failRow(step, run, { error, onError: describeThrown(second) });
    }
  }

  #storeReplacement(step: CompiledStep, run: RowRun, value: unknown): void {
    if (step.fields === undefined) run.values[step.nodeIndex] = value;
    else this.#storeMembers(step, run, membersOf(step.fields, value));
    recordNodeEnd(run, nodeEndCodes.replaced, this.#readClock());
  }

  /** Fails the row. */
  #failRow(step: CompiledStep, run: RowRun, { error, onError }: Fault): void {
    const attempts = error instanceof PresetFailureError ? error.attempts : run.attempt;
    const more = onError === undefined ? '' : `; then onError: ${onError}`;
    recordNodeEnd(run, nodeEndCodes.failed, this.#readClock());
    run.failure = {
      row: run.row,
      nodeId: step.nodeId,
      message: `${describeThrown(error)}${more}`,
      attempts,
    };
    run.failureError = toNodeError(error);
  }

  #failIfPreset(step: CompiledStep, run: RowRun): void {
    if (run.batch.presetFailures.length === 0) return;
    const fault = run.batch.presetFailures.find(({ nodeId }) => nodeId === step.nodeId);
    if (fault !== undefined) throw new PresetFailureError(fault);
  }

  /** Runs the node for all items, one after the other. */
  #runItems(
    step: CompiledStep,
    run: RowRun,
    list: unknown,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    if (!Array.isArray(list)) throw new NodeError(`"each" gives ${kindOf(list)}, not a list`);
    const note = run.trace?.nodes[step.nodeIndex];
    if (note !== undefined) note.items = list.length + 1;
    const values: unknown[] = [];
    for (const item of list as unknown[]) {
      const value = this.#runItem(step, run, { item, index: values.length });
      if (value instanceof Promise) return this.#runLaterItems(step, run, { list, values, value });
      values.push(value);
    }
    return Object.freeze(values);
  }

  async #runLaterItems(
    step: CompiledStep,
    run: RowRun,
    { list, values, value }: { list: unknown[]; values: unknown[]; value: Promise<unknown> },
  ): Promise<readonly unknown[]> {
    const { pauseGate } = this.#deps;
    values.push(await value);
    while (values.length < list.length) {
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      values.push(await this.#runItem(step, run, { item: list[values.length], index: values.length }));
    }
    return Object.freeze(values);
  }

  #runItem(step: CompiledStep, run: RowRun, { item, index }: { item: unknown; index: number }): unknown {
    run.item = item;
    run.itemIndex = index;
    run.attempt = 1;
    return this.#attempts.runAttempts(step, run);
  }
}

/** Records the end of the row's current node. */
export function recordNodeEnd(run: RowRun, how: NodeEndCode, now: number): void {
  const note = run.trace?.nodes[run.nodeIndex];
  if (note === undefined) return;
  note.end = how;
  note.micros = Math.max(0, Math.round((now - run.nodeStartedAt) * 1000));
  note.attempts = run.attempts;
}

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
