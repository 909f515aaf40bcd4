// The private door for the app's pages and the command line: POST /_rowbench/v1/call/<procedure>, GET …/events, routes
// for rows, and POST …/session, where a page changes a one-time code for the token. The guard has judged host and origin before; but
// for the session the token comes first, so that nothing else can be learnt without it.
// Errors are thrown as AppErrors: the server's answer layer writes them.
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import { procedures, type Handlers, type ProcedureName } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { entryCodeInvalid, methodNotAllowed, routeNotFound } from '../../domain/errors.ts';
import { findRoute, type Route } from '../route.ts';
import { assertControlToken, controlTokenHeader } from './control-token.ts';
import type { EntryCodes } from './entry-codes.ts';
import { OpenStreams, streamEvents, type LiveUpdates } from './event-stream.ts';
import { callReading, readCallInput, sessionReading } from './read-call-input.ts';

export type ControlApiOptions = {
  readonly token: string;
  readonly handlers: Handlers;
  readonly updates: LiveUpdates;
  readonly entryCodes: EntryCodes;
  readonly routes: readonly Route[];
  readonly clock: Clock;
};

/** Names the error's code, so that a client of ours can rebuild it. The public API does not send it. */
export const errorCodeHeader = 'x-rowbench-error';

/** Everything below this path belongs to the control API. */
export const controlPrefix = '/_rowbench/v1';
const callPrefix = `${controlPrefix}/call/`;
const eventsPath = `${controlPrefix}/events`;
const sessionPath = `${controlPrefix}/session`;

/**
 * Answers paths under the prefix, calls and sessions with `{ success: true, data }`; every other path goes on to the
 * next middleware.
 */
export function createControlApi(options: ControlApiOptions): Middleware {
  const parts: ControlParts = { ...options, streams: new OpenStreams() };
  return (context, next) => (isControlPath(context.path) ? answerNamingErrors(context, parts) : next());
}

type ControlParts = ControlApiOptions & { readonly streams: OpenStreams };

async function answerNamingErrors(context: Context, parts: ControlParts): Promise<void> {
  try {
    await answer(context, parts);
  } catch (error) {
    if (error instanceof AppError && !context.headerSent) context.set(errorCodeHeader, error.code);
    throw error;
  }
}

async function answer(context: Context, options: ControlParts): Promise<void> {
  if (context.path === sessionPath) {
    const data =
      context.method === 'GET' ? { isOpen: isOpen(context, options) } : await openSession(context, options);
    context.body = { success: true, data };
    return;
  }
  assertControlToken(context.req.headers[controlTokenHeader], options.token);
  context.state['isOwner'] = true;
  if (context.path === eventsPath) {
    if (context.method !== 'GET') throw methodNotAllowed('GET');
    await streamEvents(context, options);
    return;
  }
  const found = findRoute(options.routes, context.path.slice(controlPrefix.length), context.method);
  if (found !== undefined) return found.route.answer(context, found.named);
  const name = procedureOf(context);
  const input = parseInput(name, await readCallInput(context.req, { ...callReading, clock: options.clock }));
  context.body = { success: true, data: await callHandler(options.handlers, name, input) };
}

/** Whether the request carries the token, which the desktop window's own process adds; no error, since a page only asks. */
function isOpen(context: Context, { token }: ControlApiOptions): boolean {
  try {
    assertControlToken(context.req.headers[controlTokenHeader], token);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const sessionInput = z.strictObject({ code: z.string().max(100) });

/** The token, once for each code. */
async function openSession(
  context: Context,
  { token, entryCodes, clock }: ControlApiOptions,
): Promise<{ token: string }> {
  if (context.method !== 'POST') throw methodNotAllowed('GET, POST');
  const input = sessionInput.safeParse(await readCallInput(context.req, { ...sessionReading, clock }));
  if (!input.success || !entryCodes.redeem(input.data.code)) throw entryCodeInvalid();
  return { token };
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
