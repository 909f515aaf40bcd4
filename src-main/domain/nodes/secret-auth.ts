import { z } from 'zod';
import { secretNamePattern } from '../secrets/secret.ts';
import { headerNamePattern } from '../upstream/header-problem.ts';
import { fieldKind } from './field-kind.ts';

/** How a call proves who it is from: by a secret that the workflow knows only by name. */
export const secretAuth = z
  .strictObject({
    secret: z
      .string()
      .regex(secretNamePattern, 'A secret is named by capital letters, digits and "_", 64 in all at most')
      .meta(fieldKind('secret'))
      .describe('The name of a stored secret, such as CRM_TOKEN. Its value never stands in a file.'),
    header: z
      .string()
      .regex(headerNamePattern, 'Expected the name of a header')
      .transform((name) => name.toLowerCase())
      .default('authorization')
      .describe('The header that carries it. Without it: `authorization`, as a bearer token.'),
  })
  .describe('The secret to send along. It goes only to the hosts that it is stored for.');
