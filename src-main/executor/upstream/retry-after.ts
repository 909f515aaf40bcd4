/**
 * What a `Retry-After` header asks for, in ms from `now`, never above `maxMs`. Undefined for none and for nonsense: a
 * negative number, a date that has passed, anything else.
 */
export function retryAfter(value: string | undefined, now: number, maxMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return ms > 0 ? Math.min(ms, maxMs) : undefined;
}

/** The three forms begin with the day's name; `Date.parse` alone would take `-1` for a date. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
