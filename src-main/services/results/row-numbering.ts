// Which run numbered the rows of another: rows of runs with the same numbering are the same rows. Who calls: comparisons.
import type { RowMatching } from '../../domain/query/compare-runs.ts';
import type { Run } from '../../domain/run/run.ts';
import type { RunReading } from '../ports.ts';
import type { RunService } from '../runs/run-service.ts';
import { storedRerunKind } from '../runs/stored-rerun-kind.ts';

type NumberingDeps = { readonly runs: RunService; readonly store: RunReading };

/** Reruns that keep the row numbers of the same run are matched by them. */
export async function defaultMatching(
  deps: NumberingDeps,
  first: Run,
  second: Run,
): Promise<Extract<RowMatching, string>> {
  return (await numberedBy(deps, first)) === (await numberedBy(deps, second)) ? 'number' : 'position';
}

/** The id of the run that numbered the rows: the run itself, or one that it repeats, directly or by way of other reruns. */
async function numberedBy(deps: NumberingDeps, run: Run): Promise<string> {
  const { runId, workflowId, rerunOf, rerunKind } = run;
  if (rerunOf === undefined || rerunKind === 'otherRows') return runId;
  const original = await deps.runs.find(workflowId, rerunOf);
  if (original === undefined) return rerunOf;
  const kind = await storedRerunKind(deps.store, original, run);
  return kind === 'otherRows' ? runId : numberedBy(deps, original);
}
