// Runs a node with `each` for its items, one after the other or side by side. `retry` and `onError` apply to each item. Who calls: StepRunner.
import type { AttemptDeps } from './attempt-runner.ts';
import type { FallbackRunner } from './fallback-runner.ts';
import { ItemError, NodeError, toNodeError } from './node-error.ts';
import type { RepeatRunner } from './repeat-runner.ts';
import { SiblingGroup, type RowRun, countFork, forkRun } from './row-run.ts';
import type { CompiledStep } from './compiled-step.ts';
import type { TimeoutBudget } from './timeout-budget.ts';

type ItemRunnerDeps = Pick<AttemptDeps, 'pauseGate' | 'countLanes'> & {
  readonly calls: RepeatRunner;
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
    if (step.concurrency > 1 && items.length > 1) return this.#runConcurrently(step, run, items);
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

  /**
   * Runs up to `concurrency` items at the same time. The first failed item in the order of the list fails the node: items before
   * it still run to their end, later ones go no further.
   */
  async #runConcurrently(
    step: CompiledStep,
    run: RowRun,
    items: readonly unknown[],
  ): Promise<readonly unknown[]> {
    const group = new SiblingGroup();
    const values: unknown[] = items.map(() => undefined);
    let failure: unknown;
    let next = 0;
    const runNext = async (budget: TimeoutBudget | undefined): Promise<void> => {
      const index = (next += 1) - 1;
      const fork = forkRun(run, { group, position: index, budget });
      try {
        values[index] = await this.#runItem(step, fork, { item: items[index], index, of: items.length });
      } catch (error) {
        if (index < group.failedAt) [failure, group.failedAt] = [error, index];
      }
      countFork(fork);
    };
    const { pauseGate } = this.#deps;
    const runLane = async (budget: TimeoutBudget | undefined): Promise<void> => {
      while (next < items.length && group.failedAt === Infinity) {
        if (pauseGate.isBlocked) await pauseGate.unblocked();
        else await runNext(budget);
      }
    };
    await this.#runLanes(run, Math.min(step.concurrency, items.length), runLane);
    if (group.failedAt < Infinity) throw failure;
    return Object.freeze(values);
  }

  async #runLanes(
    { caller }: RowRun,
    lanes: number,
    runLane: (budget: TimeoutBudget | undefined) => Promise<void>,
  ): Promise<void> {
    const { countLanes } = this.#deps;
    const budgets: TimeoutBudget[] = [];
    countLanes(lanes - 1);
    let open = lanes;
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        const budget = caller?.timeoutBudget.fork();
        if (budget !== undefined) budgets.push(budget);
        await runLane(budget);
        open -= 1;
        // The row itself goes on in place of the last one.
        if (open > 0) countLanes(-1);
      }),
    );
    caller?.timeoutBudget.join(budgets);
  }

  #runItem(step: CompiledStep, run: RowRun, item: Item): unknown {
    const { calls, fallback } = this.#deps;
    run.item = item.item;
    run.itemIndex = item.index;
    run.hasItem = true;
    run.error = undefined;
    run.attempt = 1;
    try {
      const value = calls.run(step, run);
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
