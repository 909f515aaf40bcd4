// Notes every call to the public API, refused ones too, once its answer has ended. The first middleware, so that nothing
// is answered unseen; of the pages and the control API only what was refused at the door or found nowhere.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { KeyPlace, LoggedBody, LoggedCall, Refusal } from '../domain/api-log/logged-call.ts';
import { maskHeaders, maskKeys, maskTarget, otherKeyHeader } from '../domain/api-log/mask-keys.ts';
import type { CallLog } from '../services/call-log.ts';
import type { ReplayPasses } from '../services/replay-passes.ts';
import { beginNotes, refusalOf, type BodyHead, type CallNotes } from './call-notes.ts';
import type { RequestKind } from './guard.ts';
import { keyHeader, replayHeader } from './key-headers.ts';

export type RecordingParts = {
  readonly callLog: CallLog;
  readonly passes: ReplayPasses;
  readonly extraKeyHeader: () => string | undefined;
  readonly clock: Clock;
};

export function recordCalls(parts: RecordingParts, kindOf: (context: Context) => RequestKind): Middleware {
  return (context, next) => {
    const kind = kindOf(context);
    const notes = beginNotes(context);
    const times = { at: parts.clock.now(), began: parts.clock.monotonic(), answeredAt: undefined };
    const watched: Watched = { context, notes, times };
    // Pages are many bytes that nobody wants to see.
    if (kind === 'public')
      watchAnswer(context.res, notes.answer, () => (watched.times.answeredAt ??= now(parts)));
    context.res.once('close', () => {
      if (kind === 'public' || isTurnedAway(watched, kind)) note(parts, watched);
    });
    return next();
  };
}

type Watched = {
  readonly context: Context;
  readonly notes: CallNotes;
  readonly times: { readonly at: number; readonly began: number; answeredAt: number | undefined };
};

const now = ({ clock }: RecordingParts): number => clock.monotonic();

/** What a client of the public API may have meant for it, and what the guard kept from the others. */
function isTurnedAway({ notes }: Watched, kind: RequestKind): boolean {
  const code = refusalOf(notes)?.code;
  return code === 'guard_refused' || (kind === 'page' && code === 'route_not_found');
}

/** Looks at what is written, on its way; the answer goes as it would. */
function watchAnswer(response: ServerResponse, head: BodyHead, onFirst: () => void): void {
  const write = response.write.bind(response) as Passing<boolean>;
  const end = response.end.bind(response) as Passing<ServerResponse>;
  const look = (chunk: unknown): void => {
    onFirst();
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) head.take(chunk);
  };
  response.write = (...given: unknown[]) => {
    look(given[0]);
    return write(...given);
  };
  response.end = (...given: unknown[]) => {
    look(given[0]);
    return end(...given);
  };
}

/** Both take a body's piece first, in several forms; whatever they were given is passed on. */
type Passing<Result> = (...given: unknown[]) => Result;

function note(parts: RecordingParts, { context, notes, times }: Watched): void {
  const { req: request, res: response } = context;
  const ended = now(parts);
  const extra = parts.extraKeyHeader();
  const { headers, values } = maskHeaders(request.rawHeaders, extra);
  const mask = (text: string, longest: number): string => maskKeys(text.slice(0, longest), values);
  const pass = parts.passes.of(request.headers[replayHeader]);
  const call = parts.callLog.add(
    {
      at: times.at,
      method: request.method ?? '',
      path: maskTarget(request.url ?? '', values).slice(0, longestPath),
      ...routeFacts(notes, mask),
      ...keyFacts(notes),
      keyPlace: keyPlaceOf(request, extra),
      ...answerFacts(response, notes, mask),
      charged: notes.charges?.charged ?? [],
      firstByteMs: hundredths((times.answeredAt ?? ended) - times.began),
      ms: hundredths(ended - times.began),
      sentBytes: Math.max(notes.sent.bytes, declaredBytes(request.headers['content-length'])),
      answerBytes: request.method === 'HEAD' ? 0 : notes.answer.bytes,
      client: mask(request.headers['user-agent'] ?? '', longestClient),
      ...(pass === undefined ? {} : { replayOf: pass.replayOf }),
    },
    {
      requestHeaders: headers.filter(([name]) => name.toLowerCase() !== replayHeader),
      answerHeaders: headersOf(response),
      sent: sentBody(request, notes, values),
      answer: notes.answer.body(values),
    },
  );
  pass?.noted(call.number);
}

const longestPath = 2_048;
const longestClient = 256;
const longestId = 128;
const longestMessage = 1_000;
const hundredths = (ms: number): number => Math.round(ms * 100) / 100;

/** A key may stand anywhere in what a client sends, and what it sends may come back in an answer's words. */
type Mask = (text: string, longest: number) => string;

function routeFacts({ route, workflowId, runId, run }: CallNotes, mask: Mask) {
  const wanted = runId ?? run?.runId;
  return {
    route: route ?? ('other' as const),
    ...(workflowId === undefined ? {} : { workflowId: mask(workflowId, longestId) }),
    ...(wanted === undefined ? {} : { runId: mask(wanted, longestId) }),
    ...(run === undefined ? {} : { runStatus: run.status }),
  };
}

function keyFacts({ key }: CallNotes): Pick<LoggedCall, 'key'> {
  return key === undefined ? {} : { key: { id: key.id, name: key.name, last4: key.last4 } };
}

function keyPlaceOf({ rawHeaders }: IncomingMessage, extra: string | undefined): KeyPlace {
  const names = [keyHeader, ...(extra === undefined ? [] : [extra])];
  const isThere = rawHeaders.some((name, index) => index % 2 === 0 && names.includes(name.toLowerCase()));
  if (isThere) return 'header';
  const elsewhere = otherKeyHeader(rawHeaders, [...names, replayHeader]);
  return elsewhere === undefined ? 'nowhere' : { elsewhere };
}

function answerFacts(response: ServerResponse, notes: CallNotes, mask: Mask) {
  const error = refusalOf(notes);
  const refusal: Refusal | undefined =
    error === undefined
      ? undefined
      : {
          code: error.code,
          message: mask(error.message, longestMessage),
          ...(error.detail.limit === undefined ? {} : { limit: error.detail.limit }),
          ...(error.detail.retryAfterSeconds === undefined
            ? {}
            : { retryAfterSeconds: error.detail.retryAfterSeconds }),
        };
  return {
    status: response.headersSent ? response.statusCode : 0,
    ...(response.writableFinished ? {} : { isCut: true as const }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** A refused call's body may have been read in part or not at all. */
function sentBody({ headers }: IncomingMessage, notes: CallNotes, values: readonly string[]): LoggedBody {
  const body = notes.sent.body(values);
  const declared = declaredBytes(headers['content-length']);
  const isChunked = headers['transfer-encoding'] !== undefined;
  const isAll = body.bytes >= declared && !(isChunked && notes.error !== undefined);
  return isAll ? body : { ...body, bytes: Math.max(body.bytes, declared), isWhole: false };
}

const declaredBytes = (header: string | undefined): number => {
  const bytes = Number(header ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
};

const headersOf = (response: ServerResponse) =>
  Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
