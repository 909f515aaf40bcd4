// Puts a value under a name into a query or a body, in place of one that is there. All else stays as it was written.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { CallRefusal } from './call-error.ts';
import type { Outgoing } from './outgoing.ts';

/** @param query a query without `?`, or a form */
export function withParameter(query: string, name: string, value: string): string {
  const others = query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name));
  return [...others, String(new URLSearchParams([[name, value]]))].join('&');
}

/** Throws a `CallRefusal` for a body that has no named fields. */
export function withBodyField(request: Outgoing, name: string, value: string): Outgoing {
  const { headers } = request;
  const body = typeof request.body === 'string' ? request.body : '';
  const type = headers
    .find(([header]) => header === 'content-type')?.[1]
    .replace(/;.*/s, '')
    .trim();
  if (type === 'application/x-www-form-urlencoded')
    return { ...request, body: withParameter(body, name, value) };
  const json = objectIn(body);
  if (json === undefined)
    throw new CallRefusal(
      `is refused: the secret goes into the field ${JSON.stringify(name)} of a JSON object or a form, and the body is neither`,
    );
  if (Object.hasOwn(json, name)) return { ...request, body: JSON.stringify({ ...json, [name]: value }) };
  const comma = Object.keys(json).length === 0 ? '' : ',';
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return { ...request, body: `${body.trimEnd().slice(0, -1)}${comma}${field}}` };
}

/** Undefined if the text is no JSON object. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const json = JSON.parse(text) as JsonValue;
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
