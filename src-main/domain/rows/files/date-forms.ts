// Written forms of dates, and their ISO form. The order of day and month is never guessed: a caller names it.

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ,]+(.+))?$/;
const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?:[T ,]+(.+))?$/;
const timeOfDay = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?: ?([ap])\.?m\.?)?$/i;

/** The date as `2025-12-31`, with its time as `2025-12-31T14:30:00`; undefined for a text that is no such date. */
export function isoDate(text: string, order: DateOrder): string | undefined {
  const [, one = '', separator, two = '', three = '', time] =
    (order === 'ymd' ? yearFirst : yearLast).exec(text.trim()) ?? [];
  // Americans do not write dots.
  if (separator === undefined || (order === 'mdy' && separator === '.')) return undefined;
  const date = inIsoOrder([one, two, three], order)
    .map((part) => part.padStart(2, '0'))
    .join('-');
  if (!isRealDate(date)) return undefined;
  if (time === undefined) return date;
  const isoTime = timeIn(time);
  return isoTime === undefined ? undefined : `${date}T${isoTime}`;
}

function inIsoOrder([one, two, three]: readonly [string, string, string], order: DateOrder): string[] {
  if (order === 'ymd') return [one, two, three];
  return order === 'dmy' ? [three, two, one] : [three, one, two];
}

/** The orders in which the text is a date: `03/04/2025` has two. */
export const dateOrdersOf = (text: string): readonly DateOrder[] =>
  /\d{4}/.test(text)
    ? (['dmy', 'mdy', 'ymd'] as const).filter((order) => isoDate(text, order) !== undefined)
    : [];

function isRealDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}

function timeIn(text: string): string | undefined {
  const [, hour, minute = '', second = '00', half] = timeOfDay.exec(text.trim()) ?? [];
  if (hour === undefined || Number(minute) > 59 || Number(second) >= 60) return undefined;
  const written = Number(hour);
  if (half === undefined ? written > 23 : written < 1 || written > 12) return undefined;
  const hours = half === undefined ? written : (written % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`;
}
