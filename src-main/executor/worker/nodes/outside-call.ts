// One call to the outside, for the node types that make calls: it checks the URL and turns error statuses into errors.
// Messages show a URL without its query, which may hold content of a row.
import { matchesStatus, type StatusMatch } from '../../../domain/upstream/status-class.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../ports.ts';
import { NodeError, type CallFailure } from '../node-error.ts';
import type { RowScope } from '../sandbox.ts';
import { bodyOrText, contentType, isJsonType, type OutsideAnswer } from './answer-body.ts';
import type { NodeTools } from './node-runner.ts';

export type OutsideCall = Omit<UpstreamRequest, 'url'> & { readonly url: URL };

/**
 * Makes the call; the node's own `timeout` goes before the call's. Throws NodeError when there is no answer, and for a status
 * from 400 on that is not expected.
 */
export async function callOutside(
  { url, ...request }: OutsideCall,
  scope: RowScope,
  { call, timeoutMs }: NodeTools,
): Promise<OutsideAnswer> {
  const { expect } = request;
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const { answer, ms } = await call({ ...request, url: url.href, ...limit }, scope);
  if (answer.kind === 'failed') throw noAnswer(answer, expect);
  const answered = { ...answer, ms: answer.shared?.ms ?? ms, origin: `${request.method} ${shown(url)}` };
  assertStatus(answered, expect);
  return answered;
}

function noAnswer(
  { message, isFinal, isToken, status = 0 }: Extract<UpstreamAnswer, { kind: 'failed' }>,
  expected: readonly StatusMatch[] = [],
): NodeError {
  if (isFinal) return refusal(message);
  // `expect` names answers to the call itself.
  if (isToken && status >= 400) return new NodeError(message, 0, { kind: 'status', status });
  if (status < 400 || matchesStatus(expected, status)) return new NodeError(message, 0, { kind: 'network' });
  const failure: CallFailure = { kind: 'status', status };
  return new NodeError(`HTTP ${status}, and its body could not be read: ${message}`, 0, failure);
}

/** The error for a call that is not made, and not retried. */
export const refusal = (message: string): NodeError => new NodeError(message, Infinity);

/** Parses the URL of a web service. Throws a `refusal` for any other value. */
export function readUrl(value: unknown): URL {
  if (typeof value !== 'string') throw refusal(`the url is ${describeType(value)}, not text`);
  if (!URL.canParse(value)) throw refusal(`${quoted(value)} is not a URL`);
  const url = new URL(value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(`the url begins with ${url.protocol}, not with http:// or https://`);
  if (url.username !== '' || url.password !== '')
    throw refusal('a url holds no user name or password: use "auth"');
  url.hash = '';
  return url;
}

/** Throws NodeError for unexpected statuses from 400 on; its message includes the beginning of the service's reason. */
function assertStatus(answer: OutsideAnswer, expected: readonly StatusMatch[] = []): void {
  const { status, origin, retryAfterMs = 0 } = answer;
  if (status < 400 || matchesStatus(expected, status)) return;
  const reason = reasonIn(answer);
  const message = `HTTP ${status} from ${origin}${reason === '' ? '' : `: ${reason}`}`;
  throw new NodeError(message, retryAfterMs, { kind: 'status', status, readBody: () => bodyOrText(answer) });
}

/** Reads an answer. An error of `read` becomes that of an answer that cannot be used. */
export function readAnswer<T>(answer: OutsideAnswer, read: (answer: OutsideAnswer) => T): T {
  try {
    return read(answer);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    const { status, shared } = answer;
    const failure: CallFailure = {
      kind: 'answer',
      status,
      readBody: () => bodyOrText(answer),
      ...(shared === undefined ? {} : { refuses: shared.version }),
    };
    throw new NodeError(error.message, error.retryAfterMs, failure);
  }
}

/** The type of a value in words, for messages that name no content. */
export function describeType(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The text of a simple value; undefined for a missing one. */
export function simpleText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw refusal(`${where} is ${describeType(value)}, not text`);
}

const longestAddress = 200;
const longestReason = 200;
/** Maximum bytes of a body in which a reason is searched; a page of HTML has none. */
const maxReasonBytes = 10_000;

const shown = (url: URL): string => capped(`${url.origin}${url.pathname}`, longestAddress);

/** Shows a text that is no URL, without its part from `?` or `#` on. */
const quoted = (text: string): string =>
  JSON.stringify(capped(oneLine(text.replace(/[?#].*/s, '')), longestAddress));

function reasonIn(answer: OutsideAnswer): string {
  const type = contentType(answer);
  if (type !== 'text/plain' && !isJsonType(type)) return '';
  const text = new TextDecoder().decode(answer.body.subarray(0, maxReasonBytes));
  return shortReason(type === 'text/plain' ? { message: text } : jsonOf(text));
}

/** The reason for an error that the service gives, on one short line; empty if it gives none. */
export const shortReason = (body: unknown): string => capped(oneLine(messageIn(body)), longestReason);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The status is the error; an unreadable body adds nothing.
    return undefined;
  }
}

/** The reason in a body: `message`, `error` or `detail`, or nested in one of these. */
function messageIn(body: unknown, depth = 0): string {
  if (typeof body === 'string') return depth === 0 ? '' : body;
  if (typeof body !== 'object' || body === null || depth > 2) return '';
  for (const name of ['message', 'error', 'detail', 'title']) {
    const found = Object.hasOwn(body, name)
      ? messageIn((body as Readonly<Record<string, unknown>>)[name], depth + 1)
      : '';
    if (found !== '') return found;
  }
  return '';
}

/** The text on one line, without control characters, which could control a terminal. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

const capped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
