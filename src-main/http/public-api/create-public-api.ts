// The interface document's three routes and their description. Each route reads as a sentence, in the order in which
// a call is judged: key, operation limit, workflow, scope, trust, run, resource limit, body.
import type { Middleware, Context } from 'koa';
import { notForHosted } from '../../domain/hosted-errors.ts';
import { answerJson } from '../answer-text.ts';
import { findRoute, type Route } from '../route.ts';
import { pathPart, type PublicCall } from './call-facts.ts';
import { describeApi } from './openapi.ts';
import { type PublicApiDeps, openCall, openedWorkflow } from './open-call.ts';
import { openRunOutput } from './stream-output.ts';
import { runStatus } from './run-status.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { Run } from '../../domain/run/run.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { LoadedWorkflow } from '../../services/workflows/workflow-service.ts';
import { receiveRows } from '../receive-rows.ts';
import { ArrivedRows } from '../../services/runs/hosted/gateway.ts';
import { assertJsonBody, declaredBytes } from '../request-body.ts';
import { type Triggered, requestedScenario, setScenarioHeader } from './answers.ts';

/** Answers the public paths and passes all others on. */
export function createPublicApi(deps: PublicApiDeps): Middleware {
  const routes = routesOf(deps);
  return (context, next) => {
    const { label } = deps.api.limits;
    if (label !== undefined) context.res.setHeader('x-rowbench-limits', label);
    const found = findRoute(routes, context.path, context.method);
    return found === undefined ? next() : found.route.answer(context, found.named);
  };
}

function routesOf(deps: PublicApiDeps): readonly Route[] {
  return [
    { method: 'GET', path: runPath('status'), answer: asCall(runStatus(deps)) },
    { method: 'GET', path: runPath('response'), answer: asCall(openRunOutput(deps)) },
    {
      method: 'POST',
      path: /^\/api\/v1\/workflows\/([^/]+)\/runs\/async$/,
      answer: asCall(triggerRun(deps)),
    },
    {
      method: 'GET',
      path: /^\/openapi\.json$/,
      answer: async (context) => {
        const { extraKeyHeader } = deps.access.settings();
        answerJson(context, describeApi({ host: context.host, extraKeyHeader }));
      },
    },
  ];
}

const runPath = (of: 'status' | 'response'): RegExp =>
  new RegExp(`^/api/v1/workflows/([^/]+)/runs/([^/]+)/async/${of}$`);

const asCall =
  (answer: (call: PublicCall) => Promise<void>): Route['answer'] =>
  (context, [workflowId = '', runId]) =>
    answer({
      context,
      workflowId: pathPart(workflowId),
      runId: runId === undefined ? undefined : pathPart(runId),
    });

// POST /api/v1/workflows/{workflowId}/runs/async: accepts rows as a new run.

const triggerRun = (deps: PublicApiDeps) => async (publicCall: PublicCall) => {
  const { context, workflowId } = publicCall;
  const { key, call, notes } = await openCall(deps, publicCall, 'trigger');
  const workflow = await openedWorkflow(deps.workflows, key, workflowId);
  await call.useResource();
  const { gateway } = deps.runs;
  const scenario = requestedScenario(context.req, deps.access.settings().scenarios);
  if (gateway !== undefined && scenario !== undefined) throw notForHosted('scenario');
  const run = await acceptRun(deps, { context, workflow, key, scenario });
  notes.run = run;
  setScenarioHeader(context, run);
  const refusal = await gateway?.refusalOf(run.runId, closeOf(context));
  if (refusal !== undefined)
    return answerJson(context, { success: false, error: refusal.error }, refusal.status);
  // The interface's word for an accepted run, even if it has started meanwhile.
  const data = { workflowId, runId: run.runId, status: 'queued' } as const;
  answerJson(context, { success: true, data } satisfies Triggered, 201);
};

/** Aborted when the client closes the connection before its answer. */
function closeOf({ res: response }: Context): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

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
  const { gateway, runs } = deps.runs;
  const draft = await runs.beginRun({
    workflow,
    origin,
    expectedBytes,
    ...(scenario === undefined ? {} : { inputs: { scenario } }),
    ...(gateway === undefined ? {} : { inputs: { hosted: { connection: gateway.connection } } }),
  });
  const arrived = new ArrivedRows();
  const write = (lines: Uint8Array): Promise<void> => {
    if (gateway !== undefined) arrived.push(lines);
    return draft.write(lines);
  };
  try {
    const { access, clock } = deps;
    const { settings } = access;
    const rows = await receiveRows(context, { settings, clock, write });
    await gateway?.assertNew({ workflowId: workflow.id, keyId: key.id, rows, arrived });
    return await draft.accept(rows);
  } catch (error) {
    await draft.abandon();
    throw error;
  }
}
