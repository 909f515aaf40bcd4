// Lets through only calls that the run's plan could have made. A worker's messages are not trusted: it runs authors'
// code. A worker that such code has taken over must still reach no more than its workflow does.
import { reachesOut, targetOf } from '../../domain/nodes/catalogue.ts';
import type { PlanPart, Plan } from '../plan.ts';
import type { Upstream } from '../ports.ts';

/** Refuses calls of a plan without nodes that make any, and credentials that none of its nodes has. */
export function plannedCalls(plan: Plan, upstream: Upstream): Upstream {
  const parts = [plan, ...plan.workflows];
  const auths = new Set(parts.flatMap(authsOf));
  const callsOut = parts.some(({ nodes }) => nodes.some(({ type }) => reachesOut(type)));
  return {
    call: (request, context) => {
      // WorkerSlot has compared the call with the plan.
      if (context.runInWorker !== undefined) return upstream.call(request, context);
      const { auth } = request;
      if (callsOut && (auth === undefined || auths.has(JSON.stringify(auth))))
        return upstream.call(request, context);
      const message = `${request.method} is refused: the workflow makes no such call`;
      return Promise.resolve({ kind: 'failed', message, isFinal: true });
    },
  };
}

/** As texts: a worker sends back what the plan had. */
const authsOf = ({ nodes }: PlanPart): string[] =>
  nodes.flatMap((node) => {
    const auth = targetOf('call', node)?.auth;
    return auth === undefined ? [] : [JSON.stringify(auth)];
  });
