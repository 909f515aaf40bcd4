// The private door for the app's pages and the command line: POST /_rowbench/v1/call/<procedure>. The guard has
// judged host and origin before; here the token comes first, so that nothing else can be learnt without it.
// Errors are thrown as AppErrors: the server's error layer writes them.
import type { Context, Middleware } from 'koa';
import { AppError } from '../../base/app-error.ts';
import { procedures, type Handlers, type ProcedureName } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { methodNotAllowed, routeNotFound } from '../../domain/errors.ts';
import { assertControlToken, controlTokenHeader } from './control-token.ts';
import { readCallInput } from './read-call-input.ts';

export type ControlApiOptions = { readonly token: string; readonly handlers: Handlers };

/** Names the error's code, so that a client of ours can rebuild it. The public API does not send it. */
export const errorCodeHeader = 'x-rowbench-error';

/** Everything below this path belongs to the control API. */
export const controlPrefix = '/_rowbench/v1';
const callPrefix = `${controlPrefix}/call/`;

/** Answers calls under the prefix with `{ success: true, data }`; every other path goes on to the next middleware. */
export function createControlApi({ token, handlers }: ControlApiOptions): Middleware {
  return async (context, next) => {
    if (!isControlPath(context.path)) {
      await next();
      return;
    }
    try {
      context.body = { success: true, data: await answerCall(context, { token, handlers }) };
    } catch (error) {
      if (error instanceof AppError) context.set(errorCodeHeader, error.code);
      throw error;
    }
  };
}

async function answerCall(context: Context, { token, handlers }: ControlApiOptions): Promise<unknown> {
  assertControlToken(context.req.headers[controlTokenHeader], token);
  const name = procedureOf(context);
  const input = parseInput(name, await readCallInput(context.req));
  return callHandler(handlers, name, input);
}

const isControlPath = (path: string): boolean =>
  path === controlPrefix || path.startsWith(`${controlPrefix}/`);

function procedureOf(context: Context): ProcedureName {
  const name = context.path.startsWith(callPrefix) ? context.path.slice(callPrefix.length) : '';
  if (!Object.hasOwn(procedures, name)) throw routeNotFound();
  if (context.method !== 'POST') throw methodNotAllowed('POST');
  return name as ProcedureName;
}

/** The table's types pair each name with its input; the pairing is lost once the name is a variable. */
function callHandler(handlers: Handlers, name: ProcedureName, input: unknown): Promise<unknown> {
  const handler = handlers[name] as (input: unknown) => Promise<unknown>;
  return handler(input);
}
