// The token budget of a run: what it may still use, and its record when the budget is spent. Who calls: ActiveRun.
import type { Run } from '../domain/run/run.ts';
import { tokensOf, type SpentBudget } from '../domain/run/spent-budget.ts';
import type { Plan } from '../executor/plan.ts';
import type { BudgetOptions } from '../executor/run/token-budget.ts';
import type { RunReading } from './ports.ts';

/** The budget of an execution of the run; undefined for a workflow without one. */
export async function budgetOf(
  { runId, origin, tokensAllowed }: Run,
  { tokenBudget: tokens, onBudget = origin.kind === 'app' ? 'pause' : 'fail' }: Plan,
  store: Pick<RunReading, 'readStatistics'>,
): Promise<BudgetOptions | undefined> {
  if (tokens === undefined) return undefined;
  const { nodes = [] } = (await store.readStatistics(runId)) ?? {};
  return {
    tokens,
    allowed: tokensAllowed ?? tokens,
    used: tokensOf(nodes),
    failsRun: onBudget === 'fail',
  };
}

/** The record of a run that pauses for its scenario or, with `spentBudget`, for its budget. */
export const pausedAtLimit = (run: Run, spentBudget: SpentBudget | undefined): Run =>
  spentBudget === undefined ? { ...run, pausedByScenario: true } : { ...run, spentBudget };

/** The record of a run that may use as many tokens again as its budget has, if that is spent. */
export function withRaisedBudget({ spentBudget, ...run }: Run): Run {
  if (spentBudget === undefined) return run;
  return { ...run, tokensAllowed: spentBudget.used + spentBudget.tokens };
}
