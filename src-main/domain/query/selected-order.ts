// Brings the rows of a selection into its order: grouped by a value, sorted by another.
import type { JsonValue } from '../../base/json-value.ts';
import { keyOfValue } from './column-statistics.ts';
import type { RowSelection } from './row-selection.ts';
import { hash53, NumberList } from './value-counts.ts';

/** Rows that share a value. */
type Group = {
  /** Index of its first row, from 0. */
  readonly start: number;
  readonly end: number;
  readonly hasValue: boolean;
};

type Order = {
  /** Indexes of the rows as they were added, in the order of the selection. */
  readonly indexes: Uint32Array;
  readonly groups: readonly Group[];
};

/** The hash of a row without a value. */
const noValue = -1;

/** Collects what rows are sorted and grouped by: 13 bytes a row and the beginnings of texts to sort, 8 bytes to group. */
export class SelectedOrder {
  readonly #keys: SortKeys | undefined;
  readonly #hashes: NumberList | undefined;
  #length = 0;

  constructor({ sort, groupBy }: RowSelection) {
    this.#keys = sort && new SortKeys(sort.descending);
    this.#hashes = groupBy && new NumberList();
  }

  /** Adds the next row by the values that it is sorted and grouped by; undefined: it has none. */
  add(sorted: JsonValue | undefined, grouped: JsonValue | undefined): void {
    this.#keys?.add(sorted);
    this.#hashes?.push(grouped === undefined ? noValue : hash53(keyOfValue(grouped)));
    this.#length += 1;
  }

  /** Yields after some milliseconds of work. */
  *order(maxGroups: number): Generator<undefined, Order, undefined> {
    const indexes = indexesBelow(this.#length);
    const keys = this.#keys;
    const compare = keys && ((one: number, other: number): number => keys.compare(one, other));
    if (this.#hashes === undefined) {
      if (compare !== undefined) yield* mergeSort(indexes, compare);
      return { indexes, groups: [] };
    }
    return yield* grouped(indexes, this.#hashes, { compare, maxGroups });
  }
}

type GroupOptions = {
  readonly compare: ((one: number, other: number) => number) | undefined;
  readonly maxGroups: number;
};

function* grouped(
  indexes: Uint32Array,
  hashes: NumberList,
  { compare, maxGroups }: GroupOptions,
): Generator<undefined, Order, undefined> {
  yield* mergeSort(indexes, (one, other) => hashes.at(one) - hashes.at(other));
  const starts = startsOf(indexes, hashes);
  const hasValue = (group: number): boolean => hashes.at(indexes[starts[group]!]!) !== noValue;
  const rowsOf = (group: number): number => starts[group + 1]! - starts[group]!;
  const ids = indexesBelow(starts.length - 1);
  yield* mergeSort(
    ids,
    (one, other) =>
      Number(hasValue(other)) - Number(hasValue(one)) ||
      rowsOf(other) - rowsOf(one) ||
      indexes[starts[one]!]! - indexes[starts[other]!]!,
  );
  const inOrder = new Uint32Array(indexes.length);
  const groups: Group[] = [];
  let start = 0;
  for (const id of ids) {
    const end = start + rowsOf(id);
    const rows = inOrder.subarray(start, end);
    rows.set(indexes.subarray(starts[id], starts[id + 1]));
    if (compare !== undefined && rows.length > 1) yield* mergeSort(rows, compare);
    if (groups.length < maxGroups) groups.push({ start, end, hasValue: hasValue(id) });
    start = end;
  }
  return { indexes: inOrder, groups };
}

/** Where the rows of each hash begin, and at last the number of rows. */
function startsOf(indexes: Uint32Array, hashes: NumberList): Uint32Array {
  const starts = new Uint32Array(indexes.length + 1);
  let groups = 0;
  for (let at = 0; at < indexes.length; at += 1)
    if (at === 0 || hashes.at(indexes[at]!) !== hashes.at(indexes[at - 1]!)) starts[groups++] = at;
  starts[groups] = indexes.length;
  return starts.slice(0, groups + 1);
}

// Sorts millions of indexes in steps, so that other work runs in between.

type Compare = (one: number, other: number) => number;
/** Indexes from `start` to `end`; with `middle`, two sorted lists of them. */
type Range = { readonly start: number; readonly middle: number; readonly end: number };

/** Comparisons between two steps: some milliseconds. */
const stepComparisons = 20_000;
/** Indexes that are sorted by insertion before they are merged. */
const insertionLength = 8;

/** The numbers from 0 on. Much faster than `Uint32Array.from`. */
function indexesBelow(length: number): Uint32Array {
  const indexes = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) indexes[index] = index;
  return indexes;
}

/** Sorts the indexes in place; equal ones stay in their order. Yields after some milliseconds of work. */
function* mergeSort(indexes: Uint32Array, compare: Compare): Generator<undefined, void, undefined> {
  const { length } = indexes;
  let comparisons = 0;
  let [from, to]: [Uint32Array, Uint32Array] = [indexes, new Uint32Array(length)];
  for (let start = 0; start < length; start += insertionLength) {
    sortByInsertion(indexes, start, compare);
    comparisons += 2 * insertionLength;
    if (comparisons > stepComparisons) {
      comparisons = 0;
      yield;
    }
  }
  for (let width = insertionLength; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const range = {
        start,
        middle: Math.min(start + width, length),
        end: Math.min(start + 2 * width, length),
      };
      // Few ranges have more comparisons than a step, and those yield by themselves.
      yield* merge([from, to], range, compare);
      comparisons += range.end - start;
      if (comparisons > stepComparisons) {
        comparisons = 0;
        yield;
      }
    }
    [from, to] = [to, from];
  }
  if (from !== indexes) indexes.set(from);
}

function* merge(
  [from, to]: readonly [Uint32Array, Uint32Array],
  { start, middle, end }: Range,
  compare: Compare,
): Generator<undefined, void, undefined> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at += 1) {
    const takesLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = takesLeft ? from[left++]! : from[right++]!;
    if ((at - start) % stepComparisons === stepComparisons - 1) yield;
  }
}

function sortByInsertion(indexes: Uint32Array, start: number, compare: Compare): void {
  const end = Math.min(indexes.length, start + insertionLength);
  for (let at = start + 1; at < end; at += 1) {
    const index = indexes[at]!;
    let before = at - 1;
    for (; before >= start && compare(indexes[before]!, index) > 0; before -= 1)
      indexes[before + 1] = indexes[before]!;
    indexes[before + 1] = index;
  }
}

// The values that rows are sorted by, in typed memory: 13 bytes a row, and two bytes a character of a text's beginning.

/** Characters of a text that count. */
const maxSortedCharacters = 50;

/** Values of one type are beside each other, in this order, whether the values rise or fall. */
const ranks = { number: 0, text: 1, other: 2, none: 3 } as const;

class SortKeys {
  #length = 0;
  #ranks = new Uint8Array(1_024);
  /** The number, or the first three characters of the text. */
  #beginnings = new Float64Array(1_024);
  /** Where the text of each value ends in `#texts`. */
  #ends = new Uint32Array(1_024);
  #texts = new Uint16Array(4_096);
  readonly #direction: 1 | -1;

  constructor(isDescending: boolean) {
    this.#direction = isDescending ? -1 : 1;
  }

  /** @param value undefined for a row without it, which comes last, as null does */
  add(value: JsonValue | undefined): void {
    this.#reserve();
    if (typeof value === 'number') this.#push(ranks.number, value, '');
    else if (value === undefined || value === null) this.#push(ranks.none, 0, '');
    else if (typeof value === 'string') this.#pushText(ranks.text, value);
    else this.#pushText(ranks.other, JSON.stringify(value));
  }

  /** Negative if the first one comes before the other one; 0 if they are equal. */
  compare(one: number, other: number): number {
    const rank = this.#ranks[one]! - this.#ranks[other]!;
    if (rank !== 0) return rank;
    const [a, b] = [this.#beginnings[one]!, this.#beginnings[other]!];
    if (a !== b) return a < b ? -this.#direction : this.#direction;
    return this.#ranks[one] === ranks.number ? 0 : this.#direction * this.#compareTexts(one, other);
  }

  #compareTexts(one: number, other: number): number {
    let [at, otherAt] = [this.#startOf(one), this.#startOf(other)];
    const [end, otherEnd] = [this.#ends[one]!, this.#ends[other]!];
    const length = Math.min(end - at, otherEnd - otherAt);
    for (let offset = 0; offset < length; offset += 1) {
      const difference = this.#texts[at++]! - this.#texts[otherAt++]!;
      if (difference !== 0) return difference;
    }
    return end - at - (otherEnd - otherAt);
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]!;
  }

  #pushText(rank: number, text: string): void {
    const key = folded(text);
    const code = (index: number): number => (index < key.length ? key.charCodeAt(index) : 0);
    this.#push(rank, (code(0) * 65_536 + code(1)) * 65_536 + code(2), key);
  }

  #push(rank: number, beginning: number, text: string): void {
    const index = this.#length++;
    this.#ranks[index] = rank;
    this.#beginnings[index] = beginning;
    let end = this.#startOf(index);
    for (let at = 0; at < text.length; at += 1) this.#texts[end++] = text.charCodeAt(at);
    this.#ends[index] = end;
  }

  #reserve(): void {
    if (this.#length === this.#ranks.length) {
      const size = this.#length * 2;
      this.#ranks = copied(this.#ranks, new Uint8Array(size));
      this.#beginnings = copied(this.#beginnings, new Float64Array(size));
      this.#ends = copied(this.#ends, new Uint32Array(size));
    }
    if (this.#startOf(this.#length) + maxSortedCharacters > this.#texts.length)
      this.#texts = copied(this.#texts, new Uint16Array(this.#texts.length * 2));
  }
}

function copied<List extends { set(from: List): void }>(from: List, into: List): List {
  into.set(from);
  return into;
}

/** The beginning of a text without regard to case and accents: `Éric` is beside `eric`. */
function folded(text: string): string {
  const lower = text.slice(0, maxSortedCharacters).toLowerCase();
  if (!/[^\u0000-\u007f]/.test(lower)) return lower;
  return lower.normalize('NFD').replace(/\p{M}/gu, '').slice(0, maxSortedCharacters);
}
