import { maxCellLength } from '../../../domain/rows/export/sheet-xml.ts';

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

/** Maximum characters of a format, as in Excel. */
const maxFormatLength = 255;

/** The kind of a format such as `dd.mm.yyyy`, `[h]:mm` or `#,##0.00`. A format that Excel cannot have is General. */
export function kindOfFormat(code: string): NumberKind {
  if (code.length > maxFormatLength) return 'number';
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .split(';', 1)
    .join('')
    .toLowerCase()
    .replaceAll(/am\/pm|a\/p/g, '');
  if (/\[(?:h+|m+|s+)\]/.test(bare)) return 'elapsed';
  const marks = bare.replaceAll(/\[[^\][]*\]/g, '');
  if (marks.includes('general')) return 'number';
  const isTime = /[hs]/.test(marks);
  if (/[yd]/.test(marks) || (marks.includes('m') && !isTime)) return 'date';
  return isTime ? 'time' : 'number';
}

const dayMs = 86_400_000;
/** Number of the day after 31 December 9999, counted from 1900. */
const endOfDates = 2_958_466;
/** Days between the two beginnings of time that Excel knows. */
const daysFrom1900To1904 = 1462;

/** ISO 8601 text of a number that is shown as a date or time; the number itself if it is none. */
export function dateValue(serial: number, kind: NumberKind, is1904: boolean): string | number {
  const end = is1904 ? endOfDates - daysFrom1900To1904 : endOfDates;
  if (kind === 'number' || serial < 0 || serial >= end) return serial;
  // The last half of a millisecond has no next day.
  const ms = Math.min(Math.round(serial * dayMs), end * dayMs - 1);
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

/** Maximum characters of a cell's text in XML: each of its characters may be written as `_x0007_`. */
const maxEscapedLength = maxCellLength * '_x0007_'.length;

/** Text of a cell that comes in pieces. No more of it is kept than a cell can hold. */
export class CellText {
  #escaped = '';
  #isTooLong = false;

  add(piece: string): void {
    this.#isTooLong ||= this.#escaped.length + piece.length > maxEscapedLength;
    if (!this.#isTooLong) this.#escaped += piece;
  }

  /** The text; undefined if it is longer than a cell's text can be. */
  get value(): string | undefined {
    if (this.#isTooLong) return undefined;
    const text = unescapedText(this.#escaped);
    return text.length > maxCellLength ? undefined : text;
  }
}

/** Characters that XML cannot hold are written as `_x0007_` in workbooks. */
const unescapedText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text;
