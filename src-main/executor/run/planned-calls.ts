// Lets through only calls that the run's plan could have made. A worker's messages are not trusted: it runs authors'
// code. A worker that such code has taken over must still reach no more than its workflow does.
import { reachesOut, targetOf } from '../../domain/nodes/catalogue.ts';
import type { PlanPart, Plan } from '../plan.ts';
import type { Upstream } from '../ports.ts';

/** Refuses calls of a plan without nodes that make any, and secrets that none of its nodes names. */
export function plannedCalls(plan: Plan, upstream: Upstream): Upstream {
  const parts = [plan, ...plan.workflows];
  const secrets = new Set(parts.flatMap(secretsOf));
  const callsOut = parts.some(({ nodes }) => nodes.some(({ type }) => reachesOut(type)));
  return {
    call: (request, context) => {
      const secret = request.auth?.secret;
      if (callsOut && (secret === undefined || secrets.has(secret))) return upstream.call(request, context);
      const message = `${request.method} is refused: the workflow makes no such call`;
      return Promise.resolve({ kind: 'failed', message, isFinal: true });
    },
  };
}

const secretsOf = ({ nodes }: PlanPart): string[] =>
  nodes.flatMap((node) => targetOf('call', node)?.auth?.secret ?? []);
