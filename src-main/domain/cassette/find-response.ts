// Looks recorded answers up. Who calls: replay. Nothing here depends on the order in which rows ask.
import type { Cassette, CassetteEntry, RecordedRequest, RecordedResponse } from './cassette.ts';
import { describeDifference, matchText, shownRequest } from './match-request.ts';

/** Where in a workflow, and at which attempt (from 1), a request is made. */
export type RequestPlace = { readonly site: string; readonly attempt: number };

export class ResponseFinder {
  readonly #cassette: Cassette;
  readonly #entries = new Map<string, CassetteEntry[]>();

  constructor(cassette: Cassette) {
    this.#cassette = cassette;
    for (const entry of cassette.entries) {
      const key = matchText(entry.request, cassette.matchHeaders);
      this.#entries.set(key, [...(this.#entries.get(key) ?? []), entry]);
    }
  }

  /** The answer to this attempt: the place's own, else the one for every place; the last one repeats. */
  find(request: RecordedRequest, { site, attempt }: RequestPlace): RecordedResponse | undefined {
    const entries = this.#entries.get(matchText(request, this.#cassette.matchHeaders)) ?? [];
    const entry =
      entries.find(({ place }) => place === site) ??
      entries.find(({ place }) => place === undefined) ??
      entries[0];
    return entry?.responses[Math.min(attempt, entry.responses.length) - 1];
  }

  /** What is nearest to a request that was not found, as the end of a sentence. */
  describeMiss(request: RecordedRequest): string {
    const { entries, matchHeaders } = this.#cassette;
    if (entries.length === 0) return 'it is empty';
    let nearest: { readonly request: RecordedRequest; readonly in: readonly string[] } | undefined;
    for (const entry of entries.slice(0, mostCompared)) {
      const differences = describeDifference(request, entry.request, matchHeaders);
      if (nearest === undefined || weigh(differences) < weigh(nearest.in))
        nearest = { request: entry.request, in: differences };
    }
    if (nearest === undefined || nearest.in.includes('the URL')) {
      const addresses = entries.map((entry) => shownRequest(entry.request));
      const known = [...new Set(addresses)];
      return `it has ${known.slice(0, addressesShown).join(', ')}${known.length > addressesShown ? ` and ${known.length - addressesShown} more` : ''}`;
    }
    return `the nearest, ${shownRequest(nearest.request)}, differs in ${nearest.in.join(', ')}`;
  }
}

/** A miss is for a person, who changes one call at a time; rows by the thousand may miss. */
const mostCompared = 1000;
const addressesShown = 3;

const weigh = (differences: readonly string[]): number =>
  differences.reduce((sum, difference) => sum + (difference === 'the URL' ? 10 : 1), 0);
