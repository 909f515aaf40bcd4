// The limits of retention as a user types them.
import type { Settings } from '#contract';

export type RetentionLimits = Settings['retention'];
/** The texts of both fields. */
export type RetentionEntry = { readonly [Name in keyof RetentionLimits]: string };
/** The problem of each field; undefined: it is valid. */
export type RetentionProblems = { readonly [Name in keyof RetentionLimits]: string | undefined };

export const entryOf = ({ days, gigabytes }: RetentionLimits): RetentionEntry => ({
  days: String(days),
  gigabytes: String(gigabytes),
});

/** The limits that were typed; undefined while either field is invalid. */
export function limitsOf(entry: RetentionEntry): RetentionLimits | undefined {
  const days = daysOf(entry.days);
  const gigabytes = gigabytesOf(entry.gigabytes);
  return days === undefined || gigabytes === undefined ? undefined : { days, gigabytes };
}

export const problemsOf = (entry: RetentionEntry): RetentionProblems => ({
  days: daysOf(entry.days) === undefined ? 'Enter a whole number from 1 to 36,500.' : undefined,
  gigabytes: gigabytesOf(entry.gigabytes) === undefined ? 'Enter a number from 0.1 to 100,000.' : undefined,
});

export const isSameLimits = (some: RetentionLimits | undefined, other: RetentionLimits): boolean =>
  some?.days === other.days && some.gigabytes === other.gigabytes;

function daysOf(text: string): number | undefined {
  const days = numberOf(text);
  return Number.isInteger(days) ? within(days, 1, 36_500) : undefined;
}

const gigabytesOf = (text: string): number | undefined => within(numberOf(text), 0.1, 100_000);

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value !== undefined && value >= min && value <= max ? value : undefined;

const thousands = /^\d{1,3}(?:[ ,\u202f\u00a0]\d{3})+(?:\.\d*)?$/;
const plain = /^(?:\d+\.?\d*|\.\d+)$/;

/** `1000`, `1,000`, `1 000` and `2.5`. Not `2,5`: it may mean 2.5 or be a typo for 25. */
function numberOf(text: string): number | undefined {
  const typed = text.trim();
  if (thousands.test(typed)) return Number(typed.replaceAll(/[ ,\u202f\u00a0]/g, ''));
  return plain.test(typed) ? Number(typed) : undefined;
}
