// The remarks about how a file of rows was read: each decision beyond the plain case, and each line or cell that the
// reader left out or repaired.
import { rowsInvalid } from '../../workflow-errors.ts';
import type { ReadOptions } from './read-options.ts';

/** The causes of remarks. */
type RemarkKind =
  | 'delimiter'
  | 'noDelimiter'
  | 'quotes'
  | 'header'
  | 'noHeader'
  | 'linesAbove'
  | 'secondHeader'
  | 'emptyLines'
  | 'repeatedHeader'
  | 'shortRows'
  | 'longRows'
  | 'repairedQuotes'
  | 'strayQuotes'
  | 'namelessColumns'
  | 'leftOutColumn'
  | 'duplicateNames'
  | 'encoding'
  | 'gzip'
  | 'columnForm'
  | 'openForm'
  | 'otherForm'
  | 'dates'
  | 'noResult'
  | 'sheet';

/** One decision about a file, or one cause of lines that were left out or repaired. */
export type ReadRemark = {
  readonly kind: RemarkKind;
  /** Number of lines, cells or columns concerned. */
  readonly count: number;
  /** The first few lines (rows of a sheet) concerned, from 1; the text does not name them. */
  readonly lines: readonly number[];
  /** In words, as it stands in the one line about the file: `delimiter ";"`. */
  readonly text: string;
  /** The option that decides otherwise. */
  readonly option?: keyof ReadOptions;
  /** Flags between which the user chooses, where nothing in the file decides: `--decimal , or --decimal .`. */
  readonly choices?: string;
  /** Name of the column that the remark is about, if it is about one. */
  readonly column?: string;
};

/** How a file was read. */
export type ReadReport = {
  /** The options with which the file reads alike again. */
  readonly readAs: ReadOptions;
  readonly remarks: readonly ReadRemark[];
  /** The names of the columns in the order of the file, for a table; surplus cells have columns of their own. */
  readonly columns?: readonly string[];
};

/** One line, cell or column that a remark is about. */
export type Remarked = {
  readonly kind: RemarkKind;
  /** The remark's words for the number of lines, cells or columns. */
  readonly words: (count: number) => string;
  /** Line of the file (row of the sheet), from 1. */
  readonly line?: number;
  /** Lines, cells or columns that this adds to the remark; default 1. */
  readonly count?: number;
  readonly option?: keyof ReadOptions;
  readonly choices?: string;
  /** The column's name; remarks of one kind about two columns stay apart. */
  readonly column?: string;
  /** True if an option of the user asks for it: it is no error where remarks are. */
  readonly isChosen?: boolean;
  /** The problem in words if remarks are errors; default: the remark's words. */
  readonly problem?: string;
  /** How the user corrects the problem. */
  readonly remedy?: string;
};

/** Maximum lines that a remark names. */
const maxLines = 20;

/** Maximum lines that the one line about a file names for a remark. */
const maxNamedLines = 5;

/** Counts what is remarkable while a file is read; memory is bounded by the number of causes. */
export class RemarkCollector {
  readonly #strict: boolean;
  readonly #unit: 'line' | 'row';
  readonly #remarks = new Map<string, { remarked: Remarked; count: number; lines: number[] }>();

  /**
   * @param strict every remark is an error
   * @param unit `row` for a sheet
   */
  constructor(strict = false, unit: 'line' | 'row' = 'line') {
    this.#strict = strict;
    this.#unit = unit;
  }

  /** Throws `invalid_input` that names the line if remarks are errors. */
  add(remarked: Remarked): void {
    const { kind, line, count = 1, column = '' } = remarked;
    if (this.#strict && remarked.isChosen !== true) throw this.#error(remarked);
    const key = `${kind} ${column}`;
    const known = this.#remarks.get(key) ?? { remarked, count: 0, lines: [] };
    known.count += count;
    if (line !== undefined && known.lines.length < maxLines) known.lines.push(line);
    this.#remarks.set(key, known);
  }

  #error({ line, words, count = 1, problem = words(count), choices, remedy }: Remarked): Error {
    const remedies = remedy ?? (choices && `Choose ${choices}`);
    return rowsInvalid(
      { line: line ?? 1, column: 1 },
      `${problem}, which is an error with --strict${remedies === undefined ? '' : `. ${remedies}`}`,
      line === undefined ? 'the whole file' : `${this.#unit} ${line}`,
    );
  }

  /** The remarks in the order in which their first causes were met. */
  all(): ReadRemark[] {
    return [...this.#remarks.values()].map(
      ({ remarked: { kind, words, option, choices, column }, count, lines }) => ({
        kind,
        count,
        lines: [...lines],
        text: words(count),
        ...(option !== undefined && { option }),
        ...(choices !== undefined && { choices }),
        ...(column !== undefined && { column }),
      }),
    );
  }
}

/** Kinds that say how the whole file is read. */
const aboutFile: readonly RemarkKind[] = [
  'encoding',
  'gzip',
  'sheet',
  'delimiter',
  'noDelimiter',
  'quotes',
  'header',
  'noHeader',
  'linesAbove',
];

/** The remarks of a file in one line: `orders.csv: delimiter ";", header in line 3; 3 empty lines left out`. */
export function remarkLine(name: string, report: ReadReport): string {
  const isAboutFile = ({ kind }: ReadRemark): boolean => aboutFile.includes(kind);
  const decisions = report.remarks.filter(isAboutFile).map(withLines).join(', ');
  const causes = report.remarks.filter((remark) => !isAboutFile(remark)).map(withLines);
  return `${name}: ${[...(decisions === '' ? [] : [decisions]), ...causes].join('; ')}`;
}

/** The flags that decide about a file: those of decisions that are made, then those between which the user chooses. */
export function decidedBy(flags: string, { remarks }: ReadReport): string {
  const choices = new Set(remarks.flatMap((remark) => remark.choices ?? []));
  const decided = [...(flags === '' ? [] : [flags]), ...choices];
  return decided.length === 0 ? '' : `. To decide it: ${decided.join('; ')}`;
}

function withLines({ text, lines, count }: ReadRemark): string {
  if (lines.length === 0) return text;
  return `${text} (${lines.slice(0, maxNamedLines).join(', ')}${count > maxNamedLines ? ', …' : ''})`;
}

/** The report of a form in which nothing is left to decide. */
export const plainReport: ReadReport = { readAs: {}, remarks: [] };
