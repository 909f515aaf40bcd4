// The token budget of an execution of a run. Who calls: ActiveRun; SegmentRun for a team.
import type { Run } from '../../domain/run/run.ts';
import { tokensOf } from '../../domain/run/spent-budget.ts';
import type { Plan } from '../../executor/plan.ts';
import type { BudgetOptions } from '../../executor/run/token-budget.ts';
import type { RunReading } from '../ports.ts';

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
