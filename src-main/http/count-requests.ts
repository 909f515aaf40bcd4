// Counts answered requests by operation and status, never by address or key: a figure has few values.
import type { Middleware } from 'koa';
import type { Metrics } from '../base/metrics.ts';
import { procedures } from '../contract/index.ts';
import { notesOf } from './call-notes.ts';
import type { RequestKind } from './guard.ts';

type CountedRequest = {
  readonly kind: RequestKind;
  readonly path: string;
  /** Operation of the public API, where the path is one. */
  readonly route: string | undefined;
};

export type RequestCounter = ReturnType<Metrics['counter']>;

/** The figure of requests: one for all addresses that a server listens on. */
export const registerRequests = (metrics: Metrics): RequestCounter =>
  metrics.counter({
    name: 'rowbench_http_requests_total',
    help: 'Requests by operation and HTTP status; status 0 is a connection that ended before its answer.',
    labels: ['operation', 'status'],
  });

export function countRequests(
  count: RequestCounter,
  kindOf: (request: { path: string }) => RequestKind,
): Middleware {
  return (context, next) => {
    const { path, res: response } = context;
    response.once('close', () => {
      const { route } = notesOf(context);
      const status = response.headersSent ? response.statusCode : 0;
      count({ operation: operationOf({ kind: kindOf({ path }), path, route }), status: String(status) });
    });
    return next();
  };
}

/** Name of what a request asks for. Unknown paths share one name. */
function operationOf({ kind, path, route }: CountedRequest): string {
  if (kind === 'public') return route ?? 'other';
  if (path === '/healthz' || path === '/readyz') return 'probe';
  if (kind === 'page') return 'page';
  const name = /\/call\/([^/]+)$/.exec(path)?.[1] ?? '';
  return Object.hasOwn(procedures, name) ? name : 'control';
}
