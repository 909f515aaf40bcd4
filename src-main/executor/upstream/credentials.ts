// What the broker adds to a request, so that the service knows who makes the call.
// INVARIANT: a secret, and whatever is made of it, goes only to hosts that the secret is bound to.
import type { SecretAuth } from '../../domain/nodes/call-auth.ts';
import { bindingsThatAllow } from '../../domain/secrets/host-binding.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { CallRefusal } from './call-error.ts';
import type { Outgoing } from './outgoing.ts';
import { withBodyField, withParameter } from './named-field.ts';

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
  headers: 'header' in auth ? [auth.header] : [],
  authorize: (request) => {
    assertBound(secret, request.url);
    if ('query' in auth)
      return { ...request, url: withQueryParameter(request.url, auth.query, secret.value) };
    if ('body' in auth) return withBodyField(request, auth.body, secret.value);
    const value = auth.header === 'authorization' ? `Bearer ${secret.value}` : secret.value;
    return { ...request, headers: [...request.headers, [auth.header, value]] };
  },
});

function withQueryParameter(from: URL, name: string, value: string): URL {
  const url = new URL(from);
  url.search = withParameter(url.search.slice(1), name, value);
  return url;
}

/** Throws for a host that the secret is not bound to. */
export function assertBound(secret: Secret, url: URL): void {
  if (bindingsThatAllow(url).some((host) => secret.hosts.includes(host))) return;
  const bound = secret.hosts.length === 0 ? 'to no host' : `only to ${secret.hosts.join(', ')}`;
  const target = url.protocol === 'https:' ? url.host : `${url.origin}, which is not encrypted`;
  throw new CallRefusal(`is refused: the secret ${secret.name} may be sent ${bound}, not to ${target}`);
}
