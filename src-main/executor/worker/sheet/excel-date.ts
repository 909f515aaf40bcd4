// Dates of spreadsheets: numbers of days that only their format tells from other numbers.

/** How a number is shown, as far as it matters for its value. */
export type NumberKind = 'number' | 'date' | 'time' | 'elapsed';

/** Formats that every workbook has without naming them. */
const builtIn: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'elapsed'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

export const kindOfBuiltIn = (id: number): NumberKind =>
  builtIn.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number';

/** The kind of a format such as `dd.mm.yyyy`, `[h]:mm` or `#,##0.00`. */
export function kindOfFormat(code: string): NumberKind {
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';', 1)
    .join('')
    .toLowerCase()
    .replaceAll(/am\/pm|a\/p/g, '');
  if (/\[(?:h+|m+|s+)\]/.test(bare)) return 'elapsed';
  const marks = bare.replaceAll(/\[[^\]]*\]/g, '');
  if (marks.includes('general')) return 'number';
  const isTime = /[hs]/.test(marks);
  if (/[yd]/.test(marks) || (marks.includes('m') && !isTime)) return 'date';
  return isTime ? 'time' : 'number';
}

const dayMs = 86_400_000;
/** 31 December 9999. */
const lastDay = 2_958_465;
/** Days between the two beginnings of time that Excel knows. */
const daysFrom1900To1904 = 1462;

/** ISO 8601 text of a number that is shown as a date or time; the number itself if it is none. */
export function dateValue(serial: number, kind: NumberKind, is1904: boolean): string | number {
  if (kind === 'number' || serial < 0 || serial > lastDay) return serial;
  const ms = Math.round(serial * dayMs);
  const days = Math.floor(ms / dayMs);
  if (kind === 'elapsed') return clockText(ms);
  const time = clockText(ms % dayMs);
  if (days === 0 && (kind === 'time' || !is1904)) return time;
  const date = dateText(is1904 ? days + daysFrom1900To1904 : days);
  return kind === 'date' && ms % dayMs === 0 ? date : `${date}T${time}`;
}

/** Excel counts 29 February 1900, a day that never was. */
function dateText(day: number): string {
  if (day === 60) return '1900-02-29';
  const start = day < 60 ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  return new Date(start + day * dayMs).toISOString().slice(0, 10);
}

/** `08:30:00`, with milliseconds if there are any. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = ms % 1000;
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return rest === 0 ? clock : `${clock}.${String(rest).padStart(3, '0')}`;
}
