// Statistics of one column over all rows of a run: shares, types, distinct values, the most frequent ones, and the
// distribution of numbers. Memory: about 16 bytes a row.
import type { JsonValue } from '../../base/json-value.ts';
import { beginning } from '../rows/preview-row.ts';
import { typeOfValue, type Column, type ValueType } from './column.ts';
import type { ReadProgress } from './table-page.ts';
import { hash53, NumberList, ValueCounts } from './value-counts.ts';

export type ColumnStatistics = {
  readonly column: Column;
  /** Rows that were counted: `filled`, `empty`, `nulls`, `missing` and `large` together. */
  readonly rows: number;
  readonly filled: number;
  /** Rows with an empty text. */
  readonly empty: number;
  readonly nulls: number;
  /** Rows without the field, and of outputs also the rows without an output. */
  readonly missing: number;
  /** Rows that are too large to be looked into. */
  readonly large: number;
  /** How many of the filled values have a type; types without any are left out. */
  readonly types: Readonly<Partial<Record<ValueType, number>>>;
  /** Distinct values among `filled`. */
  readonly distinct: number;
  /** The most frequent values, at most ten. */
  readonly top: readonly FrequentValue[];
  /** Absent: there is no number. */
  readonly numbers?: NumberStatistics;
};

/** Statistics of columns, or how far the run has been read. */
export type StatisticsStep =
  ReadProgress | { readonly isReady: true; readonly statistics: readonly ColumnStatistics[] };

type FrequentValue = {
  readonly type: ValueType;
  /** The text, or the JSON of another value; its beginning where it is long. */
  readonly text: string;
  readonly rows: number;
};

type NumberStatistics = {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly median: number;
  /** Ranges of equal width; each begins where the one before it ends, and only the last one contains its end. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly rows: number }[];
};

const maxTop = 10;
const maxTextLength = 160;
const histogramRanges = 10;

/** Collects the values of one column. */
export class ColumnCollector {
  readonly column: Column;
  readonly #values = new ValueCounts();
  readonly #numbers = new NumberList();
  readonly #types = new Map<ValueType, number>();
  #rows = 0;
  #filled = 0;
  #empty = 0;
  #nulls = 0;
  #large = 0;

  constructor(column: Column) {
    this.column = column;
  }

  /** @param value undefined for a row without the field */
  add(value: JsonValue | undefined): void {
    this.#rows += 1;
    if (value === undefined) return;
    if (value === null) this.#nulls += 1;
    else if (value === '') this.#empty += 1;
    else this.#addFilled(value);
  }

  /** Counts a row that is too large to be looked into. */
  addLarge(): void {
    this.#rows += 1;
    this.#large += 1;
  }

  result(): ColumnStatistics {
    const { distinct, top } = this.#values.result(maxTop);
    const missing = this.#rows - this.#filled - this.#empty - this.#nulls - this.#large;
    return {
      column: this.column,
      rows: this.#rows,
      filled: this.#filled,
      empty: this.#empty,
      nulls: this.#nulls,
      missing,
      large: this.#large,
      types: Object.fromEntries(this.#types),
      distinct,
      top: top.map(({ value, occurrences }) => ({ ...valueOfKey(value), rows: occurrences })),
      ...(this.#numbers.length === 0 ? {} : { numbers: numberStatistics(this.#numbers.sorted()) }),
    };
  }

  #addFilled(value: JsonValue): void {
    this.#filled += 1;
    const type = typeOfValue(value);
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (typeof value === 'number') this.#numbers.push(value);
    this.#values.add(keyOfValue(value));
  }
}

/** One text for each distinct value: its type, its text, and a hash of what is cut off. */
export function keyOfValue(value: JsonValue): string {
  const type = typeOfValue(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= maxTextLength) return `${type}::${text}`;
  return `${type}:${hash53(text)}:${beginning(text, maxTextLength)}`;
}

function valueOfKey(key: string): Pick<FrequentValue, 'type' | 'text'> {
  const [type = 'text', hash = ''] = key.split(':', 2);
  return { type: type as ValueType, text: key.slice(type.length + hash.length + 2) };
}

/** @param sorted at least one number, in rising order */
function numberStatistics(sorted: Float64Array): NumberStatistics {
  const min = sorted[0] ?? 0;
  const max = sorted[sorted.length - 1] ?? 0;
  // Divided first, so that the sum of large numbers does not overflow.
  const mean = sorted.reduce((sum, number) => sum + number / sorted.length, 0);
  const [below = 0, above = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return { min, max, mean, median: below / 2 + above / 2, histogram: histogramOf(sorted, min, max) };
}

function histogramOf(sorted: Float64Array, min: number, max: number): NumberStatistics['histogram'] {
  const width = max / histogramRanges - min / histogramRanges;
  // The numbers are equal, or too close together for ranges between them.
  if (width === 0) return [{ from: min, to: max, rows: sorted.length }];
  const rows = Array.from({ length: histogramRanges }, () => 0);
  for (const number of sorted) {
    const index = Math.min(histogramRanges - 1, Math.floor(number / width - min / width));
    rows[index] = (rows[index] ?? 0) + 1;
  }
  // Halved first, so that the distance between large numbers does not overflow.
  const fromOf = (index: number): number => 2 * (min / 2 + index * (width / 2));
  return rows.map((inRange, index) => ({
    from: fromOf(index),
    to: index === histogramRanges - 1 ? max : fromOf(index + 1),
    rows: inRange,
  }));
}
