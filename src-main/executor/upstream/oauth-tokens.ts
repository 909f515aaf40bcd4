// Access tokens of OAuth 2 clients (RFC 6749, section 4.4). They are only in memory, until shortly before they expire.
// INVARIANT: of calls that need the same token at the same time, one gets it, and all share it or its failure.
import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/sleep.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { OAuthClient } from '../../domain/nodes/call-auth.ts';
import {
  longestSecret,
  secretValuePattern,
  shortestSecret,
  type Secret,
} from '../../domain/secrets/secret.ts';
import { shownUrl } from '../../domain/upstream/shown-url.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import { CallRefusal, TokenError } from './call-error.ts';
import { assertBound, type Credentials, withBodyField } from './credentials.ts';
import { formText, SecretMask, type CallMask } from './secret-mask.ts';

type AccessToken = {
  readonly value: string;
  readonly mask: SecretMask;
  /** Monotonic time, in ms. */
  readonly usableUntil: number;
};

/** Sends a request to a token endpoint, within the grants of one workflow. */
type SendTokenRequest = (request: UpstreamRequest, credentials: Credentials) => Promise<UpstreamAnswer>;

export type OAuthCall = {
  readonly client: OAuthClient;
  readonly secret: Secret;
  /** Hides the token in the answer to the call. */
  readonly mask: CallMask;
  /** Networks that the workflow was granted, as a text: another workflow's token may come from elsewhere. */
  readonly networks: string;
  readonly send: SendTokenRequest;
};

const maxTokens = 1000;
/** Lifetime of a token whose endpoint gives none, in ms. */
const usualLifetimeMs = 300_000;
/** A token is replaced this long before it expires, or after nine tenths of a shorter life, in ms. */
const reserveMs = 30_000;

export class OAuthTokens {
  readonly #clock: Clock;
  readonly #tokens = new LruMap<string, AccessToken>({ maxEntries: maxTokens });
  readonly #requests = new Map<string, Promise<AccessToken>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Credentials of one call: a token as a bearer token. */
  credentials(call: OAuthCall): Credentials {
    const { client, secret, mask, networks } = call;
    const key = JSON.stringify([networks, client, createHash('sha256').update(secret.value).digest('hex')]);
    let sent: AccessToken | undefined;
    return {
      headers: ['authorization'],
      authorize: async (request, signal) => {
        assertBound(secret, request.url);
        sent = await untilAborted(this.#find(key, call), signal);
        mask.hide(sent.mask);
        return { ...request, headers: [...request.headers, ['authorization', `Bearer ${sent.value}`]] };
      },
      // Another call may have replaced it already.
      renew: () => {
        if (this.#tokens.get(key) === sent) this.#tokens.delete(key);
      },
    };
  }

  #find(key: string, call: OAuthCall): Promise<AccessToken> {
    const known = this.#tokens.get(key);
    if (known !== undefined && known.usableUntil > this.#clock.monotonic()) return Promise.resolve(known);
    const underWay = this.#requests.get(key);
    if (underWay !== undefined) return underWay;
    const request = this.#request(call)
      .then((token) => {
        this.#tokens.set(key, token);
        return token;
      })
      .finally(() => this.#requests.delete(key));
    this.#requests.set(key, request);
    return request;
  }

  async #request({ client, secret, send }: OAuthCall): Promise<AccessToken> {
    const sentAt = this.#clock.monotonic();
    const answer = await send(tokenRequest(client), clientCredentials(client, secret));
    if (answer.kind === 'failed') {
      if (answer.isFinal) throw new CallRefusal(new TokenError(answer.message).message);
      throw new TokenError(answer.message, answer.status);
    }
    const { token, lifetimeMs } = readToken(answer, `POST ${shownUrl(client.tokenUrl)}`);
    return {
      value: token,
      mask: new SecretMask({ name: secret.name, value: token }, { kind: 'token of' }),
      usableUntil: sentAt + lifetimeMs - Math.min(reserveMs, lifetimeMs / 10),
    };
  }
}

function tokenRequest({ tokenUrl, scope, audience }: OAuthClient): UpstreamRequest {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
  });
  const headers = [
    ['content-type', 'application/x-www-form-urlencoded'],
    ['accept', 'application/json'],
  ] as const;
  return { method: 'POST', url: tokenUrl, headers, body: String(form) };
}

/** Id and secret of the client, for its token request. */
const clientCredentials = ({ clientId, credentialsIn }: OAuthClient, secret: Secret): Credentials => ({
  headers: ['authorization'],
  authorize: (request) => {
    assertBound(secret, request.url);
    if (credentialsIn === 'body')
      return withBodyField(withBodyField(request, 'client_id', clientId), 'client_secret', secret.value);
    // RFC 6749, section 2.3.1.
    const basic = Buffer.from(`${formText(clientId)}:${formText(secret.value)}`).toString('base64');
    return { ...request, headers: [...request.headers, ['authorization', `Basic ${basic}`]] };
  },
});

type Answered = Extract<UpstreamAnswer, { kind: 'answered' }>;

/** Throws `TokenError`. The message repeats nothing of an answer but its error. */
function readToken(
  { status, body }: Answered,
  endpoint: string,
): { readonly token: string; readonly lifetimeMs: number } {
  const answer = objectIn(Buffer.from(body).toString('utf8'));
  if (status >= 400) throw new TokenError(`HTTP ${status} from ${endpoint}${reasonIn(answer)}`, status);
  const { access_token: token, token_type: type = 'bearer', expires_in: seconds } = answer;
  if (typeof token !== 'string') throw new TokenError(`${endpoint} answered without an access token`);
  const broken = brokenRule(token);
  if (broken !== undefined) throw new TokenError(`${endpoint} answered with an access token that ${broken}`);
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw new TokenError(`${endpoint} answered with a token that is no bearer token`);
  const lifetimeMs = Number(seconds) * 1000;
  return { token, lifetimeMs: lifetimeMs > 0 ? Math.min(lifetimeMs, longestLifetimeMs) : usualLifetimeMs };
}

const longestLifetimeMs = 86_400_000;

/** The rule that a token breaks. A shorter one would be found in ordinary words of answers, as would a short secret. */
function brokenRule(token: string): string | undefined {
  const { length } = token;
  if (length < shortestSecret) return `has ${length} characters; the minimum is ${shortestSecret}`;
  if (length > longestSecret) return `has ${length} characters; the maximum is ${longestSecret}`;
  return secretValuePattern.test(token) ? undefined : 'has characters that no header can have';
}

function reasonIn({ error, error_description: description }: JsonObject): string {
  const texts = [error, description].filter((text) => typeof text === 'string');
  const reason = texts
    .join(': ')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return reason === '' ? '' : `: ${reason.slice(0, 200)}`;
}

/** Empty for an answer that is no JSON object. */
function objectIn(text: string): JsonObject {
  try {
    const json = JSON.parse(text) as JsonValue;
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
