// Runs one node for one row: its condition, its items, its attempts, and its `onError`. Who calls: RowRunner.
import type { RowScenario } from '../plan.ts';
import type { PresetFailure } from '../protocol.ts';
import type { AttemptDeps, AttemptRunner } from './attempt-runner.ts';
import { FallbackRunner } from './fallback-runner.ts';
import { ItemRunner } from './item-runner.ts';
import { RepeatRunner } from './repeat-runner.ts';
import { describeThrown, NodeError, toNodeError } from './node-error.ts';
import { nodeEndCodes, type NodeEndCode } from './trace-buffer.ts';
import { membersOf, valueOf, type Members } from './row-output.ts';
import { isAbandoned, type RowRun } from './row-run.ts';
import type { CompiledStep } from './compiled-step.ts';

type StepRunnerDeps = Pick<AttemptDeps, 'clock' | 'pauseGate' | 'countLanes' | 'wait'> & {
  readonly attempts: AttemptRunner;
  readonly scenario: RowScenario;
};

export class StepRunner {
  readonly #deps: StepRunnerDeps;
  readonly #attempts: AttemptRunner;
  readonly #fallback: FallbackRunner;
  readonly #calls: RepeatRunner;
  readonly #items: ItemRunner;

  constructor(deps: StepRunnerDeps) {
    this.#deps = deps;
    this.#attempts = deps.attempts;
    this.#fallback = new FallbackRunner(deps.attempts);
    this.#calls = new RepeatRunner({ ...deps, fallback: this.#fallback });
    this.#items = new ItemRunner({ ...deps, calls: this.#calls, fallback: this.#fallback });
  }

  /** Runs a node to its end, with retries and `onError`. It stores a value, or sets `run.failure`. */
  runNode(step: CompiledStep, run: RowRun): Promise<void> | undefined {
    run.nodeIndex = step.nodeIndex;
    run.attempt = 1;
    run.itemIndex = 0;
    run.item = undefined;
    run.hasItem = false;
    run.error = undefined;
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
          ? this.#calls.run(step, run)
          : this.#items.runItems(step, run, this.#attempts.runSync(step, run, step.each));
      if (value instanceof Promise) return this.#awaitValue(step, run, value);
      this.#storeValue(step, run, value);
      recordNodeEnd(run, doneOrReplaced(run), this.#attempts.now);
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
        ? this.#calls.run(step, run)
        : this.#items.runItems(step, run, (await this.#attempts.runCode(step, run, step.each)).value));
      this.#storeValue(step, run, value);
      recordNodeEnd(run, doneOrReplaced(run), this.#deps.clock.monotonic());
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
      recordNodeEnd(run, doneOrReplaced(run), this.#deps.clock.monotonic());
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
    try {
      this.#storeReplacement(step, run, this.#fallback.runSync(step, run, error));
    } catch (last) {
      this.#failRow(step, run, toNodeError(last));
    }
  }

  /** Handles an error after a wait or promise jobs, once no code of another row runs. */
  async #failLater(step: CompiledStep, run: RowRun, error: unknown): Promise<void> {
    try {
      this.#storeReplacement(step, run, await this.#fallback.runLater(step, run, error));
    } catch (last) {
      this.#failRow(step, run, toNodeError(last));
    }
  }

  #storeReplacement(step: CompiledStep, run: RowRun, value: unknown): void {
    if (step.fields === undefined) run.values[step.nodeIndex] = value;
    else this.#storeMembers(step, run, membersOf(step.fields, value));
    recordNodeEnd(run, nodeEndCodes.replaced, this.#readClock());
  }

  /** Fails the row. */
  #failRow(step: CompiledStep, run: RowRun, error: NodeError): void {
    // It went no further, so that it has no end of its own.
    if (isAbandoned(run)) return;
    recordNodeEnd(run, nodeEndCodes.failed, this.#readClock());
    const attempts = error.attempts ?? run.attempt;
    run.failure = { row: run.row, nodeId: step.nodeId, message: describeThrown(error), attempts };
    run.failureError = error;
  }

  #failIfPreset(step: CompiledStep, run: RowRun): void {
    if (run.batch.presetFailures.length === 0) return;
    const fault = run.batch.presetFailures.find(({ nodeId }) => nodeId === step.nodeId);
    if (fault !== undefined) throw new PresetFailureError(fault);
  }
}

/** The end of a node that has its value: `replaced` if `onError` gave an item of it. */
const doneOrReplaced = ({ trace, nodeIndex }: RowRun): NodeEndCode =>
  (trace?.nodes[nodeIndex]?.replacedItems ?? 0) > 0 ? nodeEndCodes.replaced : nodeEndCodes.done;

/** Records the end of the row's current node. */
export function recordNodeEnd(run: RowRun, how: NodeEndCode, now: number): void {
  const note = run.trace?.nodes[run.nodeIndex];
  if (note === undefined) return;
  note.end = how;
  note.micros = Math.max(0, Math.round((now - run.nodeStartedAt) * 1000));
  note.attempts = run.attempts;
}

/** Fails a node at once, because an earlier try of the row lost its worker at this node. */
class PresetFailureError extends NodeError {
  override readonly attempts: number;

  constructor(failure: PresetFailure) {
    super(failure.message);
    this.attempts = failure.attempts;
  }
}
