// A small document that is held in memory and on the disk at once (settings, keys).
// INVARIANT: `value` never shows what is not yet durable.
import { Low } from 'lowdb';
import { Mutex } from '../base/mutex.ts';
import { JsonFile, type JsonFileOptions } from './durable/json-file.ts';
import type { StoreDeps } from './durable/store-deps.ts';

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

  /**
   * Replaces the value by what `change` makes of the latest one. Resolves to it when it is durable; on failure the value
   * stays as it was. Throws `disk_full`, `out_of_resources`, `store_degraded`, or what `change` throws.
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
