// What an `http` node asks for: method, URL, query, headers and body.
import { z } from 'zod';
import { isJsonObject } from '../../base/json-value.ts';
import type { Expression, Value } from '../expressions/value.ts';
import {
  bodyForms,
  contentTypeProblem,
  isBase64,
  jsonTypeProblem,
  type BodyForm,
} from '../upstream/body-form.ts';
import { headerProblem } from '../upstream/header-problem.ts';
import { httpMethods } from '../upstream/http-methods.ts';
import { writtenFields, type Fields } from './fields.ts';
import type { Slots } from './slots.ts';

export const requestSlot = (slots: Slots) =>
  z
    .strictObject({
      method: methodSlot(slots)
        .default('GET')
        .describe('Without it: GET. An `=expression` gives one of these.'),
      url: slots
        .url()
        .describe(
          'Begins with http:// or https:// and the host. Each `{{ }}` behind it is encoded, so that a value stays in its part of the URL.',
        ),
      query: slots
        .fields()
        .exactOptional()
        .describe(
          'Added to the url, encoded as it must be: names with values, or an `=expression` that gives an object of them. A list gives its name several times, null none.',
        ),
      headers: headersSlot(slots)
        .exactOptional()
        .describe(
          'Headers by name, or an `=expression` that gives an object of them. One that is null is left out.',
        ),
      body: slots.value().exactOptional().describe('What is sent. `bodyAs` says how. Without it: nothing.'),
      bodyAs: z
        .enum(bodyForms)
        .exactOptional()
        .meta({ title: 'Send body as' })
        .describe(
          '`json`: text as it is, anything else as JSON (as without it). `form`: names with values, as a web form sends them. `multipart`: names with texts or files, a file as `{ file: name, type, base64 }`. `text`: text. `base64`: the bytes that the Base64 text stands for.',
        ),
      redirect: z
        .enum(['follow', 'answer'])
        .exactOptional()
        .meta({ title: 'Redirects' })
        .describe(
          '`answer`: a redirect is the answer, with its status and `headers.location`. Without it, or with `follow`: the call goes where the service sends it, and the value has the final address as `url`.',
        ),
    })
    .superRefine((request, context) => {
      for (const problem of bodyProblems(request)) context.addIssue({ code: 'custom', ...problem });
    });

type Request = {
  readonly method: string | Expression;
  readonly headers?: Fields;
  readonly body?: Value;
  readonly bodyAs?: BodyForm;
};

function bodyProblems({ method, headers, body, bodyAs }: Request): RequestProblem[] {
  if (body === undefined)
    return bodyAs === undefined
      ? []
      : [{ message: '"bodyAs" says how "body" is sent: there is none', path: ['bodyAs'] }];
  if (method === 'GET' || method === 'HEAD')
    return [{ message: `A ${method} request has no body`, path: ['body'] }];
  const shape = shapeProblem(bodyAs ?? 'json', body);
  const contentType = writtenType(headers);
  const type = contentType === undefined ? undefined : typeProblem(bodyAs ?? 'json', body, contentType);
  return [
    ...(shape === undefined ? [] : [{ message: shape, path: ['body'] }]),
    ...(type === undefined ? [] : [{ message: type, path: [bodyAs === undefined ? 'body' : 'bodyAs'] }]),
  ];
}

type RequestProblem = { readonly message: string; readonly path: string[] };

/** The content type, where the file has it in full. */
function writtenType(headers: Fields | undefined): string | undefined {
  const value = writtenFields(headers).find(([name]) => name === 'content-type')?.[1];
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

const typeProblem = (form: BodyForm, body: Value, contentType: string): string | undefined =>
  form === 'json' && ['object', 'list'].includes(kindOf(body))
    ? jsonTypeProblem(contentType)
    : contentTypeProblem(form, contentType);

function shapeProblem(form: BodyForm, body: Value): string | undefined {
  const kind = kindOf(body);
  if (form === 'json' || kind === 'unknown') return undefined;
  if (form === 'form' || form === 'multipart')
    return kind === 'object' ? undefined : `A ${form} body is names with values`;
  if (kind !== 'text') return `A ${form} body is text`;
  const text = form === 'base64' && body.kind === 'literal' ? body.value : undefined;
  return typeof text === 'string' && !isBase64(text) ? 'This text is not Base64' : undefined;
}

/** The kind of value that the file shows; `unknown` where an expression gives it. */
function kindOf(body: Value): 'object' | 'list' | 'text' | 'other' | 'unknown' {
  if (body.kind === 'object' || body.kind === 'list') return body.kind;
  if (body.kind === 'template') return 'text';
  if (body.kind !== 'literal') return 'unknown';
  if (Array.isArray(body.value)) return 'list';
  if (typeof body.value === 'string') return 'text';
  return isJsonObject(body.value) ? 'object' : 'other';
}

/** Changes from the first call of `repeat` to a further one. All else is as in `request`. */
export const nextRequestSlot = (slots: Slots) =>
  z
    .strictObject({
      url: slots
        .url()
        .exactOptional()
        .describe(
          'The whole URL, in place of `url` and `query`. An `=expression` may give a path too. It leads to the same scheme, host and port.',
        ),
      query: slots
        .fields()
        .exactOptional()
        .describe(
          'Parameters that are added or take the place of those with the same name; null removes one.',
        ),
      headers: headersSlot(slots)
        .exactOptional()
        .describe('Headers that are added or take the place of those with the same name; null removes one.'),
      body: slots.value().exactOptional().describe('The body, sent as `bodyAs` of the request says.'),
    })
    .describe('What changes in the next request. Without it, the same request is made again.');

const methodSlot = (slots: Slots) =>
  z.union([z.enum(httpMethods), slots.computed()], {
    error: `Expected one of ${httpMethods.join(', ')}, or an =expression`,
  });

/** Names in lower case, each once. Those that an expression gives are checked when it runs. */
const headersSlot = (slots: Slots) =>
  slots.fields().transform((fields, context): Fields => {
    if (fields.kind !== 'object') return fields;
    const seen = new Set<string>();
    const entries = writtenFields(fields).map(([written, value]) => {
      const name = written.toLowerCase();
      const problem = headerProblem(name, seen);
      seen.add(name);
      if (problem !== undefined)
        context.issues.push({ code: 'custom', message: problem, input: fields, path: [written] });
      return [name, value] as const;
    });
    return { kind: 'object', entries };
  });
