// The choices above the preview of a file: what may be chosen, and what was decided.
import { count, type ReadOptions } from '#contract';
import { maxFirstLines } from './file-lines.ts';
import type { RowsFile } from './read-rows-file.ts';

/** Values of the choices, as they stand in the lists. */
export type ReadChoices = { readonly header: string; readonly delimiter: string; readonly encoding: string };

type Choice = readonly [value: string, label: string];

const delimiters: readonly Choice[] = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar'],
];

const encodings: readonly Choice[] = [
  ['utf-8', 'UTF-8'],
  ['mixed', 'UTF-8 and Windows-1252'],
  ['windows-1252', 'Windows-1252 (Western)'],
  ['windows-1250', 'Windows-1250 (Central European)'],
  ['windows-1251', 'Windows-1251 (Cyrillic)'],
  ['windows-1253', 'Windows-1253 (Greek)'],
  ['windows-1254', 'Windows-1254 (Turkish)'],
  ['macintosh', 'Mac OS Roman'],
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16 (big endian)'],
  ['shift_jis', 'Shift JIS (Japanese)'],
  ['gb18030', 'GB18030 (Chinese)'],
  ['big5', 'Big5 (Chinese)'],
  ['euc-kr', 'EUC-KR (Korean)'],
];

/** The choices of the user, and where there is none, the decision of the reader. */
export function readChoices(file: RowsFile, options: ReadOptions): ReadChoices {
  const { header, delimiter, encoding } = { ...file.report.readAs, ...options };
  return {
    // No option says that there is no header below title lines.
    header: header === undefined ? 'none' : headerText(header),
    delimiter: delimiter ?? (file.format === 'tsv' ? '\t' : ','),
    encoding: encoding ?? 'utf-8',
  };
}

type Header = NonNullable<ReadOptions['header']>;

const headerText = (header: Header): string => {
  if (header === 'none') return header;
  return header.first === header.last ? String(header.first) : `${header.first}-${header.last}`;
};

/** The header out of its text: `3`, `1-2`, `none`. */
export function headerOf(text: string): Header {
  if (text === 'none') return text;
  const [first = 1, last = first] = text.split('-').map(Number);
  return { first: Math.min(first, last), last: Math.max(first, last) };
}

/** Rows that may name the columns, the current ones among them. */
export function headerChoices(current: string): readonly Choice[] {
  const rows = Array.from({ length: maxFirstLines }, (_, index): Choice => {
    const row = String(index + 1);
    return [row, count(index + 1)];
  });
  const known: readonly Choice[] = [...rows, ['none', 'none']];
  return known.some(([value]) => value === current)
    ? known
    : [[current, current.replace('-', ' and ')], ...known];
}

export const delimiterChoices = (current: string): readonly Choice[] => withCurrent(delimiters, current);

export const encodingChoices = (current: string | undefined): readonly Choice[] =>
  current === undefined ? encodings : withCurrent(encodings, current);

const withCurrent = (choices: readonly Choice[], current: string): readonly Choice[] =>
  choices.some(([value]) => value === current) ? choices : [...choices, [current, current]];
