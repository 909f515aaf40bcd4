// Counts how often each value occurs among millions, in a few bytes a value: how many values are distinct, and which are
// the most frequent.

/** Values whose frequency is followed at a time. A value with a larger share than 1 in 10,000 is never missed. */
const maxFollowed = 10_000;

export class ValueCounts {
  readonly #hashes = new NumberList();
  /**
   * The candidates for the most frequent values (J. Misra, D. Gries: "Finding repeated elements", 1982): where there is no
   * room for another one, each loses one occurrence, and those without any leave.
   */
  readonly #followed = new Map<string, number>();

  add(value: string): void {
    this.#hashes.push(hash53(value));
    const before = this.#followed.get(value);
    if (before !== undefined || this.#followed.size < maxFollowed) {
      this.#followed.set(value, (before ?? 0) + 1);
      return;
    }
    for (const [other, occurrences] of this.#followed) {
      if (occurrences > 1) this.#followed.set(other, occurrences - 1);
      else this.#followed.delete(other);
    }
  }

  /** The number of distinct values, and the most frequent ones with the exact number of their occurrences. */
  result(maxTop: number): {
    readonly distinct: number;
    readonly top: readonly { readonly value: string; readonly occurrences: number }[];
  } {
    const hashes = this.#hashes.sorted();
    let distinct = 0;
    for (let index = 0; index < hashes.length; index += 1)
      if (index === 0 || hashes[index] !== hashes[index - 1]) distinct += 1;
    const top = [...this.#followed.keys()]
      .map((value) => ({ value, occurrences: occurrencesOf(hashes, hash53(value)) }))
      .sort((one, other) => other.occurrences - one.occurrences || (one.value < other.value ? -1 : 1));
    return { distinct, top: top.slice(0, maxTop) };
  }
}

/** A list of numbers that takes eight bytes a number. */
export class NumberList {
  #numbers = new Float64Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number at an index below `length`. */
  at(index: number): number {
    return this.#numbers[index]!;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  /** The numbers in rising order. */
  sorted(): Float64Array {
    return this.#numbers.slice(0, this.#length).sort();
  }
}

/** The first index of a list of rising numbers whose number is not smaller. */
export function firstAtLeast(
  sorted: { readonly length: number; at(index: number): number | undefined },
  number: number,
): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted.at(middle) ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

const occurrencesOf = (sorted: Float64Array, hash: number): number =>
  firstAtLeast(sorted, hash + 1) - firstAtLeast(sorted, hash);

/**
 * A hash of 53 bits (cyrb53, public domain, https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js). Among
 * a million values, two share one with a chance of 1 in 18,000.
 */
export function hash53(text: string): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 0x1_0000_0000 * (other & 0x1f_ffff) + (one >>> 0);
}
