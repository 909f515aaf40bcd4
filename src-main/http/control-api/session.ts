// GET, POST and DELETE /_rowbench/v1/session: the only path that needs no token. A page exchanges a link's one-time code, or
// the secret of a paired browser, for this start's token; on a team server, an access token for a cookie.
import type { Context } from 'koa';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/app-error.ts';
import { entryCodeInvalid, methodNotAllowed } from '../../domain/request-errors.ts';
import type { BrowserService } from '../../services/access/browser-service.ts';
import { withAudit, type AuditDeps } from './audit-calls.ts';
import type { EntryCodes } from './entry-codes.ts';
import { readCallInput, sessionReading } from './read-call-input.ts';
import type { TokenAccess, TokenCaller } from './token-access.ts';

export type SessionDeps = {
  readonly browsers: BrowserService;
  readonly entryCodes: EntryCodes;
  readonly clock: Clock;
};

const sessionInput = z.union([
  z.strictObject({ code: z.string().max(100) }),
  z.strictObject({ secret: z.string().max(100) }),
]);

/**
 * Without a token, a page may know whether its request carries one (the desktop window's own process adds it), and the name
 * of the data folder, under which the page keeps its secret.
 */
export async function answerSession(
  context: Context,
  deps: SessionDeps,
  isOpen: () => Promise<boolean>,
): Promise<void> {
  const { browsers } = deps;
  const data =
    context.method === 'GET'
      ? { isOpen: await isOpen(), folderId: browsers.folderId }
      : await openSession(context, deps);
  context.body = { success: true, data };
}

/** Pairs a browser for a one-time code, or lets a paired one in for its secret. Throws `invalid_key`. */
async function openSession(context: Context, { browsers, entryCodes, clock }: SessionDeps) {
  if (context.method !== 'POST') throw methodNotAllowed('GET, POST');
  const { data } = sessionInput.safeParse(await readCallInput(context.req, { ...sessionReading, clock }));
  if (data !== undefined && 'secret' in data) return browsers.open(data.secret);
  if (data === undefined || !entryCodes.redeem(data.code)) throw entryCodeInvalid();
  const session = await browsers.pair(context.req.headers['user-agent']);
  return { ...session, folderId: browsers.folderId };
}

export type TeamSessionDeps = AuditDeps & {
  readonly access: TokenAccess;
  readonly browsers: BrowserService;
};

/** The same of a team server, where a user signs in and out. */
export async function answerTeamSession(context: Context, deps: TeamSessionDeps): Promise<void> {
  const { access, browsers } = deps;
  const state = (caller: TokenCaller | undefined) => ({
    isOpen: caller !== undefined,
    folderId: browsers.folderId,
    asks: 'token',
    ...(caller === undefined ? {} : { user: { name: caller.name, role: caller.role } }),
  });
  if (context.method === 'GET') {
    const caller = await access.callerOf(context.req).catch(undefinedIfRefused);
    context.body = { success: true, data: state(caller) };
  } else if (context.method === 'POST') {
    const caller = await access.signIn(context);
    await withAudit(deps, { procedure: 'session.open', caller }, async () => undefined);
    context.body = { success: true, data: state(caller) };
  } else if (context.method === 'DELETE') {
    const caller = await access.callerOf(context.req);
    if (caller !== undefined)
      await withAudit(deps, { procedure: 'session.close', caller }, () => access.signOut(context, caller));
    context.body = { success: true, data: state(undefined) };
  } else throw methodNotAllowed('GET, POST, DELETE');
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'invalid_key') return undefined;
  throw error;
}
