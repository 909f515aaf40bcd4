// Written forms of dates, and their ISO form. The order of day and month is never guessed: a caller names it.

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[T ,]+(.+))?$/;
const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?:[T ,]+(.+))?$/;
const timeOfDay = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?: ?([ap])\.?m\.?)?$/i;

/** The date as `2025-12-31`, with its time as `2025-12-31T14:30:00`; undefined for a text that is no such date. */
export function isoDate(text: string, order: DateOrder): string | undefined {
  const match = (order === 'ymd' ? yearFirst : yearLast).exec(text.trim());
  if (match === null) return undefined;
  const [, one = '', separator, two = '', three = '', time] = match;
  // Americans do not write dots.
  if (order === 'mdy' && separator === '.') return undefined;
  const [year, month, day] =
    order === 'ymd' ? [one, two, three] : order === 'dmy' ? [three, two, one] : [three, one, two];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isRealDate(date)) return undefined;
  if (time === undefined) return date;
  const isoTime = timeIn(time);
  return isoTime === undefined ? undefined : `${date}T${isoTime}`;
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
