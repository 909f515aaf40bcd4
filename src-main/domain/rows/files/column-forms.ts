// The written forms of the columns of one table. Who calls: the readers of text files and of workbooks.
import { counted } from '../../format.ts';
import { typedCell, type ColumnTypes } from '../typed-cell.ts';
import { isAbsentMark } from './absent-marks.ts';
import { dateOrdersOf, isoDate, type DateOrder } from './date-forms.ts';
import { numberForm, plainNumber, type DecimalMark } from './number-forms.ts';
import type { ReadOptions } from './read-options.ts';
import type { RemarkCollector } from './read-remarks.ts';

type FormOptions = Pick<ReadOptions, 'decimal' | 'dates'>;

/** The form that the numbers of a column have. */
type ColumnForm = {
  readonly decimal: DecimalMark;
  /** False if no cell of the beginning decides the decimal mark: then `1,234` is refused. */
  readonly isDecided: boolean;
  /** True if cells of the beginning contradict each other: then `1.234` is refused, too. */
  readonly isMixed: boolean;
  /** `%`, or the only currency. Empty: cells with a unit are refused. */
  readonly unit: string;
};

/** Rows and characters from which the forms are decided. */
const sampleRows = 1000;
const sampleLength = 131_072;

/** Share of the deciding cells that must agree; the others fail their rows. */
const agreement = 0.9;

/**
 * Reads the cells of a table, column by column. The rows at the beginning decide the form of each column that is declared
 * as a number, so that one text never has two meanings within a file:
 *
 * - Decimal mark: `1,5` and `1.234,5` can only have a comma, `1.5` and `1,234.5` only a point. The mark of nine in ten such
 *   cells is that of the column. `1,234` can be both: without such a mark it is refused, and `decimal` decides. `1.234`
 *   without any comma in the column is the plain number, as in JSON.
 * - Unit: one currency, or `%` if nine in ten cells have it (the number as written). Cells with another unit are refused.
 * - Texts for a missing value, such as `k.A.`, decide nothing and are no numbers.
 *
 * A cell that does not fit the form stays text, wherever it stands: the input node then fails its row alone. With the option
 * `dates`, a column of text whose beginning has dates in that order becomes ISO text; without it dates stay as written. Each
 * value that stays text in a column of dates is remarked.
 */
export class ColumnForms {
  readonly #types: ColumnTypes;
  readonly #options: FormOptions;
  readonly #remarks: RemarkCollector;
  readonly #numbers = new Map<string, ColumnForm>();
  /** Columns with dates; false: they stay text, since too few of their cells are dates in the order. */
  readonly #dates = new Map<string, boolean>();
  /** Columns in which a mark was read that no cell had decided. */
  #hasUndecidedMarks = false;
  #needsSample: boolean;
  #sampledRows = 0;
  #sampledLength = 0;

  constructor(types: ColumnTypes, options: FormOptions, remarks: RemarkCollector) {
    this.#types = types;
    this.#options = options;
    this.#remarks = remarks;
    this.#needsSample = options.dates !== undefined || [...types.values()].includes('number');
  }

  /** True until the forms are decided; rows have to wait. */
  get needsSample(): boolean {
    return this.#needsSample;
  }

  /** Counts a row that waits. True once there are enough. */
  isEnough(cells: readonly string[]): boolean {
    this.#sampledRows += 1;
    for (const cell of cells) this.#sampledLength += cell.length;
    return this.#sampledRows >= sampleRows || this.#sampledLength >= sampleLength;
  }

  /** @param rows cells of the first rows, in the order of the names */
  decide(names: readonly string[], rows: readonly (readonly string[])[]): void {
    this.#needsSample = false;
    for (const [column, name] of names.entries()) {
      const type = this.#types.get(name) ?? 'string';
      const cells = rows.map((row) => (row[column] ?? '').trim());
      const filled = cells.filter((cell) => cell !== '' && !isAbsentMark(cell));
      if (type === 'number') this.#numbers.set(name, commonForm(filled, this.#options.decimal));
      if ((type === 'string' || type === 'any') && this.#options.dates !== undefined && hasDates(filled))
        this.#dates.set(name, areDates(filled, this.#options.dates));
    }
  }

  /** The JSON text of a cell's value; undefined if the row does not have the field. */
  value(name: string, cell: string, line: number): string | undefined {
    const type = this.#types.get(name) ?? 'string';
    const text = cell.trim();
    if (type === 'number' && text !== '') return this.#number(name, text, line) ?? JSON.stringify(text);
    if (this.#dates.has(name)) return JSON.stringify(this.#date(name, cell, line));
    const typed = typedCell(cell, type);
    // The text stays, so that the input node refuses this row alone.
    if ('problem' in typed) return JSON.stringify(text);
    return typed.value === undefined ? undefined : JSON.stringify(typed.value);
  }

  /** The options with which the forms are the same again. */
  readAs(): FormOptions {
    const { decimal, dates } = this.#options;
    const decided = new Set(
      [...this.#numbers.values()].filter((form) => form.isDecided).map((form) => form.decimal),
    );
    const [mark] = decided;
    const isCommon = decided.size === 1 && !this.#hasUndecidedMarks;
    return { decimal: decimal ?? (isCommon ? mark : undefined), dates };
  }

  #number(name: string, text: string, line: number): string | undefined {
    const form = this.#numbers.get(name);
    const plain = typedCell(text, 'number');
    const isPlain = 'value' in plain && (form === undefined || isReadPlainly(text, form));
    if (isPlain) {
      if (form?.isDecided === false && text.includes('.')) this.#hasUndecidedMarks = true;
      return JSON.stringify(plain.value);
    }
    if (form === undefined) return undefined;
    const read = valueIn(text, form);
    if (read === undefined) this.#refuse(name, text, { form, line });
    else this.#accept(name, text, form);
    return read;
  }

  #accept(name: string, text: string, form: ColumnForm): void {
    if (this.#options.decimal !== undefined) return;
    const how = formText(text, form);
    this.#remarks.add({
      kind: 'columnForm',
      column: name,
      words: (count) =>
        `${name}: ${counted(count, 'value')} ${how} read as ${count === 1 ? 'a number' : 'numbers'}`,
      ...(form.isDecided && /[.,]/.test(text) && { option: 'decimal' as const }),
    });
  }

  /** A text that is no number in any form is no matter of the form: its row fails with its text. */
  #refuse(
    name: string,
    text: string,
    { form, line }: { readonly form: ColumnForm; readonly line: number },
  ): void {
    if (numberForm(text) === undefined) return;
    const isOpen = isAmbiguous(text) && !form.isDecided;
    const like = `like ${JSON.stringify(text.slice(0, 40))}`;
    this.#remarks.add({
      kind: isOpen ? 'openForm' : 'otherForm',
      column: name,
      line,
      words: (count) =>
        isOpen
          ? `${name}: ${counted(count, 'value')} ${like} can be read in two ways and ${count === 1 ? 'fails its row' : 'fail their rows'}`
          : `${name}: ${counted(count, 'value')} ${like} ${count === 1 ? 'has' : 'have'} another form than the column (${formName(text, form)}) and ${count === 1 ? 'fails its row' : 'fail their rows'}`,
      ...(isOpen && { choices: '--decimal , or --decimal .' }),
      ...(!isOpen &&
        this.#options.decimal === undefined &&
        /[.,]/.test(text) && { option: 'decimal' as const }),
    });
  }

  #date(name: string, cell: string, line: number): string {
    const text = cell.trim();
    const order = this.#options.dates ?? '';
    const isRead = this.#dates.get(name) === true;
    const iso = isRead ? readDate(text, this.#options.dates) : undefined;
    if (iso !== undefined) return iso;
    const like = `like ${JSON.stringify(text.slice(0, 40))}`;
    if (isRead ? text !== '' && !isAbsentMark(text) : dateOrdersOf(text).length > 0)
      this.#remarks.add({
        kind: 'dates',
        column: name,
        line,
        words: (count) =>
          isRead
            ? `${name}: ${counted(count, 'value')} ${like} ${count === 1 ? 'is no date' : 'are no dates'} in the order ${order} and ${count === 1 ? 'stays' : 'stay'} text`
            : `${name}: ${counted(count, 'date')} ${like} ${count === 1 ? 'stays' : 'stay'} text: the first values of the column do not agree on the order ${order}`,
        option: 'dates',
      });
    return cell;
  }
}

/** Says if the text is another number with the other decimal mark. */
const isAmbiguous = (text: string): boolean => numberForm(text)?.decimal === 'either';

/** Says if a number in the plain form has its plain value in a column of that form. */
function isReadPlainly(text: string, { decimal, isMixed, unit }: ColumnForm): boolean {
  if (unit === '%') return false;
  if (!text.includes('.')) return true;
  return decimal === '.' && !(isMixed && isAmbiguous(text));
}

/** The JSON text of the number; undefined for a text that does not fit the form. */
function valueIn(text: string, form: ColumnForm): string | undefined {
  if (isAmbiguous(text) && !form.isDecided) return undefined;
  const unit = numberForm(text)?.unit ?? '';
  if (unit === '' ? form.unit === '%' : unit !== form.unit) return undefined;
  const plain = plainNumber(text, form.decimal);
  const typed = plain === undefined ? undefined : typedCell(plain, 'number');
  return typed === undefined || 'problem' in typed ? undefined : JSON.stringify(typed.value);
}

function commonForm(cells: readonly string[], decimal: DecimalMark | undefined): ColumnForm {
  const forms = cells.flatMap((cell) => numberForm(cell) ?? []);
  const unit = commonUnit(forms.map((form) => form.unit));
  if (decimal !== undefined) return { decimal, isDecided: true, isMixed: false, unit };
  const count = (mark: DecimalMark): number => forms.filter((form) => form.decimal === mark).length;
  const [points, commas] = [count('.'), count(',')];
  const deciding = points + commas;
  const isDecided = deciding > 0 && Math.max(points, commas) >= agreement * deciding;
  return {
    decimal: isDecided && commas > points ? ',' : '.',
    isDecided,
    isMixed: deciding > 0 && !isDecided,
    unit,
  };
}

/** The unit of nine in ten cells that have one; `%` only if nine in ten cells have it. */
function commonUnit(all: readonly string[]): string {
  const units = all.filter((unit) => unit !== '');
  const [first = ''] = units;
  const count = units.filter((unit) => unit === first).length;
  const others = first === '%' ? all.length : units.length;
  return count > 0 && count >= agreement * others ? first : '';
}

/** A date in the order, or with the year first, which has one reading alone. */
const readDate = (text: string, order: DateOrder | undefined): string | undefined =>
  order === undefined ? undefined : (isoDate(text, order) ?? isoDate(text, 'ymd'));

/** Says if half of the cells are dates in any order; a column may begin with empty cells. */
function hasDates(cells: readonly string[]): boolean {
  const dates = cells.filter((cell) => dateOrdersOf(cell).length > 0);
  return 2 * dates.length >= cells.length;
}

/** Says if nine in ten cells are dates in the order and none is a date in another order alone. */
function areDates(cells: readonly string[], order: DateOrder | undefined): boolean {
  if (order === undefined || cells.length === 0) return false;
  const dates = cells.filter((cell) => readDate(cell, order) !== undefined);
  const isOtherOrder = cells.some(
    (cell) => readDate(cell, order) === undefined && dateOrdersOf(cell).length > 0,
  );
  return dates.length >= agreement * cells.length && !isOtherOrder;
}

/** The property of the text that makes it no plain number. */
function formText(text: string, { decimal, unit }: ColumnForm): string {
  if (decimal === ',' && text.includes(',')) return 'with decimal comma';
  if (unit === '%') return 'in percent';
  if (unit !== '' && numberForm(text)?.unit === unit) return `in ${unit}`;
  return text.startsWith('(') ? 'in brackets' : 'with grouped digits';
}

function formName(text: string, { decimal, isMixed, unit }: ColumnForm): string {
  const mark = isMixed ? 'decimal points and commas' : decimal === ',' ? 'decimal comma' : 'decimal point';
  if (unit !== '') return `${mark}, ${unit}`;
  return (numberForm(text)?.unit ?? '') === '' ? mark : `${mark}, no common unit`;
}
