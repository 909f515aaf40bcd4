// The options that say how a file of rows is read: the same names as flags, as keys in files and in stored runs.
import { AppError } from '../../../base/app-error.ts';

/** How a file of rows is read. An option that is absent is decided from the file itself. */
export type ReadOptions = {
  /** One character. */
  readonly delimiter?: string | undefined;
  readonly quote?: QuoteChoice | undefined;
  readonly header?: HeaderChoice | undefined;
  /** A name of the Encoding Standard, or `mixed`: lines of UTF-8 and lines of Windows-1252. */
  readonly encoding?: string | undefined;
  /** The mark before decimals; the other one groups thousands. */
  readonly decimal?: '.' | ',' | undefined;
  /** The order of day, month and year. */
  readonly dates?: DateOrder | undefined;
  /** Lines that are left out, by their number of cells. */
  readonly skip?: SkipChoice | undefined;
  /** The name of a workbook's sheet. */
  readonly sheet?: string | undefined;
  /** Every remark is an error. */
  readonly strict?: boolean | undefined;
};

/** The character around cells that hold delimiters or line breaks. */
type QuoteChoice = '"' | "'" | 'none';

/** Lines of the file (rows of the sheet) that name the columns, from 1. */
export type HeaderChoice = 'none' | { readonly first: number; readonly last: number };

type DateOrder = 'dmy' | 'mdy' | 'ymd';

/** Lines with fewer cells than the header, with more, or both. */
type SkipChoice = 'short' | 'long' | 'both';

/** A value of an option as a flag or a file gives it. */
type WrittenOption = string | number | boolean;

/** Maximum lines that name the columns together. */
const maxHeaderLines = 10;

const names = [
  'delimiter',
  'quote',
  'header',
  'encoding',
  'decimal',
  'dates',
  'skip',
  'sheet',
  'strict',
] as const;

/**
 * The options out of their written forms: `3`, `1-2` or `none` for the header, `tab` for the delimiter. Throws
 * `invalid_input` that names the option and the values it may have.
 */
export function parseReadOptions(written: Readonly<Record<string, WrittenOption>>): ReadOptions {
  const unknown = Object.keys(written).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined)
    throw new AppError(
      'invalid_input',
      `"${unknown}" is no option of a rows file: there are ${names.join(', ')}`,
    );
  const { delimiter, quote, header, encoding, decimal, dates, skip, sheet, strict } = written;
  return {
    ...(delimiter !== undefined && { delimiter: parsedDelimiter(delimiter) }),
    ...(quote !== undefined && { quote: oneOf<QuoteChoice>('quote', quote, ['"', "'", 'none']) }),
    ...(header !== undefined && { header: parsedHeader(header) }),
    ...(encoding !== undefined && { encoding: nonEmptyText('encoding', encoding) }),
    ...(decimal !== undefined && { decimal: oneOf<'.' | ','>('decimal', decimal, ['.', ',']) }),
    ...(dates !== undefined && { dates: oneOf<DateOrder>('dates', dates, ['dmy', 'mdy', 'ymd']) }),
    ...(skip !== undefined && { skip: oneOf<SkipChoice>('skip', skip, ['short', 'long', 'both']) }),
    ...(sheet !== undefined && { sheet: nonEmptyText('sheet', sheet) }),
    ...(strict !== undefined && { strict: parsedStrict(strict) }),
  };
}

/** The written forms that `parseReadOptions` makes these options of. */
export function writtenReadOptions(options: ReadOptions): Record<string, string | boolean> {
  const { header, delimiter, ...others } = options;
  const written = Object.entries(others).filter(([, value]) => value !== undefined);
  return {
    ...(delimiter !== undefined && { delimiter: delimiter === '\t' ? 'tab' : delimiter }),
    ...(header !== undefined && { header: writtenHeader(header) }),
    ...(Object.fromEntries(written) as Record<string, string | boolean>),
  };
}

/** A flag of the command line with its value, as messages name it. */
const flag = new RegExp(
  String.raw`--(${names.join('|')})\b(?: (none|\d+(?:-\d+)?|[.,](?=[ ,;]|$)|short|long|both))?`,
  'g',
);

/** A message with the keys of a file in place of flags: `header: 1-2` for `--header 1-2`. */
export const withOptionKeys = (message: string): string =>
  message.replaceAll(flag, (_, name: string, value: string | undefined) => {
    if (value === undefined) return name === 'strict' ? '`strict: true`' : `\`${name}\``;
    return `\`${name}: ${value === ',' || value === '.' ? `"${value}"` : value}\``;
  });

/** A message without the sentences that name flags, for files that are read without options. */
export const withoutOptions = (message: string): string =>
  message
    .split('. ')
    .filter((sentence) => sentence.search(flag) < 0)
    .join('. ');

/** Options that say nothing about a file of that form. */
const unfit = {
  JSON: ['delimiter', 'quote', 'header', 'decimal', 'dates', 'skip'],
  'a workbook': ['delimiter', 'quote', 'encoding', 'skip'],
} as const satisfies Readonly<Record<string, readonly (keyof ReadOptions)[]>>;

/** Throws `invalid_input` for an option that says nothing about a file of that form. */
export function assertOptionsFit(options: ReadOptions, form: keyof typeof unfit): void {
  const name = unfit[form].find((option) => options[option] !== undefined);
  if (name !== undefined)
    throw new AppError(
      'invalid_input',
      `it is ${form}, to which the option ${name} does not apply: leave it out`,
    );
}

const writtenHeader = (header: HeaderChoice): string => {
  if (header === 'none') return header;
  return header.first === header.last ? `${header.first}` : `${header.first}-${header.last}`;
};

function parsedDelimiter(written: WrittenOption): string {
  if (written === 'tab') return '\t';
  const text = String(written);
  if ([...text].length === 1 && !/["\r\n]/.test(text)) return text;
  throw optionInvalid('delimiter', written, 'one character that is no quote, or tab');
}

function parsedHeader(written: WrittenOption): HeaderChoice {
  if (written === 'none') return written;
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(written)) ?? [];
  const first = Number(from);
  const last = Number(to ?? from);
  if (first >= 1 && last >= first && last - first < maxHeaderLines) return { first, last };
  throw optionInvalid(
    'header',
    written,
    `the line that names the columns such as 3, up to ${maxHeaderLines} lines such as 1-2, or none`,
  );
}

function parsedStrict(written: WrittenOption): boolean {
  if (typeof written === 'boolean') return written;
  throw optionInvalid('strict', written, 'true or false');
}

function nonEmptyText(name: string, written: WrittenOption): string {
  if (typeof written === 'string' && written !== '') return written;
  throw optionInvalid(name, written, 'a name');
}

function oneOf<T extends string>(name: string, written: WrittenOption, values: readonly T[]): T {
  const value = values.find((known) => known === written);
  if (value !== undefined) return value;
  throw optionInvalid(name, written, `one of ${values.join(' ')}`);
}

const optionInvalid = (name: string, written: WrittenOption, accepted: string) =>
  new AppError('invalid_input', `${name} must be ${accepted}, not ${JSON.stringify(written)}`);
