// What the cells of one column of a file look like: counted while the file is read, so that the preview can name the
// causes of all rows, and what one click would change.
import { dateOrdersOf, decimalMarksOf, isAbsentMark, isoDate, typedCell, type JsonValue } from '#contract';

/** Classes of texts. `group` is `1.234`, which is a plain number unless the column has a decimal comma. */
export type CellClass =
  | 'integer'
  | 'decimal'
  | 'group'
  | 'dotForm'
  | 'commaForm'
  | 'eitherForm'
  | 'isoDate'
  | 'yearFirst'
  | 'dayFirst'
  | 'monthFirst'
  | 'eitherDate'
  | 'absent'
  | 'text';

/** Texts whose class is remembered. */
const maxKnown = 2_000;
/** Values that a user reads as an example. */
const maxExampleLength = 30;

export class ColumnCells {
  /** Number of cells that are not empty. */
  filled = 0;
  /** Number of texts with blanks around. */
  padded = 0;
  /** Marks of missing values, such as k.A., with how often they occur. */
  readonly marks = new Map<string, number>();
  readonly #counts = new Map<CellClass, number>();
  readonly #examples = new Map<CellClass, string>();
  readonly #known = new Map<string, CellClass>();

  add(cell: JsonValue | undefined): void {
    if (cell === undefined || cell === null || cell === '') return;
    if (typeof cell !== 'string') {
      this.filled += 1;
      this.#count(typeof cell === 'number' ? 'decimal' : 'text', JSON.stringify(cell));
      return;
    }
    const text = cell.trim();
    if (text === '') {
      this.padded += 1;
      return;
    }
    this.filled += 1;
    if (text.length !== cell.length) this.padded += 1;
    const kind = this.#classOf(text);
    if (kind === 'absent') this.marks.set(text, (this.marks.get(text) ?? 0) + 1);
    this.#count(kind, text);
  }

  count(...kinds: readonly CellClass[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#counts.get(kind) ?? 0), 0);
  }

  /** A text of the first of these classes that has one. */
  example(...kinds: readonly CellClass[]): string {
    const kind = kinds.find((each) => this.#examples.has(each));
    const text = kind === undefined ? '' : (this.#examples.get(kind) ?? '');
    return text.length > maxExampleLength ? `${text.slice(0, maxExampleLength)}…` : text;
  }

  #count(kind: CellClass, text: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    if (!this.#examples.has(kind)) this.#examples.set(kind, text);
  }

  #classOf(text: string): CellClass {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = classOf(text);
    if (this.#known.size < maxKnown) this.#known.set(text, found);
    return found;
  }
}

function classOf(text: string): CellClass {
  if (isAbsentMark(text)) return 'absent';
  if (!/\d/.test(text)) return 'text';
  if (!('problem' in typedCell(text, 'number'))) return plainClass(text);
  const marks = decimalMarksOf(text);
  if (marks.length === 2) return 'eitherForm';
  if (marks.length === 1) return marks[0] === '.' ? 'dotForm' : 'commaForm';
  const [order, ...others] = dateOrdersOf(text);
  if (order === undefined) return 'text';
  if (order === 'ymd') return isoDate(text, order) === text ? 'isoDate' : 'yearFirst';
  if (others.length > 0) return 'eitherDate';
  return order === 'dmy' ? 'dayFirst' : 'monthFirst';
}

function plainClass(text: string): CellClass {
  if (!text.includes('.')) return 'integer';
  return decimalMarksOf(text).length === 2 ? 'group' : 'decimal';
}
