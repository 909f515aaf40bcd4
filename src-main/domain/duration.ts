const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Description of the format, for error messages. */
export const durationForm = 'a duration such as 400ms, 2s, 1m or 1h';

/** As a regular expression, for the published schema too. */
export const durationPattern = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;

/** The longest wait that a workflow may ask for, in ms: a day. */
export const longestWaitMs = 24 * unitMs.h;

/** `400ms`, `2s`, `1.5m` or `1h` in milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
}

/** `250 ms`, `5 s`, `1.5 s`, as error messages say it. */
export const describeDuration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
