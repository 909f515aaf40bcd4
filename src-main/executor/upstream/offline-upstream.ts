// The upstream of runs that call nothing outside: it refuses every call and tells the user how to allow it.
import { shownRequest } from '../../domain/cassette/match-request.ts';
import type { OnUnanswered, Upstream } from '../ports.ts';

/** @param hint the user's next step, as the end of a sentence */
export const offlineUpstream = (hint: string, onRefused: OnUnanswered = () => undefined): Upstream => ({
  async call(request, { origin }) {
    const message = `no call is made to ${shownRequest(request)}: ${hint}`;
    onRefused(message, origin);
    return { kind: 'failed', message, isFinal: true };
  },
});
