// How a call proves who makes it. The broker alone inserts the values: a file names secrets, and expressions see neither.
import { z } from 'zod';
import { secretNamePattern } from '../secrets/secret.ts';
import { headerNamePattern } from '../upstream/header-problem.ts';
import { fieldKind, initialValue } from './field-kind.ts';
import type { Slots } from './slots.ts';

/**
 * A secret as a bearer token or behind another scheme, or unchanged in a header, in a parameter of the query, or in a field of
 * the body.
 */
export type SecretAuth =
  | { readonly secret: string }
  | { readonly secret: string; readonly scheme: string }
  | { readonly secret: string; readonly header: string }
  | { readonly secret: string; readonly query: string }
  | { readonly secret: string; readonly body: string };

/** Basic authentication (RFC 7617). */
export type BasicLogin = {
  /** Absent: the secret is "user:password", or a user name without a password. */
  readonly user?: string;
  /** Name of the secret that is the password. */
  readonly secret: string;
};

/** A client that gets access tokens by the client credentials grant of OAuth 2. */
export type OAuthClient = {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Name of the client's secret. */
  readonly secret: string;
  readonly scope?: string;
  readonly audience?: string;
  /** Where the token request carries id and secret. */
  readonly credentialsIn: 'header' | 'body';
};

/** Parts of a request that a signature can cover, as they are sent. `target` is path and query; `bodyHash` is in hex. */
const signable = ['method', 'host', 'path', 'query', 'target', 'timestamp', 'body', 'bodyHash'] as const;

/** A signature of the request with a key that both sides know (HMAC, RFC 2104). */
export type RequestSignature = {
  /** Name of the secret that is the key. */
  readonly secret: string;
  readonly secretEncoding: 'text' | 'base64';
  readonly algorithm: 'sha256' | 'sha512' | 'sha1';
  readonly over: readonly (typeof signable)[number][];
  readonly separator: string;
  readonly encoding: 'hex' | 'base64';
  readonly header: string;
  /** Text before the signature in its header. */
  readonly prefix?: string;
  readonly timestamp: 'seconds' | 'milliseconds' | 'iso';
  readonly timestampHeader?: string;
};

export type CallAuth =
  | SecretAuth
  | { readonly basic: BasicLogin }
  | { readonly oauth2: OAuthClient }
  | { readonly hmac: RequestSignature };

/** Name of the secret that the call needs. */
export function secretOf(auth: CallAuth): string {
  if ('basic' in auth) return auth.basic.secret;
  if ('oauth2' in auth) return auth.oauth2.secret;
  return 'hmac' in auth ? auth.hmac.secret : auth.secret;
}

const secretSlot = z
  .string()
  .regex(secretNamePattern, 'A secret is named by capital letters, digits and "_", 64 in all at most')
  .meta({ ...initialValue('API_KEY'), ...fieldKind('secret') });

const headerSlot = z
  .string()
  .regex(headerNamePattern, 'Expected the name of a header')
  .transform((name) => name.toLowerCase());

/** One token, as RFC 7235 has it. */
const schemePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const fieldName = z.string().min(1).max(200).meta(initialValue('key'));

const secretAuth = z
  .strictObject({
    secret: secretSlot.describe(
      'The name of a stored secret, such as CRM_TOKEN. Its value never stands in a file.',
    ),
    header: headerSlot
      .exactOptional()
      .meta(initialValue('x-api-key'))
      .describe(
        'The header that carries it, unchanged, in place of `authorization: Bearer …`. With `authorization` the secret is the whole value, such as `Digest …`.',
      ),
    scheme: z
      .string()
      .regex(schemePattern, 'Expected the name of a scheme, such as Token')
      .exactOptional()
      .meta(initialValue('Token'))
      .describe(
        'The word before the secret in the header authorization, such as `Token`. Without it: `Bearer`.',
      ),
    query: fieldName
      .exactOptional()
      .describe('The parameter of the query that carries it, instead of a header.'),
    body: fieldName
      .exactOptional()
      .describe(
        'The field of the body that carries it, instead of a header. The body is a JSON object or a form.',
      ),
  })
  .meta({ title: 'Secret' })
  .transform(({ secret, header, query, body, scheme }, context): SecretAuth => {
    const [, second] = Object.entries({ header, query, body }).filter(([, name]) => name !== undefined);
    if (scheme !== undefined) {
      if ((header ?? query ?? body) !== undefined)
        context.addIssue({ code: 'custom', message: onlyInAuthorization, path: ['scheme'] });
      return { secret, scheme };
    }
    if (second !== undefined)
      context.addIssue({ code: 'custom', message: onlyOneCarrier, path: [second[0]] });
    if (query !== undefined) return { secret, query };
    if (body !== undefined) return { secret, body };
    return header === undefined ? { secret } : { secret, header };
  });

const onlyInAuthorization =
  '"scheme" is for the header authorization, which is the place without "header", "query" or "body": leave these out';

const onlyOneCarrier = 'A secret goes into one of these: a header, the query or the body';

/** Text that stands in a form or a header. */
const plainText = {
  pattern: /^(?=.{1,2000}$)[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/,
  message: 'Expected text of at most 2,000 printable ASCII characters',
};

const tokenUrl = {
  pattern: /^https?:\/\/[^\s\\@{}/?#]+(?:[/?][^\s\\{}#]*)?$/i,
  message: 'Expected a URL that begins with http:// or https://',
};

const userName = {
  pattern: /^[^\u0000-\u001f\u007f:]{1,200}$/,
  message: 'Expected a user name of at most 200 characters, without ":"',
};

const basicLogin = (slots: Slots) =>
  z.strictObject({
    user: slots
      .fixedText(userName)
      .exactOptional()
      .describe(
        'The user name; the text may contain variables. Without it the secret is "user:password", or a user name without a password.',
      ),
    secret: secretSlot.describe('The name of the stored secret that is the password.'),
  });

const basicAuth = (slots: Slots) =>
  z
    .strictObject({
      basic: basicLogin(slots).describe(
        'Basic authentication: user name and password, as `curl -u` sends them.',
      ),
    })
    .meta({ title: 'Basic authentication' });

const oauthClient = (slots: Slots) =>
  z.strictObject({
    tokenUrl: slots
      .fixedText(tokenUrl)
      .describe('The token endpoint; the text may contain variables. The workflow reaches its host.'),
    clientId: slots.fixedText(plainText).describe('The id of the client, as the service issued it.'),
    secret: secretSlot.describe(
      "The name of the stored secret that is the client's. It must be bound to the host of the token endpoint and to the host that is called.",
    ),
    scope: slots
      .fixedText(plainText)
      .exactOptional()
      .describe('The scopes that are asked for, separated by blanks.'),
    audience: slots
      .fixedText(plainText)
      .exactOptional()
      .describe('The service that the token is for, where the endpoint asks for it.'),
    credentialsIn: z
      .enum(['header', 'body'])
      .default('header')
      .describe('Where the token request carries id and secret: `header` (basic authentication) or `body`.'),
  });

const oauthAuth = (slots: Slots) =>
  z
    .strictObject({
      oauth2: oauthClient(slots).describe(
        'Client credentials: Rowbench gets an access token, keeps it in memory, and sends it as a bearer token.',
      ),
    })
    .meta({ title: 'OAuth 2 client credentials' });

const requestSignature = z
  .strictObject({
    secret: secretSlot.describe('The name of the stored secret that is the key. It is never sent.'),
    secretEncoding: z
      .enum(['text', 'base64'])
      .default('text')
      .describe('`base64`: the key is the bytes that the secret stands for.'),
    algorithm: z.enum(['sha256', 'sha512', 'sha1']).default('sha256').describe('The hash of the HMAC.'),
    over: z
      .array(z.enum(signable))
      .min(1)
      .max(20)
      .describe(
        'What is signed, in this order, as it is sent: `target` is path and query together, `bodyHash` the SHA-256 of the body in hex.',
      ),
    separator: z.string().max(20).default('\n').describe('Text between the parts. Without it: a line feed.'),
    encoding: z.enum(['hex', 'base64']).default('hex').describe('How the signature is written.'),
    header: headerSlot.describe('The header that carries the signature.'),
    prefix: z
      .string()
      .regex(/^[\u0020-\u007e]{1,200}$/, 'Expected printable ASCII characters')
      .exactOptional()
      .describe('Text before the signature in its header, such as `sha256=`.'),
    timestamp: z
      .enum(['seconds', 'milliseconds', 'iso'])
      .default('seconds')
      .describe('How the time of the call is written: since 1970, or as `2026-11-26T10:00:00.000Z`.'),
    timestampHeader: headerSlot
      .exactOptional()
      .describe('The header that carries the time of the call. It goes with `timestamp` in `over`.'),
  })
  .superRefine(({ over, timestampHeader }, context) => {
    if (over.includes('timestamp') === (timestampHeader !== undefined)) return;
    const message =
      timestampHeader === undefined
        ? 'The service needs the time that is signed: name a "timestampHeader"'
        : 'The time is sent but not signed: add timestamp to "over"';
    context.addIssue({
      code: 'custom',
      message,
      path: [timestampHeader === undefined ? 'over' : 'timestampHeader'],
    });
  });

const signatureAuth = z
  .strictObject({
    hmac: requestSignature.describe('Signs the request (HMAC) with a secret that the service knows too.'),
  })
  .meta({ title: 'Signature (HMAC)' });

export const callAuth = (slots: Slots) =>
  z
    .union([secretAuth, basicAuth(slots), oauthAuth(slots), signatureAuth], {
      error: 'Expected { secret: NAME }, { basic: { … } }, { oauth2: { … } } or { hmac: { … } }',
    })
    .describe('How the call proves who makes it. Secrets go only to the hosts that they are stored for.');
