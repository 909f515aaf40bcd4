// A path of the control API that is no procedure: where rows travel, which are too many for one call.
import type { Context } from 'koa';
import { methodNotAllowed } from '../../domain/errors.ts';

export type ControlRoute = {
  readonly method: 'GET' | 'POST';
  /** Of the whole path below the control API's prefix. */
  readonly path: RegExp;
  /** Answers. @param named what the path's groups matched */
  readonly answer: (context: Context, named: readonly string[]) => Promise<void>;
};

/** The answer to a path, if one of the routes has it. Throws `method_not_allowed`. */
export function findRoute(
  routes: readonly ControlRoute[],
  path: string,
  method: string,
): ((context: Context) => Promise<void>) | undefined {
  const fitting = routes.flatMap((route) => {
    const match = route.path.exec(path);
    return match === null ? [] : [{ route, named: match.slice(1) }];
  });
  if (fitting.length === 0) return undefined;
  const found = fitting.find(({ route }) => route.method === method);
  if (found === undefined) throw methodNotAllowed(fitting.map(({ route }) => route.method).join(', '));
  return (context) => found.route.answer(context, found.named);
}
