// A small document that is both in memory and on the disk (settings, keys).
// INVARIANT: `value` is always durable.
import { Low } from 'lowdb';
import { Mutex } from '../../base/mutex.ts';
import { JsonFile, type JsonFileOptions } from '../durable/json-file.ts';
import type { StoreDeps } from '../durable/store-deps.ts';

/** A document, wherever it is stored. */
export type StoredDocument<T extends object> = Pick<JsonDocument<T>, 'value' | 'latest' | 'update'>;

export class JsonDocument<T extends object> {
  readonly #low: Low<T>;
  readonly #mutex = new Mutex();
  #value: T;

  private constructor(low: Low<T>) {
    this.#low = low;
    this.#value = low.data;
  }

  /** Reads the document; `initial` if it was never written. Throws `data_unreadable`. */
  static async open<T extends object>(
    deps: StoreDeps,
    options: JsonFileOptions<T> & { readonly initial: T },
  ): Promise<JsonDocument<T>> {
    const low = new Low<T>(new JsonFile(deps, options), options.initial);
    await low.read();
    return new JsonDocument(low);
  }

  get value(): T {
    return this.#value;
  }

  /** The same as `value`: no other process writes the document. */
  latest(): Promise<T> {
    return Promise.resolve(this.#value);
  }

  /**
   * Replaces the value by the result of `change`. Resolves to the new value once it is durable; on failure the value stays
   * unchanged. Throws `disk_full`, `out_of_resources`, `store_degraded`, or what `change` throws.
   */
  update(change: (current: T) => T): Promise<T> {
    return this.#mutex.run(async () => {
      const next = change(this.#value);
      if (next === this.#value) return next;
      this.#low.data = next;
      await this.#low.write();
      this.#value = next;
      return next;
    });
  }
}
