// Routes: paths and their handlers. Who calls: the public API, and the control API for paths that are no procedure.
import type { Context } from 'koa';
import { methodNotAllowed } from '../domain/request-errors.ts';

export type Route = {
  readonly method: 'GET' | 'POST';
  /** Pattern of the whole path, below the API's prefix if it has one. */
  readonly path: RegExp;
  /** Answers. @param named what the path's groups matched, as it stands there */
  readonly answer: (context: Context, named: readonly string[]) => Promise<void>;
};

type Found<R extends Route> = { readonly route: R; readonly named: readonly string[] };

/**
 * The route of that path and method; undefined where no route has the path. Throws `method_not_allowed` for a path
 * that is answered to other methods alone, HEAD included.
 */
export function findRoute<R extends Route>(
  routes: readonly R[],
  path: string,
  method: string,
): Found<R> | undefined {
  let allowed: string[] | undefined;
  for (const route of routes) {
    const match = route.path.exec(path);
    if (match === null) continue;
    if (route.method === method) return { route, named: match.slice(1) };
    (allowed ??= []).push(route.method);
  }
  if (allowed !== undefined) throw methodNotAllowed(allowed.join(', '));
  return undefined;
}
