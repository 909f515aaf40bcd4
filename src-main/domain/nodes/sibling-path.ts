import { z } from 'zod';

/** Beside the file that names it or below: an imported file must not reach elsewhere. */
export const siblingPath = z
  .string()
  .min(1)
  .refine(
    (path) => !/^[/~]|^[A-Za-z]:|\\|(^|\/)\.\.(\/|$)/.test(path),
    'Expected a file beside this one: a relative path with "/" and without ".."',
  );
