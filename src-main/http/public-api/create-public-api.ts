// The interface document's three routes and their description. Each route reads as a sentence, in the order in which
// a call is judged: key, operation limit, workflow, scope, trust, run, resource limit, body.
import type { Middleware } from 'koa';
import { answerJson } from '../answer-text.ts';
import { findRoute, type Route } from '../route.ts';
import { pathPart, type PublicCall } from './call-facts.ts';
import { describeApi } from './openapi.ts';
import type { PublicApiDeps } from './open-call.ts';
import { openRunOutput } from './stream-output.ts';
import { runStatus } from './run-status.ts';
import { triggerRun } from './trigger-run.ts';

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
