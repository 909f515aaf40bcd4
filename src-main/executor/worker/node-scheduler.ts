// Runs the nodes of one row so that nodes that call out run beside each other. Who calls: RowRunner, for a workflow with such
// nodes, from the first of them on.
// INVARIANT: the output, the reported failure and the random numbers of a row do not depend on which call ends first. A node
// reads only nodes that it waits for. The first failed node in the order of the plan fails the row: nodes before it still run
// to their end, later ones go no further.
import type { AttemptDeps } from './attempt-runner.ts';
import type { CompiledStep } from './compiled-step.ts';
import { SiblingGroup, type RowRun, forkRun } from './row-run.ts';
import type { StepRunner } from './step-runner.ts';
import type { TimeoutBudget } from './timeout-budget.ts';
import { nodeEndCodes } from './trace-buffer.ts';

type NodeSchedulerDeps = Pick<AttemptDeps, 'pauseGate' | 'countLanes'> & {
  readonly steps: readonly CompiledStep[];
  readonly stepRunner: StepRunner;
  /** For each node, by its index, the indexes of the nodes that must have ended before it begins. */
  readonly waits: readonly (readonly number[])[];
};

/** The nodes of a row from its first call on. */
type RowNodes = {
  readonly run: RowRun;
  readonly group: SiblingGroup;
  /** Indexes of the nodes that have not begun, in the order of the plan. */
  readonly pending: Set<number>;
  /** Number of nodes that each node still waits for, by its index. */
  readonly waitsLeft: number[];
  readonly running: Map<number, Promise<void>>;
  /** Budgets of the nodes that have begun, in a called workflow. */
  readonly budgets: Map<number, TimeoutBudget>;
};

export class NodeScheduler {
  readonly #deps: NodeSchedulerDeps;
  /** For each node, by its index, the indexes of the nodes that wait for it. */
  readonly #waiting: readonly (readonly number[])[];

  constructor(deps: NodeSchedulerDeps) {
    this.#deps = deps;
    const waiting: number[][] = deps.waits.map(() => []);
    deps.waits.forEach((before, index) => before.forEach((other) => waiting[other]?.push(index)));
    this.#waiting = waiting;
  }

  /** Runs the node at `first` and all nodes behind it. Resolves when none of them runs any more. */
  async runFrom(run: RowRun, first: number): Promise<void> {
    run.hasWaited = true;
    const nodes = this.#nodesFrom(run, first);
    for (;;) {
      const index = nextNode(nodes);
      if (index === undefined) {
        if (nodes.running.size === 0) break;
        await Promise.race(nodes.running.values());
      } else if (this.#deps.pauseGate.isBlocked) await this.#deps.pauseGate.unblocked();
      else this.#start(nodes, index);
    }
    run.caller?.timeoutBudget.join([...nodes.budgets.values()]);
    clearLaterFailures(nodes);
  }

  #nodesFrom(run: RowRun, first: number): RowNodes {
    const { steps, waits } = this.#deps;
    return {
      run,
      group: new SiblingGroup(),
      pending: new Set(steps.slice(first).map(({ nodeIndex }) => nodeIndex)),
      waitsLeft: waits.map((before) => before.filter((other) => other >= first).length),
      running: new Map(),
      budgets: new Map(),
    };
  }

  #start(nodes: RowNodes, index: number): void {
    const { steps, stepRunner, waits, countLanes } = this.#deps;
    const { run, group, pending, running, budgets } = nodes;
    pending.delete(index);
    const step = steps[index];
    if (step === undefined) return;
    const after = (waits[index] ?? []).flatMap((other) => budgets.get(other) ?? []);
    const budget = run.caller?.timeoutBudget.fork(after);
    if (budget !== undefined) budgets.set(index, budget);
    const fork = forkRun(run, { group, position: index, budget });
    const end = stepRunner.runNode(step, fork);
    if (end === undefined) return this.#finish(nodes, fork);
    if (running.size > 0) countLanes(1);
    const finish = (): void => {
      running.delete(index);
      // The row itself goes on in place of the last one.
      if (running.size > 0) countLanes(-1);
      this.#finish(nodes, fork);
    };
    running.set(index, end.then(finish));
  }

  /** Passes the results of a node that has ended to the row. */
  #finish({ run, group, waitsLeft }: RowNodes, { nodeIndex, retries, failure, failureError }: RowRun): void {
    run.retries += retries;
    for (const other of this.#waiting[nodeIndex] ?? []) waitsLeft[other] = (waitsLeft[other] ?? 0) - 1;
    if (failure === undefined || nodeIndex > group.failedAt) return;
    group.failedAt = nodeIndex;
    run.failure = failure;
    run.failureError = failureError;
  }
}

/** The first node that waits for nothing; undefined if each waits, or is not needed any more. */
function nextNode({ pending, waitsLeft, group }: RowNodes): number | undefined {
  for (const index of pending) {
    if (index > group.failedAt) return undefined;
    if (waitsLeft[index] === 0) return index;
  }
  return undefined;
}

/** A row has one failure: the trace shows later nodes that failed as not reached. */
function clearLaterFailures({ run, group }: RowNodes): void {
  run.trace?.nodes.forEach((note, index) => {
    if (index > group.failedAt && note.end === nodeEndCodes.failed) note.end = nodeEndCodes.notReached;
  });
}
