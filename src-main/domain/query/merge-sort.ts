// Sorts millions of indexes in steps, so that other work runs in between.

type Compare = (one: number, other: number) => number;
/** Indexes from `start` to `end`; with `middle`, two sorted lists of them. */
type Range = { readonly start: number; readonly middle: number; readonly end: number };

/** Comparisons between two steps: some milliseconds. */
const stepComparisons = 20_000;
/** Indexes that are sorted by insertion before they are merged. */
const insertionLength = 8;

/** The numbers from 0 on. Much faster than `Uint32Array.from`. */
export function indexesBelow(length: number): Uint32Array {
  const indexes = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) indexes[index] = index;
  return indexes;
}

/** Sorts the indexes in place; equal ones stay in their order. Yields after some milliseconds of work. */
export function* mergeSort(indexes: Uint32Array, compare: Compare): Generator<undefined, void, undefined> {
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
