// The request as it is sent, but for its credentials: the node's request, checked, plus the broker's headers; and the
// request after a redirect.
import type { UpstreamRequest } from '../ports.ts';
import { idempotencyKeyHeader, ownHeaders } from '../../domain/upstream/header-problem.ts';
import { shownUrl } from '../../domain/upstream/shown-url.ts';
import { CallError, CallRefusal } from './call-error.ts';
import { acceptedEncodings } from './decoding.ts';

type Header = readonly [name: string, value: string];

export type Outgoing = {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | undefined;
  /** True if the author gave the idempotency key, which then stays with the origin. */
  readonly hasOwnKey: boolean;
};

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Characters of an HTTP header value: one byte each, no control characters except tab. */
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;
/** Methods that would open a tunnel, or have the server return a request with its secrets. */
const refusedMethods: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

type Additions = {
  /** Undefined: the request is not one of a row. */
  readonly idempotencyKey: string | undefined;
  readonly userAgent: string;
  /** True if a session gives the cookies. */
  readonly hasSession: boolean;
  /** Headers that credentials set, in lower case. */
  readonly authHeaders: readonly string[];
};

/** Throws a `CallRefusal` for what cannot or must not be sent. */
export function firstRequest(request: UpstreamRequest, additions: Additions): Outgoing {
  const url = parseUrl(request.url);
  if (!token.test(request.method) || refusedMethods.has(request.method))
    throw new CallRefusal('is refused: workflows cannot use this method');
  const own = request.headers.map(([name, value]): Header => [name.toLowerCase(), value]);
  for (const header of own) checkHeader(header);
  for (const name of additions.authHeaders) checkHeader([name, '']);
  if (additions.hasSession && [...own.map(([name]) => name), ...additions.authHeaders].includes('cookie'))
    throw new CallRefusal('is refused: its session sends the header cookie, so leave that header out');
  const hasOwnKey = own.some(([name]) => name === idempotencyKeyHeader);
  const idempotencyKey = hasOwnKey ? undefined : additions.idempotencyKey;
  const headers: Header[] = [
    ...(own.some(([name]) => name === 'user-agent') ? [] : [['user-agent', additions.userAgent] as const]),
    ...own.filter(([name]) => !additions.authHeaders.includes(name)),
    ['accept-encoding', acceptedEncodings],
    ...(idempotencyKey === undefined ? [] : [[idempotencyKeyHeader, idempotencyKey] as const]),
  ];
  const { body, isBase64 } = request;
  const bytes = body !== undefined && isBase64 ? Buffer.from(body, 'base64') : body;
  return { method: request.method, url, headers, body: bytes, hasOwnKey };
}

function parseUrl(text: string): URL {
  // The URL parser would drop line breaks. In a URL they are always a mistake or an attack.
  if (/[\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text))
    throw new CallRefusal('is refused: it is not a URL');
  return checkedUrl(new URL(text));
}

function checkedUrl(url: URL): URL {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new CallRefusal('is refused: only http and https can be called');
  if (url.username !== '' || url.password !== '')
    throw new CallRefusal('is refused: the URL has a user name; give credentials as a secret, with auth');
  return url;
}

function checkHeader([name, value]: Header): void {
  if (!token.test(name)) throw new CallRefusal(`is refused: ${quoted(name)} is not the name of a header`);
  if (ownHeaders.has(name))
    throw new CallRefusal(`is refused: the header ${name} can only be set by Rowbench`);
  if (!headerValue.test(value))
    throw new CallRefusal(`is refused: the header ${name} has characters that no header can carry`);
}

/** Headers that a redirect to another origin drops. */
const forOneOrigin: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
]);

/** The request that a redirect asks for. Throws a `CallError` when it leads nowhere that can be called. */
export function redirected(
  from: Outgoing,
  answer: { readonly status: number; readonly location: string },
): Outgoing {
  if (!URL.canParse(answer.location, from.url.href))
    throw new CallError('was redirected to something that is not a URL');
  const url = new URL(answer.location, from.url);
  try {
    checkedUrl(url);
  } catch (error) {
    if (!(error instanceof CallRefusal)) throw error;
    throw new CallRefusal(`was redirected to ${shownUrl(url.href)}, which ${error.message}`);
  }
  const isElsewhere = url.origin !== from.url.origin;
  const becomesGet =
    (answer.status === 303 && from.method !== 'HEAD') ||
    ((answer.status === 301 || answer.status === 302) && from.method === 'POST');
  const survivesRedirect = ([name]: Header): boolean =>
    !(isElsewhere && (forOneOrigin.has(name) || (from.hasOwnKey && name === idempotencyKeyHeader))) &&
    !(becomesGet && name.startsWith('content-'));
  return {
    method: becomesGet ? 'GET' : from.method,
    url,
    headers: from.headers.filter(survivesRedirect),
    body: becomesGet ? undefined : from.body,
    hasOwnKey: from.hasOwnKey,
  };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 50));
