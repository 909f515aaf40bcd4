// Reads the answers of a hosted service: tolerant of what its document leaves open, strict in what is concluded. A POST
// counts as accepted only with an id, and as refused only with a status that says so; anything else is an unknown outcome.
import { streamDecoder } from '../../base/text-decoder.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { runStatuses, type RunStatus } from '../run/run-status.ts';

/** An answer, with credentials masked already. */
export type HostedAnswer = {
  readonly status: number;
  readonly body: Uint8Array;
  readonly location?: string | undefined;
  readonly retryAfterMs?: number | undefined;
};

/** Wait in ms after a 429 without a readable `Retry-After`: the length of the limit's window. */
const defaultWaitMs = 60_000;

export type TriggerOutcome =
  | { readonly kind: 'accepted'; readonly runId: string }
  /** The service has not got the rows; they may be sent again. */
  | { readonly kind: 'notSent'; readonly message: string; readonly waitMs?: number }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly message: string };

export type StatusOutcome =
  { readonly kind: 'status'; readonly status: RunStatus; readonly error?: string } | HostedProblem;

/** No help; the call may be repeated. */
export type HostedProblem = {
  readonly kind: 'problem';
  readonly message: string;
  readonly waitMs?: number;
  /** The service does not know the run, or not yet. */
  readonly isUnknownRun?: true;
  /** The answer has more bytes than can be read, and will have. */
  readonly isTooLarge?: true;
};

export function readTrigger(answer: HostedAnswer): TriggerOutcome {
  const { status } = answer;
  const message = describeAnswer(answer);
  if (status === 429) return { kind: 'notSent', message, waitMs: answer.retryAfterMs ?? defaultWaitMs };
  if (isRefusal(status)) return { kind: 'refused', status, message };
  const { success, data } = envelopeOf(answer.body) ?? {};
  const runId = isJsonObject(data) ? data['runId'] : undefined;
  if (status >= 200 && status < 300 && success !== false && typeof runId === 'string' && isPathPart(runId))
    return { kind: 'accepted', runId };
  return { kind: 'unknown', message };
}

/**
 * Statuses of answers that say: the rows were not taken. A redirect that keeps the method comes before the service; the
 * others may follow a POST that was done. A 408 may come from a gateway between.
 */
const isRefusal = (status: number): boolean =>
  [301, 307, 308].includes(status) || (status >= 400 && status < 500 && status !== 408);

export function readStatus(answer: HostedAnswer): StatusOutcome {
  const { success, data } = envelopeOf(answer.body) ?? {};
  const { status, error } = isJsonObject(data) ? data : {};
  const known = runStatuses.find((name) => name === status);
  if (answer.status !== 200 || success === false || known === undefined) return problemOf(answer);
  return { kind: 'status', status: known, ...(typeof error === 'string' ? { error } : {}) };
}

export const problemOf = (answer: HostedAnswer): HostedProblem => ({
  kind: 'problem',
  message: describeAnswer(answer),
  ...(answer.status === 404 ? { isUnknownRun: true } : {}),
  ...(answer.status === 429 ? { waitMs: answer.retryAfterMs ?? defaultWaitMs } : {}),
});

/** Characters of a body that a message quotes. */
const maxQuoted = 200;

/** The answer of the service as the end of a sentence, in the words of its error if there is one. */
export function describeAnswer({ status, body, location }: HostedAnswer): string {
  if (status >= 300 && status < 400)
    return `answered ${status} with a redirect to ${quoted(location ?? 'nowhere')}; check the URL of the connection`;
  const { error } = envelopeOf(body) ?? {};
  if (typeof error === 'string' && error !== '')
    return `answered ${status}: ${error.slice(0, maxQuoted * 5)}`;
  const text = decodeUtf8(body.subarray(0, maxQuoted * 4)).trim();
  return `answered ${status} ${text === '' ? 'without a body' : `with ${quoted(text)}`}`;
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text);

/** An id goes into a path; a service that gives another kind of id has none that can be asked for. */
const isPathPart = (id: string): boolean => id !== '' && id.length <= 200 && id !== '.' && id !== '..';

function envelopeOf(body: Uint8Array): JsonObject | undefined {
  // An output may have 64 MB; what is read here is small.
  if (body.length > 1_000_000) return undefined;
  try {
    const value = JSON.parse(decodeUtf8(body)) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text of bytes, whatever they are. */
export const decodeUtf8 = (bytes: Uint8Array): string =>
  streamDecoder('utf-8', { fatal: false })?.decode(bytes) ?? '';
