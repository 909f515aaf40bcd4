// Notes every call to the public API, refused ones too, once its answer has ended. The first middleware, so that no
// answer escapes it. Of the pages and the control API it notes only requests that the guard refused, and unknown page
// paths. This runs for each call of a polling client, so it does only the work that cannot wait.
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { LoggedBody, Refusal } from '../domain/api-log/logged-call.ts';
import { maskKeys, maskTarget } from '../domain/api-log/mask-keys.ts';
import type { CallLog } from '../services/call-log.ts';
import type { ReplayPass, ReplayPasses } from '../services/replay-passes.ts';
import { beginNotes, refusalOf, type CallNotes } from './call-notes.ts';
import type { RequestKind } from './guard.ts';
import { replayHeader } from './key-headers.ts';
import { NotedCall, type CallRecord } from './noted-call.ts';
import { answeredHeaders, sentHeaders } from './noted-headers.ts';

export type RecordingParts = {
  readonly callLog: CallLog;
  readonly passes: ReplayPasses;
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

export function recordCalls(parts: RecordingParts, kindOf: (context: Context) => RequestKind): Middleware {
  const { clock } = parts;
  return (context, next) => {
    const kind = kindOf(context);
    const notes = beginNotes(context);
    const watched: Watched = { context, notes, at: clock.now(), began: clock.monotonic() };
    context.res.on('close', () => {
      if (kind === 'public' || isTurnedAway(notes, kind)) note(parts, watched);
    });
    return next();
  };
}

/** Whether the guard refused the request, or a page path is unknown: a client may have meant the public API. */
function isTurnedAway(notes: CallNotes, kind: RequestKind): boolean {
  const code = refusalOf(notes)?.code;
  return code === 'guard_refused' || (kind === 'page' && code === 'route_not_found');
}

function note(parts: RecordingParts, watched: Watched): void {
  const pass = parts.passes.of(watched.context.req.headers[replayHeader]);
  const number = parts.callLog.add(new NotedCall(recordOf(parts, watched, pass)));
  pass?.noted(number);
}

/** A key may stand anywhere in what a client sends, and what it sends may come back in an answer's words. */
function recordOf(parts: RecordingParts, watched: Watched, pass: ReplayPass | undefined): CallRecord {
  const { context, notes, at, began } = watched;
  const { req: request, res: response } = context;
  const ended = parts.clock.monotonic();
  const { extraKeyHeader, fixedKey } = parts;
  const { values, ...came } = sentHeaders(headersOf(request), { extra: extraKeyHeader(), fixedKey });
  const { run } = notes;
  return {
    at,
    method: request.method ?? '',
    path: pathOf(request, values),
    route: notes.route ?? 'other',
    workflowId: run === undefined ? idOf(notes.workflowId, values) : run.workflowId,
    runId: run === undefined ? idOf(notes.runId, values) : run.runId,
    runStatus: run?.status,
    key: notes.key,
    status: response.headersSent ? response.statusCode : 0,
    isCut: response.writableFinished ? undefined : true,
    refusal: refusalAsTold(notes, values),
    charged: chargedTo(notes),
    firstByteIn: hundredths((notes.answeredAt ?? ended) - began),
    endedIn: hundredths(ended - began),
    sentBytes: Math.max(notes.sentBytes, declaredBytes(request)),
    replayOf: pass?.replayOf,
    came,
    answered: answeredHeaders(response),
    sent: sentBody(request, notes, values),
    answer: notes.answerBody(values),
  };
}

/** Whole numbers are kept in less room. */
const hundredths = (ms: number): number => Math.round(ms * 100);

const pathOf = ({ url = '' }: IncomingMessage, values: readonly string[]): string =>
  maskTarget(url, values).slice(0, longestPath);

const chargedTo = ({ charges }: CallNotes): CallRecord['charged'] => charges?.charged ?? nothing;
const nothing: CallRecord['charged'] = [];
const longestPath = 2_048;
const longestId = 128;
const longestMessage = 1_000;

/** Raw headers of the request, without the pass that the server adds to a repeated call. */
const headersOf = ({ headers, rawHeaders }: IncomingMessage): readonly string[] =>
  headers[replayHeader] === undefined
    ? rawHeaders
    : rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== replayHeader);

const idOf = (id: string | undefined, values: readonly string[]): string | undefined =>
  id === undefined ? undefined : maskKeys(id, values).slice(0, longestId);

function refusalAsTold(notes: CallNotes, values: readonly string[]): Refusal | undefined {
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
