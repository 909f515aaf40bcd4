// Ids, names and texts to search for: what every store can hold. PostgreSQL holds no NUL, and no store half of a character.
import { z } from 'zod';

export const isLookupText = (text: string): boolean => !/[\u0000\p{Surrogate}]/u.test(text);

/** A text that a store keeps, or looks up, as it is. Data of rows is kept as JSON and may have any character. */
export const lookupText = z
  .string()
  .refine(isLookupText, 'A NUL character or half of a character is not possible here');
