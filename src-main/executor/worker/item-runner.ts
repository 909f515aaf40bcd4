// Runs a node with `each` for its items, one after the other. `retry` and `onError` apply to each item. Who calls: StepRunner.
import type { AttemptDeps, AttemptRunner } from './attempt-runner.ts';
import type { FallbackRunner } from './fallback-runner.ts';
import { ItemError, NodeError, toNodeError } from './node-error.ts';
import type { RowRun } from './row-run.ts';
import type { CompiledStep } from './compiled-step.ts';

type ItemRunnerDeps = Pick<AttemptDeps, 'pauseGate'> & {
  readonly attempts: AttemptRunner;
  readonly fallback: FallbackRunner;
};

type Item = { readonly item: unknown; readonly index: number; readonly of: number };

export class ItemRunner {
  readonly #deps: ItemRunnerDeps;

  constructor(deps: ItemRunnerDeps) {
    this.#deps = deps;
  }

  /** The values of all items, or a promise of them. Throws ItemError for an item that fails. */
  runItems(step: CompiledStep, run: RowRun, list: unknown): readonly unknown[] | Promise<readonly unknown[]> {
    if (!Array.isArray(list)) throw new NodeError(`"each" gives ${kindOf(list)}, not a list`);
    const items = list as readonly unknown[];
    const note = run.trace?.nodes[step.nodeIndex];
    if (note !== undefined) note.items = items.length + 1;
    const values: unknown[] = [];
    for (const item of items) {
      const value = this.#runItem(step, run, { item, index: values.length, of: items.length });
      if (value instanceof Promise) return this.#runLaterItems(step, run, { items, values, value });
      values.push(value);
    }
    return Object.freeze(values);
  }

  async #runLaterItems(
    step: CompiledStep,
    run: RowRun,
    { items, values, value }: { items: readonly unknown[]; values: unknown[]; value: Promise<unknown> },
  ): Promise<readonly unknown[]> {
    const { pauseGate } = this.#deps;
    values.push(await value);
    while (values.length < items.length) {
      while (pauseGate.isBlocked) await pauseGate.unblocked();
      const index = values.length;
      values.push(await this.#runItem(step, run, { item: items[index], index, of: items.length }));
    }
    return Object.freeze(values);
  }

  #runItem(step: CompiledStep, run: RowRun, item: Item): unknown {
    const { attempts, fallback } = this.#deps;
    run.item = item.item;
    run.itemIndex = item.index;
    run.hasItem = true;
    run.error = undefined;
    run.attempt = 1;
    try {
      const value = attempts.runAttempts(step, run);
      return value instanceof Promise ? this.#orFallback(step, run, { ...item, value }) : value;
    } catch (error) {
      try {
        return fallback.runSync(step, run, error);
      } catch (last) {
        throw itemError(last, run, item);
      }
    }
  }

  async #orFallback(
    step: CompiledStep,
    run: RowRun,
    { value, ...item }: Item & { readonly value: Promise<unknown> },
  ): Promise<unknown> {
    try {
      return await value;
    } catch (error) {
      return this.#deps.fallback.runLater(step, run, error).catch((last: unknown) => {
        throw itemError(last, run, item);
      });
    }
  }
}

const itemError = (error: unknown, { attempt }: RowRun, { index, of }: Item): ItemError =>
  new ItemError(toNodeError(error), { index, of, attempts: attempt });

const kindOf = (value: unknown): string => {
  if (value === undefined || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
