// POST /api/v1/workflows/{workflowId}/runs/async: accepts rows as a new run.
import type { Context } from 'koa';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { Run } from '../../domain/run/run.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { LoadedWorkflow } from '../../services/workflows/workflow-service.ts';
import { receiveRows } from '../receive-rows.ts';
import { assertJsonBody, declaredBytes } from '../request-body.ts';
import { answerJson } from '../answer-text.ts';
import { type Triggered, requestedScenario, setScenarioHeader } from './answers.ts';
import type { PublicCall } from './call-facts.ts';
import { openCall, type PublicApiDeps, openedWorkflow } from './open-call.ts';

export const triggerRun = (deps: PublicApiDeps) => async (publicCall: PublicCall) => {
  const { context, workflowId } = publicCall;
  const { key, call, notes } = await openCall(deps, publicCall, 'trigger');
  const workflow = await openedWorkflow(deps.workflows, key, workflowId);
  await call.useResource();
  const scenario = requestedScenario(context.req, deps.access.settings().scenarios);
  const run = await acceptRun(deps, { context, workflow, key, scenario });
  notes.run = run;
  setScenarioHeader(context, run);
  // The interface's word for an accepted run, even if it has started meanwhile.
  const data = { workflowId, runId: run.runId, status: 'queued' } as const;
  answerJson(context, { success: true, data } satisfies Triggered, 201);
};

type Acceptance = {
  readonly context: Context;
  readonly workflow: LoadedWorkflow;
  readonly key: ApiKey;
  readonly scenario: Scenario | undefined;
};

/** Streams the body's rows to disk. Whatever goes wrong on the way, nothing of the run is left. */
async function acceptRun(
  deps: PublicApiDeps,
  { context, workflow, key, scenario }: Acceptance,
): Promise<Run> {
  assertJsonBody(context.req);
  const expectedBytes = declaredBytes(context.req, deps.access.settings().maxBodyBytes);
  const origin = { kind: 'key', keyId: key.id, keyName: key.name } as const;
  const draft = await deps.runs.runs.beginRun({
    workflow,
    origin,
    expectedBytes,
    ...(scenario === undefined ? {} : { inputs: { scenario } }),
  });
  try {
    const { access, clock } = deps;
    const { settings } = access;
    const rows = await receiveRows(context, { settings, clock, write: (lines) => draft.write(lines) });
    return await draft.accept(rows);
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}
