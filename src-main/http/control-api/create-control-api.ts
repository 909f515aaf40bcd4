// The private door for the app's pages and the command line: POST /_rowbench/v1/call/<procedure>, GET …/events, routes
// for rows, and …/session. Everything but the session needs a token. On a team server, each caller has a role, and changes
// are written to the audit log. The guard has checked host and origin before.
// Errors are thrown as AppErrors: the server's answer layer writes them.
import type { Context, Middleware } from 'koa';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import { accessRules, hasRole, procedures, type Handlers, type ProcedureName } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { roleNeeded, signInNeeded } from '../../domain/access-errors.ts';
import { invalidControlToken, methodNotAllowed, routeNotFound } from '../../domain/request-errors.ts';
import type { BrowserService } from '../../services/access/browser-service.ts';
import { isSameSecret } from '../../services/access/secret-hash.ts';
import type { TokenService } from '../../services/access/token-service.ts';
import { findRoute } from '../route.ts';
import { withAudit, type AuditDeps, type AuditedCall } from './audit-calls.ts';
import type { ControlRoute } from './control-route.ts';
import { controlTokenHeader } from './control-token.ts';
import type { EntryCodes } from './entry-codes.ts';
import { OpenStreams, streamEvents, type LiveUpdates } from './api/event-stream.ts';
import {
  callReading,
  publishReading,
  readCallInput,
  rowsReading,
  textCallBytes,
  type CallReading,
} from './read-call-input.ts';
import { answerSession, answerTeamSession } from './session.ts';
import { TokenAccess, type TokenCaller } from './token-access.ts';

export type ControlApiOptions = {
  /** Opens everything; for processes that can read the data folder. */
  readonly token: string;
  /** Paired browsers have tokens of their own. */
  readonly browsers: BrowserService;
  readonly handlers: Handlers;
  readonly updates: LiveUpdates;
  readonly entryCodes: EntryCodes;
  readonly routes: readonly ControlRoute[];
  readonly clock: Clock;
  /** Absent: each change has a record. */
  readonly isContinued?: AuditDeps['isContinued'];
  /** Users sign in with access tokens; absent: all callers are the one user of the data folder. */
  readonly team?: TeamOptions | undefined;
};

export type TeamOptions = Omit<AuditDeps, 'clock' | 'isContinued'> & {
  readonly tokens: TokenService;
  /** True if browsers reach the server by https alone. */
  readonly isHttps: boolean;
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
  const { team: teamOptions, browsers, clock, isContinued = () => false } = options;
  const team =
    teamOptions === undefined
      ? undefined
      : { ...teamOptions, clock, isContinued, access: new TokenAccess({ ...teamOptions, browsers, clock }) };
  const deps: ControlApiDeps = { ...options, team, streams: new OpenStreams() };
  browsers.events.listen(() => deps.streams.endRefused());
  teamOptions?.tokens.events.listen(() => deps.streams.endRefused());
  return (context, next) => (isControlPath(context.path) ? answerNamingErrors(context, deps) : next());
}

type Team = TeamOptions & AuditDeps & { readonly access: TokenAccess };
type ControlApiDeps = Omit<ControlApiOptions, 'team'> & {
  readonly team: Team | undefined;
  readonly streams: OpenStreams;
};

async function answerNamingErrors(context: Context, deps: ControlApiDeps): Promise<void> {
  try {
    await answer(context, deps);
  } catch (error) {
    if (error instanceof AppError && !context.headerSent) context.set(errorCodeHeader, error.code);
    throw error;
  }
}

async function answer(context: Context, deps: ControlApiDeps): Promise<void> {
  if (context.path === sessionPath) {
    if (deps.team !== undefined) return answerTeamSession(context, { ...deps, ...deps.team });
    return answerSession(context, deps, async () => (await callerOf(context, deps)) !== undefined);
  }
  const caller = await callerOf(context, deps);
  if (caller === undefined) throw deps.team === undefined ? invalidControlToken() : signInNeeded();
  context.state['isOwner'] = caller.user === undefined || caller.user.role === 'admin';
  context.state['caller'] = caller.user;
  if (context.path === eventsPath) {
    if (context.method !== 'GET') throw methodNotAllowed('GET');
    return streamEvents(context, { ...deps, isAllowed: caller.isAllowed });
  }
  const found = findRoute(deps.routes, context.path.slice(controlPrefix.length), context.method);
  if (found !== undefined) {
    const { route, named } = found;
    const answerRoute = async (): Promise<unknown> => {
      await route.answer(context, named);
      return (context.body as { data?: unknown } | undefined)?.data;
    };
    const [workflowId] = named;
    await permitted(deps, { procedure: route.name, caller: caller.user, input: { workflowId } }, answerRoute);
    return;
  }
  const name = procedureOf(context);
  const call: PermittedCall = { procedure: name, caller: caller.user };
  const data = await permitted(deps, call, async () => {
    call.input = await inputOf(context, name, deps.clock);
    return callHandler(deps.handlers, name, call);
  });
  context.body = { success: true, data };
}

type PermittedCall = AuditedCall & {
  readonly procedure: keyof typeof accessRules;
  readonly caller: TokenCaller | undefined;
};

/** Does the work if the caller's role suffices, and writes a change to the audit log. Throws `role_required`. */
function permitted<T>({ team }: ControlApiDeps, call: PermittedCall, work: () => Promise<T>): Promise<T> {
  if (team === undefined) return work();
  const { role, isChange } = accessRules[call.procedure];
  const checked = async (): Promise<T> => {
    if (call.caller !== undefined && !hasRole(call.caller.role, role))
      throw roleNeeded(role, call.caller.role);
    return work();
  };
  return isChange ? withAudit(team, call, checked) : checked();
}

type Caller = {
  /** Undefined: the one user of a data folder, or a process that can read it. */
  readonly user: TokenCaller | undefined;
  /** True until the caller's access ends. */
  readonly isAllowed: () => boolean;
};

/** The sender of the request; undefined if it carries no token. Throws `invalid_key` for a wrong access token. */
async function callerOf({ req }: Context, deps: ControlApiDeps): Promise<Caller | undefined> {
  const { token, browsers, team } = deps;
  const presented = req.headers[controlTokenHeader];
  if (typeof presented === 'string' && isSameSecret(presented, token))
    return { user: undefined, isAllowed: () => true };
  if (team !== undefined) {
    const user = await team.access.callerOf(req);
    return user === undefined ? undefined : { user, isAllowed: () => team.access.isLive(user) };
  }
  const browser = typeof presented === 'string' ? browsers.browserOf(presented) : undefined;
  if (browser === undefined) return undefined;
  return { user: undefined, isAllowed: () => browsers.list().some(({ id }) => id === browser.id) };
}

const isControlPath = (path: string): boolean =>
  path === controlPrefix || path.startsWith(`${controlPrefix}/`);

function procedureOf(context: Context): ProcedureName {
  const name = context.path.startsWith(callPrefix) ? context.path.slice(callPrefix.length) : '';
  if (!Object.hasOwn(procedures, name)) throw routeNotFound();
  if (context.method !== 'POST') throw methodNotAllowed('POST');
  return name as ProcedureName;
}

function inputOf(context: Context, name: ProcedureName, clock: Clock): Promise<unknown> {
  return readCallInput(context.req, { ...readingOf(name), clock }).then((value) => parseInput(name, value));
}

function readingOf(name: ProcedureName): Omit<CallReading, 'clock'> {
  if (name === 'workflow.publish') return publishReading;
  if (name === 'hosted.run') return rowsReading;
  return name.startsWith('author.') ? { ...callReading, maxBytes: textCallBytes } : callReading;
}

/** The table's types pair each name with its input; the pairing is lost once the name is a variable. */
function callHandler(handlers: Handlers, name: ProcedureName, call: PermittedCall): Promise<unknown> {
  const handler = handlers[name] as (input: unknown, caller?: TokenCaller) => Promise<unknown>;
  return handler(call.input, call.caller);
}
