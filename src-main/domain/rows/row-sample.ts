// Which rows a run takes first, to try a workflow before all rows run: the first ones, random ones, or one for each value
// of a column.
import type { JsonValue } from '../../base/json-value.ts';
import { seededNumbers } from '../../base/mix.ts';

export type SampleChoice =
  | { readonly kind: 'first'; readonly rows: number }
  /** The same seed picks the same rows. */
  | { readonly kind: 'random'; readonly rows: number; readonly seed: number }
  | { readonly kind: 'each'; readonly column: string };

/** Maximum rows of a sample; the positions are in memory. */
const maxSampleRows = 100_000;

/** Seeds are below this number. */
export const maxSeed = 1_000_000_000;

/** A sample that cannot be taken; the message is a sentence for the user. */
export class SampleProblem extends Error {}

/**
 * The choice of a text: `20`, `random:20`, `random:20:7` with a seed, or `each:COLUMN`. Throws a SampleProblem.
 * @param newSeed for a random sample without a seed
 */
export function parseSample(text: string, newSeed: () => number): SampleChoice {
  const [, column] = /^each:([^]*)$/.exec(text) ?? [];
  if (column === '') throw new SampleProblem('Name the column, such as each:country');
  if (column !== undefined) return { kind: 'each', column };
  const [, kind, number, seed] = /^(?:(first|random):)?(\d{1,9})(?::(\d{1,9}))?$/.exec(text) ?? [];
  if (number === undefined || (seed !== undefined && kind !== 'random'))
    throw new SampleProblem(`"${text}" is no sample: write 20, random:20 or each:COLUMN`);
  const rows = sampleRows(Number(number));
  if (kind !== 'random') return { kind: 'first', rows };
  return { kind, rows, seed: seed === undefined ? newSeed() : Number(seed) };
}

function sampleRows(rows: number): number {
  if (rows === 0) throw new SampleProblem('A sample has at least 1 row');
  if (rows > maxSampleRows)
    throw new SampleProblem(`A sample has at most ${maxSampleRows.toLocaleString('en')} rows`);
  return rows;
}

/** The choice as a text that `parseSample` reads. */
export function sampleText(choice: SampleChoice): string {
  if (choice.kind === 'each') return `each:${choice.column}`;
  return choice.kind === 'random' ? `random:${choice.rows}:${choice.seed}` : `first:${choice.rows}`;
}

/** The positions, from 1 and rising, of the sampled rows. Throws a SampleProblem if there are fewer rows, or no others. */
export function samplePositions(
  choice: Exclude<SampleChoice, { kind: 'each' }>,
  total: number,
): readonly number[] {
  const { rows } = choice;
  assertSmaller(rows, total);
  if (choice.kind === 'first') return Array.from({ length: rows }, (_, index) => index + 1);
  return randomPositions(rows, total, choice.seed);
}

/**
 * Number of rows that a sample takes. Throws a SampleProblem.
 * @param total number of all rows
 * @param rowsWith returns all rows; each needs only its value of that column
 */
export function countSample(
  sample: string,
  total: number,
  rowsWith: (column: string) => Iterable<Readonly<Record<string, JsonValue>>>,
): number {
  const choice = parseSample(sample, () => 0);
  if (choice.kind !== 'each') {
    assertSmaller(choice.rows, total);
    return choice.rows;
  }
  const picker = new ValuePicker(choice.column);
  for (const row of rowsWith(choice.column)) picker.add(row);
  return picker.end().length;
}

/** Throws a SampleProblem if there are fewer rows than the sample takes, or no others. */
function assertSmaller(rows: number, total: number): void {
  if (rows > total)
    throw new SampleProblem(
      `The sample takes ${rows} rows, but there ${total === 1 ? 'is only 1' : `are only ${total}`}. Choose fewer, or run all rows`,
    );
  if (rows === total)
    throw new SampleProblem(`There are only ${total} rows: run all of them, without a sample`);
}

/** Distinct positions; each set of them is as likely as any other (Floyd's algorithm). */
function randomPositions(rows: number, total: number, seed: number): readonly number[] {
  const random = seededNumbers(seed);
  const picked = new Set<number>();
  for (let last = total - rows + 1; last <= total; last += 1) {
    const position = 1 + Math.floor(random() * last);
    picked.add(picked.has(position) ? last : position);
  }
  return [...picked].sort((one, other) => one - other);
}

/** Picks the first row of each value of a column. Rows without a value, with null or with an empty text are one value. */
export class ValuePicker {
  readonly positions: number[] = [];
  readonly #column: string;
  readonly #seen = new Set<string>();
  #rows = 0;
  #isThere = false;

  constructor(column: string) {
    this.#column = column;
  }

  add(row: Readonly<Record<string, JsonValue>>): void {
    this.#rows += 1;
    const isThere = Object.hasOwn(row, this.#column);
    this.#isThere ||= isThere;
    const value = isThere ? row[this.#column] : null;
    const text = value === '' ? 'null' : JSON.stringify(value);
    if (this.#seen.has(text)) return;
    if (this.positions.length === maxSampleRows)
      throw new SampleProblem(
        `"${this.#column}" has more than ${maxSampleRows.toLocaleString('en')} values. Choose random rows instead`,
      );
    this.#seen.add(text);
    this.positions.push(this.#rows);
  }

  /** Throws a SampleProblem if there is no such column, or each row has another value. */
  end(): readonly number[] {
    if (!this.#isThere) throw new SampleProblem(`No row has a column "${this.#column}"`);
    if (this.positions.length === this.#rows)
      throw new SampleProblem(
        `Each row has another value of "${this.#column}": run all rows, without a sample`,
      );
    return this.positions;
  }
}
