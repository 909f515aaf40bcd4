/**
 * The wait that a `Retry-After` header asks for, in ms from `now`, `maxMs` at most. Undefined without a header, and for
 * zero, a date that has passed or any other text.
 */
export function retryAfter(value: string | undefined, now: number, maxMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : httpDate.test(text) ? Date.parse(text) - now : NaN;
  return ms > 0 ? Math.min(ms, maxMs) : undefined;
}

/** HTTP dates, whose three forms begin with the name of the day; `Date.parse` alone would accept `-1`. */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
