// For runs that reach nothing outside: every call is refused, in words that say what would make it.
import { shownRequest } from '../domain/cassette/match-request.ts';
import type { OnUnanswered, Upstream } from './ports.ts';

/** @param hint what a person can do about it, as the end of a sentence */
export const offlineUpstream = (hint: string, onRefused: OnUnanswered = () => undefined): Upstream => ({
  async call(request, { place }) {
    const message = `no call is made to ${shownRequest(request)}: ${hint}`;
    onRefused(message, place);
    return { kind: 'failed', message, isFinal: true };
  },
});
