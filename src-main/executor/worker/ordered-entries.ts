/** A position in a row, as numbers to compare one by one. */
export type TracePosition = readonly number[];

type Entry<T> = { readonly position: TracePosition; readonly value: T };

/** The first entries of a list that is ordered by position, whatever the order in which they are added. */
export class OrderedEntries<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #max: number;

  /** @param max entries that are retained */
  constructor(max = Infinity) {
    this.#max = max;
  }

  get values(): readonly T[] {
    return this.#entries.map(({ value }) => value);
  }

  /** Adds an entry behind those of the same position. */
  add(position: TracePosition, value: T): void {
    let at = this.#entries.length;
    while (at > 0 && isBefore(position, this.#entries[at - 1]?.position ?? [])) at -= 1;
    if (at >= this.#max) return;
    this.#entries.splice(at, 0, { position, value });
    if (this.#entries.length > this.#max) this.#entries.pop();
  }
}

function isBefore(one: TracePosition, other: TracePosition): boolean {
  const at = one.findIndex((number, index) => number !== other[index]);
  if (at < 0) return one.length < other.length;
  return (one[at] ?? 0) < (other[at] ?? -1);
}
