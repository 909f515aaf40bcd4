// The checks of a call, in their order: its key, the limit of its operation, then the workflow or run that it names. Results
// of the first two are noted for the API log.
import type { Context } from 'koa';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { invalidKey, keyNotAllowed } from '../../domain/request-errors.ts';
import { type ApiKey, mayUse } from '../../domain/keys/api-key.ts';
import type { Operation } from '../../domain/limits/published-limits.ts';
import { runNotFound } from '../../domain/run-errors.ts';
import type { Run } from '../../domain/run/run.ts';
import { workflowNotFound } from '../../domain/workflow-errors.ts';
import type { OpenCall } from '../../services/api/limit-service.ts';
import type { RunsRoom } from '../../services/runs/open.ts';
import type { Services } from '../../services/services.ts';
import type { WorkflowsRoom } from '../../services/workflows/open.ts';
import type { LoadedWorkflow } from '../../services/workflows/workflow-service.ts';
import { notesOf, type CallNotes } from '../call-notes.ts';
import { replayHeader } from '../logged-headers.ts';
import { presentedKey, type PublicCall, assertRunId, assertWorkflowId } from './call-facts.ts';

export type OpenedCall = { readonly key: ApiKey; readonly call: OpenCall; readonly notes: CallNotes };

/** Throws `invalid_key` or `rate_limited`. */
export async function openCall(
  deps: PublicApiDeps,
  publicCall: PublicCall,
  operation: Operation,
): Promise<OpenedCall> {
  const { context, workflowId, runId } = publicCall;
  const notes = notesOf(context);
  notes.route = operation;
  notes.workflowId = workflowId;
  notes.runId = runId;
  const key = await verifiedKey(deps, context);
  notes.key = key;
  const call = await deps.api.limits.open({ operation, keyId: key.id, resourceId: runId ?? workflowId });
  notes.charges = call;
  return { key, call, notes };
}

async function verifiedKey(deps: PublicApiDeps, { req: request }: Context): Promise<ApiKey> {
  const token = deps.api.replayTokens.redeem(request.headers[replayHeader]);
  if (token === undefined)
    return deps.access.keys.verify(presentedKey(request, deps.access.settings().extraKeyHeader));
  if (token.keyId === undefined) throw invalidKey();
  return deps.access.keys.use(token.keyId);
}

type Address = { readonly key: ApiKey; readonly workflowId: string; readonly runId: string };

/** The addressed run, if the key may see it. Throws `workflow_not_found`, `key_not_allowed` or `run_not_found`. */
export async function findRun({ runs }: RunsRoom, { key, workflowId, runId }: Address): Promise<Run> {
  assertWorkflowId(workflowId);
  if (!(await runs.knowsWorkflow(workflowId))) throw workflowNotFound();
  if (!mayUse(key, workflowId)) throw keyNotAllowed();
  assertRunId(runId);
  const run = await runs.find(workflowId, runId);
  if (run === undefined) throw runNotFound();
  return run;
}

/** The workflow that the key opens. Throws `workflow_not_found`, `key_not_allowed` or `workflow_untrusted`. */
export async function openedWorkflow(
  { workflows, trust }: WorkflowsRoom,
  key: ApiKey,
  workflowId: string,
): Promise<LoadedWorkflow> {
  assertWorkflowId(workflowId);
  const workflow = await workflows.find(workflowId);
  if (workflow === undefined) throw workflowNotFound();
  if (!mayUse(key, workflowId)) throw keyNotAllowed();
  trust.assertTrusted(workflow);
  return workflow;
}

export type PublicApiDeps = Services & { readonly clock: Clock; readonly log: Log };
