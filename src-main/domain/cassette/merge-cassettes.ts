import type { Cassette } from './cassette.ts';
import { matchText } from './match-request.ts';

/** The cassette without its entries for requests that the other one has. */
export function withoutRequestsOf(cassette: Cassette, other: Cassette): Cassette {
  const textOf = ({ request }: Cassette['entries'][number]): string => matchText(request, other.matchHeaders);
  const known = new Set(other.entries.map(textOf));
  return { ...cassette, entries: cassette.entries.filter((entry) => !known.has(textOf(entry))) };
}

/** The first cassette, with the entries of the second for requests that the first does not have. */
export function mergeCassettes(
  first: Cassette | undefined,
  second: Cassette | undefined,
): Cassette | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { ...first, entries: [...first.entries, ...withoutRequestsOf(second, first).entries] };
}
