import type { Cassette } from './cassette.ts';
import { matchText } from './match-request.ts';

/** The first cassette, with the entries of the second for requests that the first does not have. */
export function mergeCassettes(
  first: Cassette | undefined,
  second: Cassette | undefined,
): Cassette | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const textOf = ({ request }: Cassette['entries'][number]): string => matchText(request, first.matchHeaders);
  const known = new Set(first.entries.map(textOf));
  const further = second.entries.filter((entry) => !known.has(textOf(entry)));
  return { ...first, entries: [...first.entries, ...further] };
}
