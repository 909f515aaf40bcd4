// The private door for the app's pages and the command line: POST /_rowbench/v1/call/<procedure>, GET …/events, routes
// for rows, and …/session. There a page exchanges a link's one-time code, or the secret of a paired browser, for a token.
// The guard has checked host and origin before. Everything but the session needs a token.
// Errors are thrown as AppErrors: the server's answer layer writes them.
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import { procedures, type Handlers, type ProcedureName } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse-input.ts';
import {
  entryCodeInvalid,
  invalidControlToken,
  methodNotAllowed,
  routeNotFound,
} from '../../domain/request-errors.ts';
import type { BrowserService } from '../../services/browser-service.ts';
import { findRoute, type Route } from '../route.ts';
import { controlTokenHeader, isControlToken } from './control-token.ts';
import type { EntryCodes } from './entry-codes.ts';
import { OpenStreams, streamEvents, type LiveUpdates } from './event-stream.ts';
import { callReading, readCallInput, sessionReading, textCallBytes } from './read-call-input.ts';

export type ControlApiOptions = {
  /** Opens everything; for processes that can read the data folder. */
  readonly token: string;
  /** Paired browsers have tokens of their own. */
  readonly browsers: BrowserService;
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
  const deps: ControlApiDeps = { ...options, streams: new OpenStreams() };
  options.browsers.events.listen((id) => {
    if (!options.browsers.list().some((browser) => browser.id === id)) deps.streams.endOf(id);
  });
  return (context, next) => (isControlPath(context.path) ? answerNamingErrors(context, deps) : next());
}

type ControlApiDeps = ControlApiOptions & { readonly streams: OpenStreams };

async function answerNamingErrors(context: Context, deps: ControlApiDeps): Promise<void> {
  try {
    await answer(context, deps);
  } catch (error) {
    if (error instanceof AppError && !context.headerSent) context.set(errorCodeHeader, error.code);
    throw error;
  }
}

async function answer(context: Context, options: ControlApiDeps): Promise<void> {
  if (context.path === sessionPath) {
    const data =
      context.method === 'GET' ? sessionState(context, options) : await openSession(context, options);
    context.body = { success: true, data };
    return;
  }
  const caller = callerOf(context, options);
  if (caller === undefined) throw invalidControlToken();
  context.state['isOwner'] = true;
  if (context.path === eventsPath) {
    if (context.method !== 'GET') throw methodNotAllowed('GET');
    await streamEvents(context, { ...options, caller });
    return;
  }
  const found = findRoute(options.routes, context.path.slice(controlPrefix.length), context.method);
  if (found !== undefined) return found.route.answer(context, found.named);
  const name = procedureOf(context);
  const maxBytes = name.startsWith('author.') ? textCallBytes : callReading.maxBytes;
  const reading = { ...callReading, maxBytes, clock: options.clock };
  const input = parseInput(name, await readCallInput(context.req, reading));
  context.body = { success: true, data: await callHandler(options.handlers, name, input) };
}

/** Id of the browser whose token the request carries, or `owner` for the server's own token; undefined for any other. */
function callerOf({ req }: Context, { token, browsers }: ControlApiOptions): string | undefined {
  const presented = req.headers[controlTokenHeader];
  if (typeof presented !== 'string') return undefined;
  return isControlToken(presented, token) ? 'owner' : browsers.browserOf(presented)?.id;
}

/**
 * What a page may know without a token: `isOpen`, whether its request carries one (the desktop window's own process adds
 * it), and the name of the data folder, under which the page keeps its secret.
 */
const sessionState = (context: Context, options: ControlApiOptions) => ({
  isOpen: callerOf(context, options) !== undefined,
  folderId: options.browsers.folderId,
});

const sessionInput = z.union([
  z.strictObject({ code: z.string().max(100) }),
  z.strictObject({ secret: z.string().max(100) }),
]);

/** Pairs a browser for a one-time code, or lets a paired one in for its secret. Throws `invalid_key`. */
async function openSession(context: Context, { browsers, entryCodes, clock }: ControlApiOptions) {
  if (context.method !== 'POST') throw methodNotAllowed('GET, POST');
  const { data } = sessionInput.safeParse(await readCallInput(context.req, { ...sessionReading, clock }));
  if (data !== undefined && 'secret' in data) return browsers.open(data.secret);
  if (data === undefined || !entryCodes.redeem(data.code)) throw entryCodeInvalid();
  const session = await browsers.pair(context.req.headers['user-agent']);
  return { ...session, folderId: browsers.folderId };
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
