// For runs that reach nothing outside: every call is refused, in words that say what would make it.
import type { Upstream } from './ports.ts';

/** @param hint what a person can do about it, as the end of a sentence */
export const offlineUpstream = (hint: string): Upstream => ({
  call: ({ method, url }) =>
    Promise.resolve({ kind: 'failed', message: `no call is made to ${method} ${url}: ${hint}` }),
});
