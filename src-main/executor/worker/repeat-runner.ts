// Runs the call of a node: once, or with `repeat` again and again. `retry` and `onError` apply to each call.
// Who calls: StepRunner, and ItemRunner for each item.
import type { AttemptDeps, AttemptRunner } from './attempt-runner.ts';
import type { CompiledRepeat, CompiledStep } from './compiled-step.ts';
import type { FallbackRunner } from './fallback-runner.ts';
import { NodeError, RepeatedCallError, toNodeError } from './node-error.ts';
import type { RowRun } from './row-run.ts';

type RepeatRunnerDeps = Pick<AttemptDeps, 'pauseGate' | 'wait'> & {
  readonly attempts: AttemptRunner;
  readonly fallback: FallbackRunner;
};

type RepeatingStep = { readonly step: CompiledStep; readonly repeat: CompiledRepeat };

export class RepeatRunner {
  readonly #deps: RepeatRunnerDeps;
  readonly #attempts: AttemptRunner;

  constructor(deps: RepeatRunnerDeps) {
    this.#deps = deps;
    this.#attempts = deps.attempts;
  }

  /** The value of the node or item, or a promise of it. */
  run(step: CompiledStep, run: RowRun): unknown {
    const { repeat } = step;
    return repeat === undefined
      ? this.#attempts.runAttempts(step, run)
      : this.#runRepeated({ step, repeat }, run);
  }

  async #runRepeated(repeating: RepeatingStep, run: RowRun): Promise<unknown> {
    try {
      return await this.#runCalls(repeating, run);
    } finally {
      run.round = 0;
      run.previous = undefined;
    }
  }

  async #runCalls({ step, repeat }: RepeatingStep, run: RowRun): Promise<unknown> {
    const collected: unknown[] = [];
    for (run.round = 1; ; run.round += 1) {
      run.previous = await this.#runCall(step, run);
      // The value of `onError` takes the place of an answer, and is no error any more.
      run.error = undefined;
      if (repeat.collect !== undefined)
        addTo(collected, (await this.#attempts.runCode(step, run, repeat.collect)).value);
      const goesOn = (await this.#attempts.runCode(step, run, repeat.while)).value;
      if (goesOn && run.round >= repeat.max && repeat.atMax === 'fail')
        throw new NodeError(`"repeat" made ${repeat.max} calls, its maximum, and "while" still holds`);
      if (!goesOn || run.round >= repeat.max)
        return repeat.collect === undefined ? run.previous : Object.freeze(collected);
      await this.#waitForNext({ step, repeat }, run);
    }
  }

  async #runCall(step: CompiledStep, run: RowRun): Promise<unknown> {
    const note = run.trace?.nodes[step.nodeIndex];
    if (note !== undefined) note.calls += 1;
    run.attempt = 1;
    try {
      return await this.#attempts.runAttempts(step, run);
    } catch (error) {
      return this.#deps.fallback.runLater(step, run, error).catch((last: unknown) => {
        throw new RepeatedCallError(toNodeError(last), { round: run.round, attempts: run.attempt });
      });
    }
  }

  async #waitForNext({ step, repeat }: RepeatingStep, run: RowRun): Promise<void> {
    const { pauseGate, wait } = this.#deps;
    if (repeat.wait !== undefined) {
      const { value: ms } = await this.#attempts.runCode(step, run, repeat.wait);
      if (ms > 0) await wait(ms, run);
    }
    while (pauseGate.isBlocked) await pauseGate.unblocked();
  }
}

function addTo(collected: unknown[], value: unknown): void {
  // One by one, since a list may be longer than the arguments of a call.
  if (Array.isArray(value)) for (const entry of value as readonly unknown[]) collected.push(entry);
  else if (value !== undefined) collected.push(value);
}
