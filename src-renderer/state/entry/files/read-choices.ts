// The choices above the preview of a file: what may be chosen, and what was decided.
import { count, sentence, type ReadOptions, type ReadRemark } from '#contract';
import { maxFirstLines } from './file-lines.ts';
import type { RowsFile } from './read-rows-file.ts';

/** Values of the choices, as they stand in the lists; empty: the file decides. */
type ReadChoices = {
  readonly header: string;
  readonly delimiter: string;
  /** Undefined: the file decides. */
  readonly encoding: string | undefined;
};

export type ChoiceName = keyof ReadChoices;

type Choice = { readonly value: string; readonly title: string };

const choiceOf = ([value, title]: readonly [string, string]): Choice => ({ value, title });

const automatic: Choice = { value: '', title: 'Automatic' };

const delimiters = (
  [
    [',', 'Comma'],
    [';', 'Semicolon'],
    ['\t', 'Tab'],
    ['|', 'Bar'],
  ] as const
).map(choiceOf);

const encodings = (
  [
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
  ] as const
).map(choiceOf);

/** The choices of the user, and where there is none, the decision of the reader. */
export function readChoices(file: RowsFile | undefined, options: ReadOptions): ReadChoices {
  const { header, delimiter, encoding } = { ...file?.report.readAs, ...options };
  if (file === undefined)
    return { header: header === undefined ? '' : headerText(header), delimiter: delimiter ?? '', encoding };
  return {
    // No option says that there is no header below title lines.
    header: header === undefined ? 'none' : headerText(header),
    delimiter: delimiter ?? (file.format === 'tsv' ? '\t' : ','),
    encoding: encoding ?? 'utf-8',
  };
}

/** The choices that a file of that form has. */
export function choicesOfFile({ format }: RowsFile): readonly ChoiceName[] {
  if (format === 'xlsx') return ['header'];
  return format === 'csv' || format === 'tsv' ? ['header', 'delimiter', 'encoding'] : ['encoding'];
}

/** Remarks about a decision that another file of the kind would not need, by the choice that decides otherwise. */
const doubts: ReadonlyMap<ReadRemark['kind'], ChoiceName | 'sheet'> = new Map([
  ['noHeader', 'header'],
  ['secondHeader', 'header'],
  ['noDelimiter', 'delimiter'],
  ['sheet', 'sheet'],
]);

/** Why the user should check decisions of the reader, in words, by choice. */
export function doubtsAbout(
  { report: { remarks } }: RowsFile,
  guessedEncoding: string | undefined,
): ReadonlyMap<ChoiceName | 'sheet', string> {
  const found = remarks.flatMap(({ kind, text }): readonly [ChoiceName | 'sheet', string][] => {
    const choice = doubts.get(kind);
    return choice === undefined ? [] : [[choice, `Check it: ${text}`]];
  });
  const guessed = guessedEncoding === undefined ? [] : ([['encoding', 'Check it: it is a guess']] as const);
  return new Map([...found, ...guessed]);
}

/** The names of the choices that stand for flags of the command line. */
const flagLabels = {
  header: 'Header in row',
  delimiter: 'Delimiter',
  encoding: 'Encoding',
} as const satisfies Record<ChoiceName, string>;

const choiceNames = Object.keys(flagLabels) as readonly ChoiceName[];

/** The choices that may help a file with that problem: those that its message names, and those that the user has made. */
export const remediesOf = (text: string, options: ReadOptions): readonly ChoiceName[] =>
  choiceNames.filter((name) => options[name] !== undefined || text.includes(`--${name}`));

/** A message about a file, with the names of the page's choices in place of the command line's flags. */
export function pageMessage(text: string): string {
  const named = choiceNames.reduce(
    (words, name) => words.replaceAll(`--${name}`, `“${flagLabels[name]}”`),
    text.replaceAll('--skip', '“Leave out”'),
  );
  return sentence(named.charAt(0).toUpperCase() + named.slice(1));
}

/** The name of an encoding for the user. */
export const encodingLabel = (encoding: string): string =>
  encodings.find(({ value }) => value === encoding)?.title ?? encoding;

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
  const rows = Array.from({ length: maxFirstLines }, (_, index): Choice => ({
    value: String(index + 1),
    title: count(index + 1),
  }));
  return withCurrent([...rows, { value: 'none', title: 'none' }], current, current.replace('-', ' and '));
}

export const delimiterChoices = (current: string): readonly Choice[] => withCurrent(delimiters, current);

export const encodingChoices = (current: string | undefined): readonly Choice[] =>
  withCurrent(encodings, current ?? '');

function withCurrent(choices: readonly Choice[], current: string, title = current): readonly Choice[] {
  if (current === '') return [automatic, ...choices];
  return choices.some(({ value }) => value === current) ? choices : [...choices, { value: current, title }];
}
