// Signs requests with a secret that the service knows too (HMAC). The secret itself is not sent.
import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { RequestSignature } from '../../domain/nodes/call-auth.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { assertBound, type Credentials } from './credentials.ts';
import type { Outgoing } from './outgoing.ts';
import { SecretMask, type CallMask } from './secret-mask.ts';

type SigningDeps = {
  readonly secret: Secret;
  /** Hides each signature in the answer to the call. */
  readonly mask: CallMask;
  readonly clock: Clock;
};

/** Signs the request at the time it is sent, and again after a redirect of its host. */
export function signatureCredentials(
  signature: RequestSignature,
  { secret, mask, clock }: SigningDeps,
): Credentials {
  const { header, prefix = '', timestampHeader } = signature;
  return {
    headers: [header, ...(timestampHeader === undefined ? [] : [timestampHeader])],
    authorize: (request) => {
      assertBound(secret, request.url);
      const time = timeText(signature.timestamp, clock.now());
      const value = sign(signature, secret.value, { request, time });
      mask.hide(new SecretMask({ name: secret.name, value }, { kind: 'signature by', escaped: 'symbols' }));
      const timed = timestampHeader === undefined ? [] : [[timestampHeader, time] as const];
      return { ...request, headers: [...request.headers, ...timed, [header, `${prefix}${value}`]] };
    },
  };
}

type SignedRequest = { readonly request: Outgoing; readonly time: string };

function sign(
  { algorithm, encoding, over, secretEncoding, separator }: RequestSignature,
  secret: string,
  signed: SignedRequest,
): string {
  const hmac = createHmac(algorithm, Buffer.from(secret, secretEncoding === 'base64' ? 'base64' : 'utf8'));
  for (const [index, name] of over.entries()) {
    if (index > 0) hmac.update(separator);
    hmac.update(partOf(name, signed));
  }
  return hmac.digest(encoding);
}

function partOf(
  name: RequestSignature['over'][number],
  { request, time }: SignedRequest,
): string | Uint8Array {
  const { method, url, body = '' } = request;
  switch (name) {
    case 'method':
      return method;
    case 'host':
      return url.host;
    case 'path':
      return url.pathname;
    case 'query':
      return url.search.slice(1);
    case 'target':
      return `${url.pathname}${url.search}`;
    case 'timestamp':
      return time;
    case 'body':
      return body;
    case 'bodyHash':
      return createHash('sha256').update(body).digest('hex');
  }
}

function timeText(form: RequestSignature['timestamp'], now: number): string {
  if (form === 'iso') return new Date(now).toISOString();
  return String(form === 'seconds' ? Math.floor(now / 1000) : now);
}
