// Notes every call to the public API, refused ones too, once its answer has ended. The first middleware, so that no
// answer escapes it. Of the pages and the control API it notes only requests that the guard refused, and unknown page
// paths.
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { CallContent, LoggedBody, Refusal } from '../domain/api-log/logged-call.ts';
import { maskKeys, maskTarget } from '../domain/api-log/mask-keys.ts';
import type { CallLog, NewCall } from '../services/api/call-log.ts';
import type { ReplayTokens } from '../services/api/replay-tokens.ts';
import { beginNotes, refusalOf, type CallNotes } from './call-notes.ts';
import type { RequestKind } from './guard.ts';
import { answeredHeaders, sentHeaders, type SentHeaders, replayHeader } from './logged-headers.ts';

export type RecordingDeps = {
  readonly callLog: CallLog;
  readonly replayTokens: ReplayTokens;
  readonly extraKeyHeader: () => string | undefined;
  readonly fixedKey?: string | undefined;
  readonly clock: Clock;
};

type Watched = {
  readonly context: Context;
  readonly notes: CallNotes;
  readonly at: number;
  readonly began: number;
};

export function recordCalls(deps: RecordingDeps, kindOf: (context: Context) => RequestKind): Middleware {
  const { clock } = deps;
  return (context, next) => {
    const kind = kindOf(context);
    const notes = beginNotes(context);
    const watched: Watched = { context, notes, at: clock.now(), began: clock.monotonic() };
    context.res.on('close', () => {
      if (kind === 'public' || isTurnedAway(notes, kind)) note(deps, watched);
    });
    return next();
  };
}

/** True if the guard refused the request, or a page path is unknown: a client may have meant the public API. */
function isTurnedAway(notes: CallNotes, kind: RequestKind): boolean {
  const code = refusalOf(notes)?.code;
  return code === 'guard_refused' || (kind === 'page' && code === 'route_not_found');
}

/** A key may stand anywhere in what a client sends, and what it sends may come back in the text of an answer. */
function note(deps: RecordingDeps, watched: Watched): void {
  const ended = deps.clock.monotonic();
  const { context, notes } = watched;
  const { req: request, res: response } = context;
  const token = deps.replayTokens.find(request.headers[replayHeader]);
  const { extraKeyHeader, fixedKey } = deps;
  const sentHead = sentHeaders(headersOf(request), { extra: extraKeyHeader(), fixedKey });
  const content: CallContent = {
    requestHeaders: sentHead.headers,
    answerHeaders: answeredHeaders(response),
    sent: sentBody(request, notes, sentHead.values),
    answer: notes.answerBody(sentHead.values),
  };
  const call: NewCall = {
    ...fieldsOf(watched, sentHead),
    ...timesOf(watched, ended),
    answerBytes: content.answer.bytes,
    ...(token === undefined ? {} : { replayOf: token.replayOf }),
  };
  const number = deps.callLog.add(call, content);
  token?.reportNumber(number);
}

function fieldsOf(
  { context, notes, at }: Watched,
  { keyLocation, client, values }: SentHeaders,
): Omit<NewCall, 'firstByteMs' | 'ms' | 'answerBytes'> {
  const { req: request, res: response } = context;
  const { key } = notes;
  const refusal = maskedRefusal(notes, values);
  return {
    at,
    method: request.method ?? '',
    path: pathOf(request, values),
    route: notes.route ?? 'other',
    ...subjectOf(notes, { refusal, values }),
    ...(key === undefined ? {} : { key: { id: key.id, name: key.name, last4: key.last4 } }),
    keyLocation,
    status: response.headersSent ? response.statusCode : 0,
    ...(response.writableFinished ? {} : { isCut: true as const }),
    ...(refusal === undefined ? {} : { refusal }),
    charged: notes.charges?.charged ?? [],
    sentBytes: Math.max(notes.sentBytes, declaredBytes(request)),
    client,
  };
}

/** The workflow and the run that the call concerns. */
function subjectOf(
  { run, workflowId, runId }: CallNotes,
  { refusal, values }: { readonly refusal: Refusal | undefined; readonly values: readonly string[] },
): Pick<NewCall, 'workflowId' | 'runId' | 'runStatus'> {
  if (run !== undefined) {
    const { workflowId, runId, status } = run;
    return { workflowId, runId, ...(reportsStatus(refusal) ? { runStatus: status } : {}) };
  }
  return {
    ...(workflowId === undefined ? {} : { workflowId: idOf(workflowId, values) }),
    ...(runId === undefined ? {} : { runId: idOf(runId, values) }),
  };
}

/** An answer with a rate limit, or another error, says nothing about the run. */
const reportsStatus = (refusal: Refusal | undefined): boolean =>
  refusal === undefined || refusal.code === 'run_not_completed';

/** Rounded to hundredths of a millisecond. */
const timesOf = ({ notes, began }: Watched, ended: number): Pick<NewCall, 'firstByteMs' | 'ms'> => ({
  firstByteMs: hundredths((notes.answeredAt ?? ended) - began),
  ms: hundredths(ended - began),
});

const hundredths = (ms: number): number => Math.round(ms * 100) / 100;

const pathOf = ({ url = '' }: IncomingMessage, values: readonly string[]): string =>
  maskTarget(url, values).slice(0, longestPath);

const longestPath = 2_048;
const longestId = 128;
const longestMessage = 1_000;

/** Raw headers of the request, without the pass that the server adds to a repeated call. */
const headersOf = ({ headers, rawHeaders }: IncomingMessage): readonly string[] =>
  headers[replayHeader] === undefined
    ? rawHeaders
    : rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== replayHeader);

const idOf = (id: string, values: readonly string[]): string => maskKeys(id, values).slice(0, longestId);

function maskedRefusal(notes: CallNotes, values: readonly string[]): Refusal | undefined {
  const error = refusalOf(notes);
  if (error === undefined) return undefined;
  const { limit, retryAfterSeconds } = error.detail;
  return {
    code: error.code,
    message: maskKeys(error.message, values).slice(0, longestMessage),
    ...(limit === undefined ? {} : { limit }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** A refused call's body may have been read in part or not at all. */
function sentBody(request: IncomingMessage, notes: CallNotes, values: readonly string[]): LoggedBody {
  const body = notes.sentBody(values);
  const declared = declaredBytes(request);
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const isAll = body.bytes >= declared && !(isChunked && notes.error !== undefined);
  return isAll ? body : { ...body, bytes: Math.max(body.bytes, declared), isWhole: false };
}

function declaredBytes({ headers }: IncomingMessage): number {
  const declared = headers['content-length'];
  const bytes = declared === undefined ? 0 : Number(declared);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
