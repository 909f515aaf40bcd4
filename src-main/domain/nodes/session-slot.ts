import { z } from 'zod';
import { initialValue } from './field-kind.ts';

/** Longest name of a session. */
export const maxSessionLength = 64;

/** The key `session` of nodes that call a service over HTTP. */
export const sessionSlot = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z][\\w-]{0,${maxSessionLength - 1}}$`),
    'The name of a session is a letter, then letters, digits, "_" and "-", 64 in all at most',
  )
  .meta(initialValue('login'))
  .describe(
    'A name: the calls of a row with the same one share the cookies that services set, as a browser does. [More about it](upstream-calls.md#sessions-by-cookies).',
  );
