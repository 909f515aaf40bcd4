// Copies of a row for work that runs beside other work of the same row, such as items of one node.
import type { Fork, RowRun } from './row-run.ts';
import type { TimeoutBudget } from './timeout-budget.ts';

/** A copy of the row with an attempt of its own. It shares values, results and trace with the row. */
export const forkRun = (
  from: RowRun,
  { budget, ...fork }: Omit<Fork, 'from'> & { readonly budget: TimeoutBudget | undefined },
): RowRun => ({
  ...from,
  fork: { ...fork, from },
  caller: from.caller && { ...from.caller, timeoutBudget: budget ?? from.caller.timeoutBudget },
  hasWaited: true,
  retries: 0,
  attempts: 0,
});

/** Adds the attempts of an ended fork to its row. */
export function countFork({ fork, retries, attempts }: RowRun): void {
  if (fork === undefined) return;
  fork.from.retries += retries;
  fork.from.attempts += attempts;
}
