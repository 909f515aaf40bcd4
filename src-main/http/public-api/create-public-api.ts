// The interface document's three routes and their description. Each route reads as a sentence, in the order in which
// a call is judged: key, operation limit, workflow, scope, trust, run, resource limit, body.
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { methodNotAllowed } from '../../domain/errors.ts';
import { answerText } from './answer-json.ts';
import { describeApi } from './openapi.ts';
import type { PublicApiParts } from './public-api-parts.ts';
import { runOutput } from './run-output.ts';
import { runStatus } from './run-status.ts';
import { triggerRun } from './trigger-run.ts';

const runsPath = '/api/v1/workflows/:workflowId/runs';

/** Answers the public paths and passes all others on. */
export function createPublicApi(parts: PublicApiParts): Middleware {
  let description: string | undefined;
  const router = new Router({ sensitive: true, strict: true });
  router.post(`${runsPath}/async`, triggerRun(parts));
  router.get(`${runsPath}/:runId/async/status`, runStatus(parts));
  router.get(`${runsPath}/:runId/async/response`, runOutput(parts));
  router.get('/openapi.json', (context) => {
    answerText(context, (description ??= JSON.stringify(describeApi(parts.version))));
  });
  const routes = router.routes() as Middleware;
  return async (context, next): Promise<void> => {
    const { label } = parts.limits;
    if (label !== undefined) context.res.setHeader('x-rowbench-limits', label);
    const refuseOrPass = async (): Promise<void> => {
      const allowed = methodsOf(router, context.path);
      if (allowed.length > 0) throw methodNotAllowed(allowed.join(', '));
      await next();
    };
    // The router would answer HEAD as GET, and charge its limits; the interface does not know it.
    if (context.method === 'HEAD') await refuseOrPass();
    else await routes(context, refuseOrPass);
  };
}

function methodsOf(router: Router, path: string): string[] {
  const methods = router.match(path, 'HEAD').path.flatMap((layer) => layer.methods);
  return methods.filter((method) => method !== 'HEAD');
}
