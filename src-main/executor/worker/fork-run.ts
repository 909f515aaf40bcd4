// Copies of a row for work that runs beside other work of the same row, such as items of one node.
import type { RowRun } from './row-run.ts';
import type { TimeoutBudget } from './timeout-budget.ts';

/** Work of one row that runs at the same time. */
export class SiblingGroup {
  /** Position of the first work that has failed. Work behind it goes no further. */
  failedAt = Infinity;
}

export type Fork = {
  /** The row, as it goes on once all siblings have ended. */
  readonly from: RowRun;
  readonly group: SiblingGroup;
  /** Position among the siblings in the order in which they would run one after the other. */
  readonly position: number;
};

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

/** True if work that comes before this has failed the row or node. */
export function isAbandoned(run: RowRun): boolean {
  for (let at: RowRun | undefined = run; at !== undefined; at = at.fork?.from ?? at.caller?.run)
    if (at.fork !== undefined && at.fork.position > at.fork.group.failedAt) return true;
  return false;
}
