// What the cells of one column of a file look like: counted while the file is read, so that the preview can name the
// causes of all rows, and what one click would change.
import {
  dateOrdersOf,
  isAbsentMark,
  isoDate,
  numberForm,
  typedCell,
  type CellType,
  type ColumnRepair,
  type JsonValue,
} from '#contract';

/**
 * Classes of texts. `group` is `1.234`, which is a plain number unless the column has a decimal comma; a `wholeForm` is a
 * number without decimals that is not plain, such as `1 234` and `5 €`.
 */
export type CellClass =
  | 'integer'
  | 'decimal'
  | 'group'
  | 'wholeForm'
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

type Known = { readonly kind: CellClass; readonly unit: string };
type Counted = { count: number; readonly example: string };

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
  /** By unit of the numbers, such as €, what was counted; empty for texts without one. */
  readonly #counts = new Map<string, Map<CellClass, Counted>>();
  readonly #known = new Map<string, Known>();

  add(cell: JsonValue | undefined): void {
    if (cell === undefined || cell === null || cell === '') return;
    if (typeof cell !== 'string') {
      this.filled += 1;
      this.#count({ kind: typeof cell === 'number' ? 'integer' : 'text', unit: '' }, JSON.stringify(cell));
      return;
    }
    const text = cell.trim();
    if (text === '') {
      this.padded += 1;
      return;
    }
    this.filled += 1;
    if (text.length !== cell.length) this.padded += 1;
    const known = this.#classOf(text);
    if (known.kind === 'absent') this.marks.set(text, (this.marks.get(text) ?? 0) + 1);
    this.#count(known, text);
  }

  /** The unit of most numbers that have one; empty if none has. */
  get unit(): string {
    const units = [...this.#counts].filter(([unit]) => unit !== '');
    const sizes = units.map(([unit, counts]) => [unit, sum([...counts.values()])] as const);
    return sizes.sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
  }

  /** Number of cells of these classes, apart from numbers with another unit than `unit`. */
  count(...kinds: readonly CellClass[]): number {
    return sum(kinds.flatMap((kind) => this.#countedOf(kind)));
  }

  /** A text of the first of these classes that has one. */
  example(...kinds: readonly CellClass[]): string {
    const text = kinds.flatMap((kind) => this.#countedOf(kind))[0]?.example ?? '';
    return text.length > maxExampleLength ? `${text.slice(0, maxExampleLength)}…` : text;
  }

  /** A number with another unit than `unit`; empty if there is none. */
  get otherUnitExample(): string {
    const others = [...this.#counts].filter(([unit]) => unit !== '' && unit !== this.unit);
    return others.flatMap(([, counts]) => [...counts.values()])[0]?.example ?? '';
  }

  #countedOf(kind: CellClass): readonly Counted[] {
    return [...new Set(['', this.unit])].flatMap((unit) => this.#counts.get(unit)?.get(kind) ?? []);
  }

  #count({ kind, unit }: Known, text: string): void {
    const counts = this.#counts.get(unit) ?? new Map<CellClass, Counted>();
    this.#counts.set(unit, counts);
    const counted = counts.get(kind);
    if (counted === undefined) counts.set(kind, { count: 1, example: text });
    else counted.count += 1;
  }

  #classOf(text: string): Known {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const found = classOf(text);
    if (this.#known.size < maxKnown) this.#known.set(text, found);
    return found;
  }
}

/** The decimal mark that cells with only one reading have; `both` if they contradict each other. */
export function decimalOf(cells: ColumnCells): '.' | ',' | 'both' | undefined {
  const dots = cells.count('decimal', 'dotForm');
  const commas = cells.count('commaForm');
  if (dots > 0 && commas > 0) return 'both';
  if (commas > 0) return ',';
  return dots > 0 ? '.' : undefined;
}

/** The repair that a column of numbers gets by itself, because its cells agree on one form. */
export function agreedRepairs(cells: ColumnCells, type: CellType): readonly ColumnRepair[] {
  const decimal = decimalOf(cells);
  const forms: readonly CellClass[] = ['wholeForm', 'dotForm', 'commaForm'];
  const count = cells.count(...forms, ...(decimal === undefined ? [] : (['eitherForm'] as const)));
  return type !== 'number' || decimal === 'both' || count === 0 ? [] : [numbersRepair(cells, decimal)];
}

/** The repair that reads the column's numbers, with their unit. */
export function numbersRepair(cells: ColumnCells, decimal: '.' | ',' | undefined): ColumnRepair {
  const { unit } = cells;
  return { kind: 'numbers', decimal, ...(unit === '' ? {} : { unit }) };
}

const sum = (all: readonly Counted[]): number => all.reduce((total, { count }) => total + count, 0);

function classOf(text: string): Known {
  if (isAbsentMark(text)) return { kind: 'absent', unit: '' };
  if (!/\d/.test(text)) return { kind: 'text', unit: '' };
  const form = numberForm(text);
  const isPlain = !('problem' in typedCell(text, 'number'));
  if (form === undefined) return { kind: isPlain ? 'integer' : dateClass(text), unit: '' };
  const { decimal, unit } = form;
  if (isPlain) return { kind: plainClasses[decimal], unit };
  return { kind: formClasses[decimal], unit };
}

const plainClasses = { none: 'integer', either: 'group', '.': 'decimal', ',': 'text' } as const;
const formClasses = { none: 'wholeForm', either: 'eitherForm', '.': 'dotForm', ',': 'commaForm' } as const;

function dateClass(text: string): CellClass {
  const [order, ...others] = dateOrdersOf(text);
  if (order === undefined) return 'text';
  if (order === 'ymd') return isoDate(text, order) === text ? 'isoDate' : 'yearFirst';
  if (others.length > 0) return 'eitherDate';
  return order === 'dmy' ? 'dayFirst' : 'monthFirst';
}
