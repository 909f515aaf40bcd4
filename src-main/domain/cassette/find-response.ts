// Looks recorded answers up. Who calls: replay. Nothing here depends on the order in which rows ask.
import type { Cassette, CassetteEntry, RecordedRequest, RecordedResponse } from './cassette.ts';
import { describeDifference, matchText, shownRequest } from './match-request.ts';

/** Where in a workflow, and at which attempt (from 1), a request is made. */
export type RequestAttempt = { readonly site: string; readonly attempt: number };

/** The entries of one request by their places, the first of each; undefined is every place. */
type EntriesBySite = Map<string | undefined, CassetteEntry>;

/** Finders by cassette: parts of one run share a cassette, and a finder takes long to make. */
const finders = new WeakMap<Cassette, ResponseFinder>();

export class ResponseFinder {
  readonly #cassette: Cassette;
  readonly #entries = new Map<string, EntriesBySite>();
  /** One entry of each of the first requests, with how much there is to compare. */
  readonly #compared: { readonly entry: CassetteEntry; readonly size: number }[] = [];
  #addresses: string | undefined;

  static for(cassette: Cassette): ResponseFinder {
    const finder = finders.get(cassette) ?? new ResponseFinder(cassette);
    finders.set(cassette, finder);
    return finder;
  }

  constructor(cassette: Cassette) {
    this.#cassette = cassette;
    for (const entry of cassette.entries) {
      const key = matchText(entry.request, cassette.matchHeaders);
      const bySite: EntriesBySite = this.#entries.get(key) ?? new Map<string | undefined, CassetteEntry>();
      if (bySite.size === 0 && this.#compared.length < maxComparedCalls)
        this.#compared.push({ entry, size: key.length });
      if (!bySite.has(entry.place)) bySite.set(entry.place, entry);
      this.#entries.set(key, bySite);
    }
  }

  /** The answer to this attempt: the place's own, else the one for every place; the last one repeats. */
  find(request: RecordedRequest, { site, attempt }: RequestAttempt): RecordedResponse | undefined {
    const entry = this.entry(request, site);
    return entry?.responses[Math.min(attempt, entry.responses.length) - 1];
  }

  /** The entry with the answers to a request from that place. */
  entry(request: RecordedRequest, site: string): CassetteEntry | undefined {
    const bySite = this.#entries.get(matchText(request, this.#cassette.matchHeaders));
    const [first] = bySite?.values() ?? [];
    return bySite?.get(site) ?? bySite?.get(undefined) ?? first;
  }

  /** The recorded request nearest to one that was not found, or the known addresses, as the end of a sentence. */
  describeMiss(request: RecordedRequest): string {
    if (this.#cassette.entries.length === 0) return 'it is empty';
    const nearest = this.#nearest(request);
    if (nearest === undefined || nearest.in.includes('the URL'))
      return `it has ${(this.#addresses ??= describeAddresses(this.#cassette))}`;
    return `the nearest, ${shownRequest(nearest.request)}, differs in ${nearest.in.join(', ')}`;
  }

  #nearest(request: RecordedRequest): Nearest | undefined {
    const { matchHeaders } = this.#cassette;
    const ownSize = matchText(request, matchHeaders).length;
    let nearest: Nearest | undefined;
    let left = maxCharacters;
    for (const { entry, size } of this.#compared) {
      left -= ownSize + size;
      if (left < 0) break;
      const differences = describeDifference(request, entry.request, matchHeaders);
      if (nearest === undefined || weigh(differences) < weigh(nearest.in))
        nearest = { request: entry.request, in: differences };
    }
    return nearest;
  }
}

type Nearest = { readonly request: RecordedRequest; readonly in: readonly string[] };

/** A miss is for a person, who changes one call at a time; rows by the thousand may miss. */
const maxComparedCalls = 1000;
/** Maximum characters of both requests in all comparisons of one miss. */
const maxCharacters = 1_000_000;
const addressesShown = 3;

function describeAddresses({ entries }: Cassette): string {
  const known = [...new Set(entries.map((entry) => shownRequest(entry.request)))];
  const more = known.length > addressesShown ? ` and ${known.length - addressesShown} more` : '';
  return `${known.slice(0, addressesShown).join(', ')}${more}`;
}

const weigh = (differences: readonly string[]): number =>
  differences.reduce((sum, difference) => sum + (difference === 'the URL' ? 10 : 1), 0);
