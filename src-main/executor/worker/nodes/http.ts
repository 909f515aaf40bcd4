import type { NodeConfigs } from '../../../domain/nodes/catalogue.ts';
import type { Fields } from '../../../domain/nodes/slots.ts';
import type { AnswerForm, BodyForm } from '../../../domain/upstream/body-form.ts';
import { headerProblem } from '../../../domain/upstream/header-problem.ts';
import { httpMethods } from '../../../domain/upstream/http-methods.ts';
import type { Compiler, Evaluate } from '../compiler.ts';
import { setOwn } from '../plain-value.ts';
import type { RowScope } from '../sandbox.ts';
import { bodyValue, type OutsideAnswer } from './answer-body.ts';
import { compileUrl } from './call-url.ts';
import { compileFields } from './named-values.ts';
import type { MakeRunner } from './node-runner.ts';
import {
  callOutside,
  describeType,
  readAnswer,
  refusal,
  simpleText,
  type OutsideCall,
} from './outside-call.ts';
import { assertContentType, requestBody, type RequestBody } from './request-body.ts';

export const runHttp: MakeRunner<'http'> = ({ request, auth, expect, answerAs }, tools) => {
  const { compiler } = tools;
  const method = compileMethod(request.method, compiler);
  const url = compileUrl(request.url, compiler);
  const query = compileFields(request.query, 'query', compiler);
  const headers = compileHeaders(request.headers, compiler);
  const body = request.body === undefined ? undefined : compiler.value(request.body);
  const ask = async (call: OutsideCall, scope: RowScope): Promise<unknown> =>
    readAnswer(await callOutside(call, scope, tools), (answer) => valueOf(answer, answerAs));
  const form = request.bodyAs ?? 'json';
  return (scope) => {
    const content = requestBody(body?.(scope), form);
    const call = {
      method: method(scope, content !== undefined),
      url: withQuery(url(scope), query(scope)),
      headers: withType(headers(scope), content, form),
      ...(content === undefined ? {} : { body: content.text }),
      ...(content?.isBase64 ? { isBase64: true as const } : {}),
      ...(auth === undefined ? {} : { auth }),
      expect,
    };
    return ask(call, scope);
  };
};

type Headers = readonly (readonly [name: string, value: string])[];

type Method = NodeConfigs['http']['request']['method'];

/** The function throws a `refusal` for a method that no call can have. */
function compileMethod(method: Method, compiler: Compiler): (scope: RowScope, hasBody: boolean) => string {
  if (typeof method === 'string') return () => method;
  const evaluate = compiler.value(method);
  return (scope, hasBody) => {
    const value = evaluate(scope);
    const known = httpMethods.find((each) => each === value);
    if (known === undefined) {
      const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : describeType(value);
      throw refusal(`the method is ${shown}, not one of ${httpMethods.join(', ')}`);
    }
    if (hasBody && (known === 'GET' || known === 'HEAD')) throw refusal(`a ${known} request has no body`);
    return known;
  };
}

function withQuery(url: URL, query: ReturnType<ReturnType<typeof compileFields>>): URL {
  for (const [name, parameter] of query)
    for (const one of Array.isArray(parameter) ? (parameter as unknown[]) : [parameter]) {
      const text = simpleText(one, `"${name}" in "query"`);
      if (text !== undefined) url.searchParams.append(name, text);
    }
  return url;
}

/** Headers that an expression gives follow the rules of written ones. */
function compileHeaders(fields: Fields | undefined, compiler: Compiler): Evaluate<Headers> {
  const evaluate = compileFields(fields, 'headers', compiler);
  if (fields?.kind === 'object') return (scope) => headersOf(evaluate(scope));
  return (scope) => {
    const seen = new Set<string>();
    const named = evaluate(scope).map(([written, value]) => {
      const name = written.toLowerCase();
      const problem = headerProblem(name, seen);
      if (problem !== undefined) throw refusal(problem);
      seen.add(name);
      return [name, value] as const;
    });
    return headersOf(named);
  };
}

const headersOf = (named: ReturnType<ReturnType<typeof compileFields>>): Headers =>
  named.flatMap(([name, value]) => {
    const text = simpleText(value, `the header "${name}"`);
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

function valueOf(answer: OutsideAnswer, form: AnswerForm | undefined): unknown {
  const headers: Record<string, unknown> = {};
  for (const [name, value] of answer.headers) setOwn(headers, name, value);
  return Object.freeze({
    status: answer.status,
    headers: Object.freeze(headers),
    body: bodyValue(answer, form),
  });
}
