// The request of an `http` node for a row, and of the further calls of its `repeat`.
import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import type { Fields } from '../../../domain/nodes/fields.ts';
import type { BodyForm } from '../../../domain/upstream/body-form.ts';
import { headerProblem, idempotencyKeyHeader } from '../../../domain/upstream/header-problem.ts';
import { httpMethods } from '../../../domain/upstream/http-methods.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { compileNextUrl, compileUrl } from './call-url.ts';
import { compileFields, type NamedValues } from './named-values.ts';
import { describeType, refusal, simpleText, type OutsideCall } from './outside-call.ts';
import { assertContentType, requestBody, type RequestBody } from './request-body.ts';

type HttpConfig = Pick<NodeConfigs['http'], 'request' | 'repeat'>;
type Request = HttpConfig['request'];
type NextRequest = NonNullable<NonNullable<HttpConfig['repeat']>['next']>;

/** Values that a request is made of, before they are checked and written. */
type RequestValues = {
  readonly url: URL;
  readonly query: NamedValues;
  readonly headers: NamedValues;
  readonly body: unknown;
};

/** Compiles to a function that returns the request for a row. It throws a `refusal` for one that cannot be made. */
export function compileRequest({ request, repeat }: HttpConfig, compiler: Compiler): Evaluate<OutsideCall> {
  const method = compileMethod(request.method, compiler);
  const first = compileFirst(request, compiler);
  const next = repeat?.next === undefined ? undefined : compileNext(repeat.next, compiler.forRepeat());
  const form = request.bodyAs ?? 'json';
  return (scope) => {
    const values = next === undefined || scope.round < 2 ? first(scope) : next(scope, first(scope));
    const content = requestBody(values.body, form);
    const name = method(scope);
    if (content !== undefined && (name === 'GET' || name === 'HEAD'))
      throw refusal(`a ${name} request has no body`);
    return {
      method: name,
      url: withQuery(values.url, values.query),
      headers: withType(headersOf(values.headers), content, form),
      ...(content === undefined ? {} : { body: content.text }),
      ...(content?.isBase64 ? { isBase64: true as const } : {}),
    };
  };
}

function compileFirst(request: Request, compiler: Compiler): Evaluate<RequestValues> {
  const url = compileUrl(request.url, compiler);
  const query = compileFields(request.query, 'query', compiler);
  const headers = compileHeaders(request.headers, compiler);
  const body = request.body === undefined ? undefined : compiler.value(request.body);
  return (scope) => ({
    body: body?.(scope),
    url: url(scope),
    query: query(scope),
    headers: headers(scope),
  });
}

/** Compiles to a function that changes the first request into a further one. */
function compileNext(
  { url, query, headers, body }: NextRequest,
  compiler: Compiler,
): (scope: Parameters<Evaluate>[0], first: RequestValues) => RequestValues {
  const nextUrl = url && compileNextUrl(url, compiler);
  const nextQuery = compileFields(query, 'query', compiler);
  const nextHeaders = compileHeaders(headers, compiler);
  const nextBody = body && compiler.value(body);
  return (scope, first) => {
    const target = nextUrl === undefined ? first.url : nextUrl(scope, first.url);
    const parameters = nextQuery(scope);
    const changed = parameters.map(([name]) => name);
    return {
      url: withoutParameters(target, changed),
      query: nextUrl === undefined ? replaced(first.query, parameters) : parameters,
      headers: replaced(first.headers, nextHeaders(scope)),
      body: nextBody === undefined ? first.body : nextBody(scope),
    };
  };
}

const replaced = (before: NamedValues, changes: NamedValues): NamedValues => {
  const changed = new Set(changes.map(([name]) => name));
  return [...before.filter(([name]) => !changed.has(name)), ...changes];
};

type Headers = readonly (readonly [name: string, value: string])[];

type Method = Request['method'];

/** The function throws a `refusal` for a method that no call can have. */
function compileMethod(method: Method, compiler: Compiler): Evaluate<string> {
  if (typeof method === 'string') return () => method;
  const evaluate = compiler.value(method);
  return (scope) => {
    const value = evaluate(scope);
    const known = httpMethods.find((each) => each === value);
    if (known !== undefined) return known;
    const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : describeType(value);
    throw refusal(`the method is ${shown}, not one of ${httpMethods.join(', ')}`);
  };
}

/** Appends to the text of the query, which stays as written: `URLSearchParams` would rewrite `%E9`, `flag` and `%20`. */
function withQuery(from: URL, query: NamedValues): URL {
  const pairs = query.flatMap(([name, parameter]) => {
    const values = Array.isArray(parameter) ? (parameter as unknown[]) : [parameter];
    return values.flatMap((value) => {
      const text = simpleText(value, `"${name}" in "query"`);
      return text === undefined ? [] : [`${encoded(name, name)}=${encoded(text, name)}`];
    });
  });
  if (pairs.length === 0) return from;
  const url = new URL(from);
  const written = url.search.slice(1);
  url.search = [...(written === '' ? [] : [written]), ...pairs].join('&');
  return url;
}

/** Removes the parameters with these names, in any spelling. */
function withoutParameters(from: URL, names: readonly string[]): URL {
  const url = new URL(from);
  const hasOtherName = (pair: string): boolean => {
    const [name = ''] = new URLSearchParams(pair).keys();
    return !names.includes(name);
  };
  url.search = url.search.slice(1).split('&').filter(hasOtherName).join('&');
  return url;
}

/** The text as `{{ }}` in a URL encodes it. Throws the `refusal` of half a character, with the parameter's name. */
function encoded(text: string, name: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw refusal(`"${name}" in "query" is not well-formed text: half of a character is missing`);
  }
}

/** Names of headers in lower case. Those that an expression gives follow the rules of written ones. */
function compileHeaders(fields: Fields | undefined, compiler: Compiler): Evaluate<NamedValues> {
  const evaluate = compileFields(fields, 'headers', compiler);
  if (fields === undefined || fields.kind === 'object') return evaluate;
  return (scope) => {
    const seen = new Set<string>();
    return evaluate(scope).map(([written, value]) => {
      const name = written.toLowerCase();
      const problem = headerProblem(name, seen);
      if (problem !== undefined) throw refusal(problem);
      seen.add(name);
      return [name, value] as const;
    });
  };
}

const headersOf = (named: NamedValues): Headers =>
  named.flatMap(([name, value]) => {
    const text = simpleText(value, `the header "${name}"`);
    // A service would take the calls of all rows for repeats of one.
    if (name === idempotencyKeyHeader && (text ?? '').trim() === '')
      throw refusal(`the header "${idempotencyKeyHeader}" is empty`);
    if (text === undefined) return [];
    // Other characters would end the header or be changed in transit.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      throw refusal(`the header "${name}" has a character that no header can carry`);
    return [[name, text.trim()] as const];
  });

function withType(headers: Headers, body: RequestBody | undefined, form: BodyForm): Headers {
  if (body === undefined) return headers;
  const own = headers.find(([name]) => name === 'content-type');
  if (own === undefined) return [...headers, ['content-type', body.type]];
  assertContentType(form, own[1]);
  return headers;
}
