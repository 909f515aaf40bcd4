// The value that `onError` gives in place of a node or item that has failed. Who calls: StepRunner and ItemRunner.
import type { AttemptRunner } from './attempt-runner.ts';
import {
  describeThrown,
  errorValue,
  FallbackError,
  SettledError,
  toNodeError,
  type NodeError,
} from './node-error.ts';
import type { RowRun } from './row-run.ts';
import type { CompiledStep } from './compiled-step.ts';

export class FallbackRunner {
  readonly #attempts: AttemptRunner;

  constructor(attempts: AttemptRunner) {
    this.#attempts = attempts;
  }

  /** The value, right after the code that failed. Throws NodeError without `onError`, and if that fails too. */
  runSync(step: CompiledStep, run: RowRun, thrown: unknown): unknown {
    const error = toNodeError(thrown);
    const { onError } = step;
    if (onError === undefined || error instanceof SettledError) throw error;
    try {
      run.error = errorValue(error);
      return this.#used(run, error, this.#attempts.runSync(step, run, onError));
    } catch (second) {
      throw new FallbackError(error, second);
    }
  }

  /** The value after a wait or promise jobs, once no code of another row runs. Rejects as `runSync` throws. */
  async runLater(step: CompiledStep, run: RowRun, thrown: unknown): Promise<unknown> {
    const error = toNodeError(thrown);
    const { onError } = step;
    if (onError === undefined || error instanceof SettledError) throw error;
    try {
      run.error = errorValue(error);
      return this.#used(run, error, (await this.#attempts.runCode(step, run, onError)).value);
    } catch (second) {
      throw new FallbackError(error, second);
    }
  }

  /** Notes the error in the trace, where nothing else tells of it. */
  #used(run: RowRun, error: NodeError, value: unknown): unknown {
    const { round, trace, nodeIndex } = run;
    const message = describeThrown(error);
    trace?.addReplaced(
      nodeIndex,
      round === 0 ? message : `call ${round}: ${message}`,
      run.hasItem ? run.itemIndex : undefined,
    );
    return value;
  }
}
