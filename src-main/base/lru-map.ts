type LruOptions<Value> = {
  readonly maxEntries: number;
  /** Maximum sum of the entries' sizes; the newest entry stays whatever its size. */
  readonly maxSize?: number;
  /** Size of an entry, in the unit of `maxSize`; asked once for each `set`. */
  readonly sizeOf?: (value: Value) => number;
};

/** A bounded map: setting an entry beyond the limits evicts the least recently used ones. */
export class LruMap<Key, Value> {
  readonly #options: LruOptions<Value>;
  /** In the order of use, the least recent first. */
  readonly #entries = new Map<Key, { readonly value: Value; readonly size: number }>();
  #size = 0;

  constructor(options: LruOptions<Value>) {
    this.#options = options;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Returns the value and marks it as the most recently used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    this.delete(key);
    const size = this.#options.sizeOf?.(value) ?? 0;
    this.#entries.set(key, { value, size });
    this.#size += size;
    this.#evict();
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #evict(): void {
    const { maxEntries, maxSize = Infinity } = this.#options;
    for (const key of this.#entries.keys()) {
      const isFull = this.#entries.size > maxEntries || this.#size > maxSize;
      if (!isFull || this.#entries.size === 1) return;
      this.delete(key);
    }
  }
}
