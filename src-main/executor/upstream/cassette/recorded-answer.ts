// Converts between an answer of the broker and its form in a cassette.
import type { RecordedBody, RecordedResponse } from '../../../domain/cassette/cassette.ts';
import { plainJson } from '../../../domain/cassette/plain-json.ts';
import type { UpstreamAnswer } from '../../ports.ts';

type Answered = Extract<UpstreamAnswer, { kind: 'answered' }>;
type Headers = Answered['headers'];

/** Response headers that workflows use. Cookies, dates and routing headers would make every recording different. */
const recordedHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'content-language',
  'content-disposition',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'x-total-count',
]);

/** Headers never kept, even if `keepHeaders` names them: they hold credentials. */
const credentialHeaders: ReadonlySet<string> = new Set([
  'set-cookie',
  'authorization',
  'proxy-authorization',
]);

/** The answer as it will be when it is played: with the headers alone that a cassette keeps. */
export function asPlayed(answer: Answered, keepHeaders: readonly string[]): Answered {
  const headers = answer.headers.filter(
    ([name]) => !credentialHeaders.has(name) && (recordedHeaders.has(name) || keepHeaders.includes(name)),
  );
  return { ...answer, headers };
}

/** @param answer as `asPlayed` gives it */
export function toRecorded({ status, headers, body, url, retryAfterMs }: Answered): RecordedResponse {
  return {
    status,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(url === undefined ? {} : { url }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...recordBody(body, headers),
  };
}

export function fromRecorded(response: RecordedResponse): UpstreamAnswer {
  if ('failed' in response) return { kind: 'failed', message: response.failed };
  const { status, headers = {}, url, retryAfterMs } = response;
  return {
    kind: 'answered',
    status,
    headers: withType(Object.entries(headers), response),
    body: bytesOf(response),
    by: 'cassette',
    ...(url === undefined ? {} : { url }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Adds the content type for JSON that was written by hand without a header. */
const withType = (headers: Headers, { json }: RecordedBody): Headers =>
  json === undefined || headers.some(([name]) => name === 'content-type')
    ? headers
    : [...headers, ['content-type', 'application/json']];

function recordBody(body: Uint8Array, headers: Headers): RecordedBody {
  if (body.byteLength === 0) return {};
  const text = textOf(body);
  if (text === undefined) return { base64: Buffer.from(body).toString('base64') };
  const json = saysJson(headers) ? plainJson(text) : undefined;
  return json === undefined ? { text } : { json };
}

/** True if nodes read the body as JSON. In any other body, which is text, white space counts. */
function saysJson(headers: Headers): boolean {
  const value = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const type = (value.split(';')[0] ?? '').trim().toLowerCase();
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

/** The text of the body, with its byte order mark; undefined if it is not UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function bytesOf({ json, text, base64 }: RecordedBody): Uint8Array {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return Buffer.from(text ?? '');
}
