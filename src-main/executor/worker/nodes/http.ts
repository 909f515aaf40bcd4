import type { Value } from '../../../domain/expressions/value.ts';
import type { Evaluate } from '../compiler.ts';
import { setOwn } from '../plain-value.ts';
import type { RowScope } from '../sandbox.ts';
import { compileUrl } from './call-url.ts';
import type { MakeRunner } from './node-runner.ts';
import {
  bodyValue,
  callOutside,
  describeType,
  readAnswer,
  refusal,
  type OutsideCall,
  type OutsideAnswer,
} from './outside-call.ts';

/** Maximum characters of a request body, so that the bodies of many rows do not fill the main process. */
const maxBodyCharacters = 10_000_000;

export const runHttp: MakeRunner<'http'> = ({ request, auth, expect }, tools) => {
  const { compiler } = tools;
  const compiled = (entries: Entries = []): Fields =>
    entries.map(([name, value]) => [name, compiler.value(value)] as const);
  const url = compileUrl(request.url, compiler);
  const query = compiled(request.query);
  const headers = compiled(request.headers);
  const body = request.body === undefined ? undefined : compiler.value(request.body);
  const ask = async (call: OutsideCall, scope: RowScope): Promise<unknown> =>
    readAnswer(await callOutside(call, scope, tools), valueOf);
  return (scope) => {
    const content = bodyOf(body?.(scope));
    const call = {
      method: request.method,
      url: withQuery(url(scope), query, scope),
      headers: withType(headersOf(headers, scope), content),
      ...(content === undefined ? {} : { body: content.text }),
      ...(auth === undefined ? {} : { auth }),
      expect,
    };
    return ask(call, scope);
  };
};

type Entries = readonly (readonly [name: string, value: Value])[];
type Fields = readonly (readonly [name: string, value: Evaluate])[];
type Headers = readonly (readonly [name: string, value: string])[];
type Body = { readonly text: string; readonly type: string };

function withQuery(url: URL, query: Fields, scope: RowScope): URL {
  for (const [name, value] of query) {
    const parameter = value(scope);
    for (const one of Array.isArray(parameter) ? (parameter as unknown[]) : [parameter]) {
      const text = simpleText(one, `"${name}" in "query"`);
      if (text !== undefined) url.searchParams.append(name, text);
    }
  }
  return url;
}

const headersOf = (headers: Fields, scope: RowScope): Headers =>
  headers.flatMap(([name, value]) => {
    const text = simpleText(value(scope), `the header "${name}"`);
    if (text === undefined) return [];
    // Other characters would end the header or be changed in transit.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      throw refusal(`the header "${name}" has a character that no header can carry`);
    return [[name, text.trim()] as const];
  });

/** The text of a simple value; undefined for a missing one. */
function simpleText(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw refusal(`${where} is ${describeType(value)}, not text`);
}

function bodyOf(value: unknown): Body | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  if (text.length > maxBodyCharacters) throw refusal('the body is longer than 10 MB');
  return { text, type: isText ? 'text/plain; charset=utf-8' : 'application/json' };
}

const withType = (headers: Headers, body: Body | undefined): Headers =>
  body === undefined || headers.some(([name]) => name === 'content-type')
    ? headers
    : [...headers, ['content-type', body.type]];

function valueOf(answer: OutsideAnswer): unknown {
  const headers: Record<string, unknown> = {};
  for (const [name, value] of answer.headers) setOwn(headers, name, value);
  return Object.freeze({ status: answer.status, headers: Object.freeze(headers), body: bodyValue(answer) });
}
