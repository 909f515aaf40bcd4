// How a call proves who makes it. The broker alone inserts the values: a file names secrets, and expressions see neither.
import { z } from 'zod';
import { secretNamePattern } from '../secrets/secret.ts';
import { headerNamePattern } from '../upstream/header-problem.ts';
import { fieldKind } from './field-kind.ts';

/** A secret in a header, in a parameter of the query, or in a field of the body. */
type SecretAuth =
  | { readonly secret: string; readonly header: string }
  | { readonly secret: string; readonly query: string }
  | { readonly secret: string; readonly body: string };

export type CallAuth = SecretAuth;

/** Name of the secret that the call needs. */
export const secretOf = (auth: CallAuth): string => auth.secret;

const secretSlot = z
  .string()
  .regex(secretNamePattern, 'A secret is named by capital letters, digits and "_", 64 in all at most')
  .meta(fieldKind('secret'));

const headerSlot = z
  .string()
  .regex(headerNamePattern, 'Expected the name of a header')
  .transform((name) => name.toLowerCase());

const fieldName = z.string().min(1).max(200);

const secretAuth = z
  .strictObject({
    secret: secretSlot.describe(
      'The name of a stored secret, such as CRM_TOKEN. Its value never stands in a file.',
    ),
    header: headerSlot
      .exactOptional()
      .describe('The header that carries it. Without it: `authorization`, as a bearer token.'),
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
  .transform(({ secret, header, query, body }, context): SecretAuth => {
    const [, second] = Object.entries({ header, query, body }).filter(([, name]) => name !== undefined);
    if (second !== undefined)
      context.addIssue({ code: 'custom', message: onlyOneCarrier, path: [second[0]] });
    if (query !== undefined) return { secret, query };
    if (body !== undefined) return { secret, body };
    return { secret, header: header ?? 'authorization' };
  });

const onlyOneCarrier = 'A secret goes into one of these: a header, the query or the body';

export const callAuth = secretAuth.describe(
  'The secret to send along. It goes only to the hosts that it is stored for.',
);
