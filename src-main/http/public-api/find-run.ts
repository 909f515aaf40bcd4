import { keyNotAllowed } from '../../domain/request-errors.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import { workflowNotFound } from '../../domain/workflow-errors.ts';
import { mayUse, type ApiKey } from '../../domain/keys/api-key.ts';
import type { Run } from '../../domain/run/run.ts';
import { assertRunId, assertWorkflowId } from './call-facts.ts';
import type { PublicApiDeps } from './public-api-deps.ts';

type Address = { readonly key: ApiKey; readonly workflowId: string; readonly runId: string };

/** The addressed run, if the key may see it. Throws `workflow_not_found`, `key_not_allowed` or `run_not_found`. */
export async function findRun(
  runs: PublicApiDeps['runs'],
  { key, workflowId, runId }: Address,
): Promise<Run> {
  assertWorkflowId(workflowId);
  if (!(await runs.knowsWorkflow(workflowId))) throw workflowNotFound();
  if (!mayUse(key, workflowId)) throw keyNotAllowed();
  assertRunId(runId);
  const run = await runs.find(workflowId, runId);
  if (run === undefined) throw runNotFound();
  return run;
}
