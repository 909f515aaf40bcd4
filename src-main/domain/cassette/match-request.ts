// Compares requests. Equal ones have the same method, URL with its query in any order, headers that the cassette names,
// and body, JSON by value. The row and the attempt that make a request are not part of it.
import { isJsonObject, sortedJson, type JsonValue } from '../../base/json-value.ts';
import { shownUrl } from '../upstream/shown-url.ts';
import { plainJson } from './plain-json.ts';
import type { RecordedBody, RecordedRequest } from './cassette.ts';

/** A request as a node makes it: URLs in their normal form, names of headers in lower case. */
export type MadeRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** True if `body` is the Base64 of bytes that are no text. */
  readonly isBase64?: true;
};

/** The form in which a cassette stores a request: of the headers, only those that it matches. */
export function recordRequest(made: MadeRequest, matchHeaders: readonly string[]): RecordedRequest {
  const headers = made.headers.filter(([name]) => matchHeaders.includes(name));
  return {
    method: made.method,
    url: made.url,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(made.isBase64 && made.body !== undefined ? { base64: made.body } : requestBody(made.body)),
  };
}

/** Objects and lists as JSON; all else is text, a lone number too. */
function requestBody(body: string | undefined): RecordedBody {
  if (body === undefined) return {};
  const json = /^\s*[[{]/.test(body) ? plainJson(body) : undefined;
  return json === undefined ? { text: body } : { json };
}

/** The same text for requests that are the same. */
export function matchText(request: RecordedRequest, matchHeaders: readonly string[]): string {
  const { method, url } = request;
  const { address, query } = splitUrl(url);
  return JSON.stringify([method, address, query, headersOf(request, matchHeaders), bodyText(request)]);
}

const headersOf = ({ headers = {} }: RecordedRequest, names: readonly string[]): (string | null)[] =>
  [...names].sort().map((name) => (Object.hasOwn(headers, name) ? (headers[name] ?? null) : null));

function bodyText({ json, text, base64 }: RecordedBody): string | null {
  if (json !== undefined) return sortedJson(json);
  const body = text ?? base64 ?? null;
  // One that was written by hand may hold JSON as text.
  const inner = body === null ? {} : requestBody(body);
  return inner.json === undefined ? body : sortedJson(inner.json);
}

type SplitUrl = {
  readonly address: string;
  /** Pairs in their normal form, by name. The values of a name that is there several times keep their order. */
  readonly query: readonly string[];
};

function splitUrl(url: string): SplitUrl {
  const [whole = ''] = url.split('#', 1);
  const at = whole.indexOf('?');
  if (at < 0) return { address: whole, query: [] };
  const pairs = whole
    .slice(at + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map(normalPair);
  return {
    address: whole.slice(0, at),
    query: pairs.sort((one, other) => compare(nameOf(one), nameOf(other))),
  };
}

/**
 * One text for all spellings of a pair: `a+b` and `a%20b`, `%7e` and `~`, `flag` and `flag=`. So cassettes match that were
 * recorded while queries were rewritten. A pair that is not UTF-8 stays as it is.
 */
function normalPair(pair: string): string {
  const equals = pair.indexOf('=');
  const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
  try {
    return `${normalText(name)}=${normalText(value)}`;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return pair.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
  }
}

/** Throws URIError for text that is not UTF-8. A `%` that begins no escape stands for itself. */
const normalText = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text.replaceAll('+', '%20').replaceAll(/%(?![0-9a-f]{2})/gi, '%25')));

const nameOf = (pair: string): string => pair.split('=', 1)[0] ?? '';
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** `GET https://api.example.com/companies?name=…`, for messages. */
export const shownRequest = ({ method, url }: Pick<RecordedRequest, 'method' | 'url'>): string =>
  `${method} ${shownUrl(url)}`;

/** In what a request differs from another, in words for a person: names, never values. Empty: in nothing. */
export function describeDifference(
  request: RecordedRequest,
  other: RecordedRequest,
  matchHeaders: readonly string[],
): string[] {
  const [one, two] = [splitUrl(request.url), splitUrl(other.url)];
  const names = queryDifferences(one.query, two.query);
  const headers = matchHeaders.filter(
    (name) => headersOf(request, [name])[0] !== headersOf(other, [name])[0],
  );
  return [
    ...(request.method === other.method ? [] : ['the method']),
    ...(one.address === two.address ? [] : ['the URL']),
    ...(names.length === 0 ? [] : [`the query (${names.join(', ')})`]),
    ...headers.map((name) => `the header ${name}`),
    ...(bodyText(request) === bodyText(other) ? [] : [`the body${fieldsNamed(request.json, other.json)}`]),
  ];
}

function queryDifferences(one: readonly string[], two: readonly string[]): string[] {
  const valuesOf = (pairs: readonly string[], name: string): string =>
    pairs.filter((pair) => nameOf(pair) === name).join('&');
  const names = new Set([...one, ...two].map(nameOf));
  return [...names].filter((name) => valuesOf(one, name) !== valuesOf(two, name));
}

/** ` (name, size)`: the fields of two objects that differ, as far as it is worth saying. */
function fieldsNamed(one: JsonValue | undefined, two: JsonValue | undefined): string {
  if (!isJsonObject(one) || !isJsonObject(two)) return '';
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])].filter(
    (name) => ownText(one, name) !== ownText(two, name),
  );
  const shown = names.slice(0, fieldsShown).map((name) => name.slice(0, longestName));
  return ` (${shown.join(', ')}${names.length > fieldsShown ? ' and more' : ''})`;
}

const fieldsShown = 5;
const longestName = 40;

const ownText = (object: { readonly [key: string]: JsonValue }, name: string): string | undefined =>
  Object.hasOwn(object, name) ? sortedJson(object[name] ?? null) : undefined;
