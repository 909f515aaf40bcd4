// Layers that every request passes, in this order: headers that every answer carries, the answer layer, the guard, then
// the two APIs and the pages, which do not know each other. Who calls: app/start-app.ts, with the port's own host
// names.
import type { IncomingMessage, RequestListener } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { guardRefused, headersTooLarge, routeNotFound } from '../domain/request-errors.ts';
import { sendText } from './answer-text.ts';
import { notesOf } from './call-notes.ts';
import { countRequests, type RequestCounter } from './count-requests.ts';
import { errorAnswer, sendError } from './error-response.ts';
import type { Arrival } from './arrival.ts';
import { checkRequest, type RequestKind, type SiteNames } from './guard.ts';
import { recordCalls, type RecordingDeps } from './record-calls.ts';
import { hasUnreadBody } from './request-body.ts';
import { maxHeaders, securityHeaders } from './server-limits.ts';

export type HttpAppDeps = {
  readonly site: SiteNames;
  /** Default: a client on this machine, by http. */
  readonly arrivalOf?: (request: IncomingMessage) => Arrival;
  /** Answers probes, whatever name they use for the server, and passes all other paths on. */
  readonly health?: Middleware;
  /** Answers paths under /_rowbench/v1 and passes all others on. */
  readonly controlApi?: Middleware;
  /** Answers the app's pages and passes all other paths on. */
  readonly pages?: Middleware;
  /** Answers /api/v1 and /openapi.json and passes all others on. */
  readonly publicApi: Middleware;
  /** Where calls to the public API are noted; without it they are not. */
  readonly recording?: RecordingDeps;
  readonly requestCounter?: RequestCounter | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** A year. */
const hstsSeconds = 31_536_000;

export function createHttpApp(deps: HttpAppDeps): RequestListener {
  const app = new Koa();
  // Errors end in the answer layer; what still comes here is a connection that broke while an answer was written.
  app.on('error', (error: unknown) => deps.log.debug({ error }, 'an answer could not be delivered'));
  if (deps.requestCounter !== undefined) app.use(countRequests(deps.requestCounter, kindOf));
  if (deps.recording !== undefined) app.use(recordCalls(deps.recording, kindOf));
  app.use(answerLayer(deps));
  if (deps.health !== undefined) app.use(deps.health);
  app.use(guard(deps));
  if (deps.controlApi !== undefined) app.use(deps.controlApi);
  if (deps.pages !== undefined) app.use(deps.pages);
  app.use(deps.publicApi);
  app.use(() => {
    throw routeNotFound();
  });
  const listener = app.callback();
  return (request, response) => {
    for (const name in securityHeaders) response.setHeader(name, securityHeaders[name] ?? '');
    void listener(request, response);
  };
}

/** Sends what the routes answer in one piece, and what they throw. */
function answerLayer({ clock, log, recording }: HttpAppDeps): Middleware {
  return async (context, next) => {
    try {
      await next();
      if (recording !== undefined) notesOf(context).answeredAt ??= clock.monotonic();
      // Koa's own answers, like those in one piece, do not wait for an unread body to end.
      if (context.respond !== false && hasUnreadBody(context.req)) context.set('Connection', 'close');
      sendText(context, clock);
    } catch (error) {
      const notes = notesOf(context);
      notes.error = error;
      notes.answeredAt ??= clock.monotonic();
      context.respond = false;
      const answer = errorAnswer(error, log, isOwner(context));
      const isSent = sendError(context.req, context.res, { answer, clock });
      if (isSent && context.method !== 'HEAD') notes.answer = answer.body;
    }
  };
}

/** Set by the control API once it has seen the token. */
const isOwner = ({ state }: Context): boolean => state['isOwner'] === true;

const fromThisMachine = (): Arrival => ({ client: '127.0.0.1', isSecure: false });

function guard({ site, arrivalOf = fromThisMachine }: HttpAppDeps): Middleware {
  return (context, next) => {
    const { rawHeaders, url } = context.req;
    const arrival = arrivalOf(context.req);
    const refusal = checkRequest({ rawHeaders, url, kind: kindOf(context), site, arrival });
    if (refusal !== undefined) throw guardRefused(refusal);
    // Node leaves headers beyond its own limit out without a word; a key among them would seem to be missing.
    if (rawHeaders.length > 2 * maxHeaders) throw headersTooLarge();
    // For the public name alone: "localhost" over https must not bind other servers of the machine.
    if (arrival.isSecure && site.origins.has(context.host.toLowerCase()))
      context.set('Strict-Transport-Security', `max-age=${hstsSeconds}`);
    return next();
  };
}

function kindOf({ path }: Pick<Context, 'path'>): RequestKind {
  if (path.startsWith('/_rowbench/')) return 'control';
  return path.startsWith('/api/') || path === '/openapi.json' ? 'public' : 'page';
}
