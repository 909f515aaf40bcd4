import { runIdAmbiguous, runIdTooShort, runNotFound } from '../run-errors.ts';

/** Fewer characters would mean another run tomorrow. */
const minCharacters = 4;
const wholeLength = 36;

/**
 * The id that a person meant who wrote its beginning or its end. A whole id is given back as it is.
 * Throws `run_not_found`, or `invalid_input` for a piece that is too short or fits several.
 */
export function findRunId(text: string, ids: Iterable<string>): string {
  if (text.length >= wholeLength) return text;
  if (text.length < minCharacters) throw runIdTooShort(text, minCharacters);
  const piece = text.toLowerCase();
  const found = [...ids].filter((id) => id.startsWith(piece) || id.endsWith(piece)).sort();
  const [first] = found;
  if (first === undefined) throw runNotFound();
  if (found.length > 1) throw runIdAmbiguous(text, found);
  return first;
}
