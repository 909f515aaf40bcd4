// Which calls are equal: those with the same method, URL (its query in any order), headers, body (JSON by value), credentials
// and handling of redirects. The row, the node and the time limit that make a call are not part of it.
import { matchText, recordRequest, type MadeRequest } from '../cassette/match-request.ts';
import type { CallAuth } from '../nodes/call-auth.ts';

type KeyedRequest = MadeRequest & {
  readonly auth?: CallAuth | undefined;
  readonly redirect?: 'answer' | undefined;
};

/** The same text for equal calls. */
export function requestKey(request: KeyedRequest): string {
  const headers = [...request.headers].sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return JSON.stringify([
    matchText(recordRequest(request, []), []),
    headers,
    request.auth ?? null,
    request.redirect ?? null,
  ]);
}
