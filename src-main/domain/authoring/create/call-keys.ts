// The keys of an `http` node for a call, such as that of a curl command.
import type { JsonObject, JsonValue } from '../../../base/json-value.ts';
import type { CurlCall } from './parse-curl.ts';

/** Call of a new node. The value of its secret is never part of it. */
export type NewHttpCall = Omit<CurlCall, 'secret'> & {
  readonly secret?: Omit<NonNullable<CurlCall['secret']>, 'value'>;
};

/** The keys besides `id` and `type`. Values are literal: none is read as an expression. */
export function callKeys(call: NewHttpCall): JsonObject {
  const { method, url, headers, body, bodyAs, secret, attempts, timeoutSeconds: seconds } = call;
  return {
    request: {
      ...(method === 'GET' ? {} : { method }),
      url: literal(url),
      ...(Object.keys(headers).length === 0 ? {} : { headers: literal(headers) }),
      ...(body === undefined ? {} : { body: literal(body) }),
      ...(bodyAs === undefined ? {} : { bodyAs }),
    },
    ...(secret && { auth: authOf(secret) }),
    ...(attempts === undefined ? {} : { retry: { attempts } }),
    ...(seconds === undefined
      ? {}
      : { timeout: Number.isInteger(seconds) ? `${seconds}s` : `${Math.ceil(seconds * 1000)}ms` }),
  };
}

function authOf({ name, header, query, scheme, basic }: NonNullable<NewHttpCall['secret']>): JsonObject {
  if (basic !== undefined)
    return { basic: { ...(basic.user === undefined ? {} : { user: literal(basic.user) }), secret: name } };
  return { secret: name, ...(header && { header }), ...(query && { query }), ...(scheme && { scheme }) };
}

/** A value that is not read as an expression or as a template. */
function literal(value: JsonValue): JsonValue {
  if (typeof value === 'string')
    return value.startsWith('=') || value.includes('{{') ? `=${JSON.stringify(value)}` : value;
  if (Array.isArray(value)) return (value as JsonValue[]).map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, literal(entry ?? null)]));
}
