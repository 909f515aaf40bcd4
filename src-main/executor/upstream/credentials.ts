// What the broker adds to a request, so that the service knows who makes the call.
// INVARIANT: a secret, and whatever is made of it, goes only to hosts that the secret is bound to.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { BasicLogin, SecretAuth } from '../../domain/nodes/call-auth.ts';
import { countInexactIntegers } from '../../domain/rows/exact-json.ts';
import { bindingsThatAllow } from '../../domain/secrets/host-binding.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { CallRefusal } from './call-error.ts';
import type { Outgoing } from './outgoing.ts';
import { SecretMask, type CallMask } from './secret-mask.ts';

/** The credentials of one call. */
export interface Credentials {
  /** Headers that they set, in lower case. The node's own headers of these names are left out. */
  readonly headers: readonly string[];
  /** Throws a `CallRefusal` for a host that the secret is not bound to, and for a request that cannot carry it. */
  authorize(request: Outgoing, signal: AbortSignal): Outgoing | Promise<Outgoing>;
  /** Called after a 401, before the request is authorized and sent once more. Absent: it is sent once. */
  renew?(): void;
}

/** Sends the secret itself. */
export const secretCredentials = (auth: SecretAuth, secret: Secret): Credentials => ({
  headers: 'query' in auth || 'body' in auth ? [] : [headerOf(auth)],
  authorize: (request) => {
    assertBound(secret, request.url);
    if ('query' in auth)
      return { ...request, url: withQueryParameter(request.url, auth.query, secret.value) };
    if ('body' in auth) return withBodyField(request, auth.body, secret.value);
    return { ...request, headers: [...request.headers, [headerOf(auth), headerValueOf(auth, secret)]] };
  },
});

function headerValueOf(auth: SecretAuth, { value }: Secret): string {
  if ('header' in auth) return value;
  return `${'scheme' in auth ? auth.scheme : 'Bearer'} ${value}`;
}

/**
 * Sends user name and password (RFC 7617).
 * @param mask hides the header's value, and a password within the secret
 */
export function basicCredentials({ user }: BasicLogin, secret: Secret, mask: CallMask): Credentials {
  const login = user === undefined ? withColon(secret.value) : `${user}:${secret.value}`;
  const value = Buffer.from(login).toString('base64');
  const { name } = secret;
  const password = login.slice(login.indexOf(':') + 1);
  // In front of the mask of the secret, which would cut the value.
  mask.hideFirst(new SecretMask({ name, value }, { escaped: 'symbols' }));
  if (user === undefined && password !== '') mask.hide(new SecretMask({ name, value: password }));
  return {
    headers: ['authorization'],
    authorize: (request) => {
      assertBound(secret, request.url);
      return { ...request, headers: [...request.headers, ['authorization', `Basic ${value}`]] };
    },
  };
}

const withColon = (login: string): string => (login.includes(':') ? login : `${login}:`);

/** Header of a secret that no other part of the request carries. */
const headerOf = (auth: SecretAuth): string => ('header' in auth ? auth.header : 'authorization');

function withQueryParameter(from: URL, name: string, value: string): URL {
  const url = new URL(from);
  url.search = withParameter(url.search.slice(1), name, value);
  return url;
}

/** Throws for a host that the secret is not bound to. */
export function assertBound(secret: Secret, url: URL): void {
  if (bindingsThatAllow(url).some((host) => secret.hosts.includes(host))) return;
  const bound = secret.hosts.length === 0 ? 'to no host' : `only to ${secret.hosts.join(', ')}`;
  const target =
    url.protocol === 'https:' ? url.host : `${url.origin}, which is not encrypted${portHint(url)}`;
  throw new CallRefusal(`is refused: the secret ${secret.name} may be sent ${bound}, not to ${target}`);
}

/** Empty where no binding allows the call, as for http at the port of https. */
function portHint(url: URL): string {
  const [binding] = bindingsThatAllow(url);
  return binding === undefined ? '' : `: its hosts must name ${binding}`;
}

// Puts a value under a name into a query or a body, in place of one that is there. All else stays as it was written.

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
  if (Object.hasOwn(json, name)) {
    if (countInexactIntegers(body) > 0)
      throw new CallRefusal(
        `is refused: the secret replaces the field ${JSON.stringify(name)}, and writing the body again would change an integer that no number holds: leave the field out of the body`,
      );
    return { ...request, body: JSON.stringify({ ...json, [name]: value }) };
  }
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
