// A small document that is held in memory and on the disk at once (settings, keys).
// INVARIANT: `value` never shows what is not yet durable.
import { Low } from 'lowdb';
import { deferred, type Deferred } from '../base/deferred.ts';
import { JsonFile, type JsonFileOptions } from './durable/json-file.ts';
import type { StoreParts } from './durable/store-parts.ts';

type Change<T> = { readonly change: (current: T) => T; readonly done: Deferred<T> };

export class JsonDocument<T extends object> {
  readonly #low: Low<T>;
  #value: T;
  #waiting: Change<T>[] = [];
  #isWriting = false;

  private constructor(low: Low<T>) {
    this.#low = low;
    this.#value = low.data;
  }

  /** Reads the document; `initial` if it was never written. Throws `data_unreadable`. */
  static async open<T extends object>(
    parts: StoreParts,
    options: JsonFileOptions<T> & { readonly initial: T },
  ): Promise<JsonDocument<T>> {
    const low = new Low<T>(new JsonFile(parts, options), options.initial);
    await low.read();
    return new JsonDocument(low);
  }

  get value(): T {
    return this.#value;
  }

  /**
   * Replaces the value by what `change` makes of the latest one. Resolves to it when it is durable; changes that come
   * in meanwhile share the next write. On failure the value stays as it was. Throws `store_degraded`, or what
   * `change` throws.
   */
  update(change: (current: T) => T): Promise<T> {
    const done = deferred<T>();
    this.#waiting.push({ change, done });
    if (!this.#isWriting) void this.#writeWaiting();
    return done.promise;
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) await this.#writeTogether(this.#waiting.splice(0));
    this.#isWriting = false;
  }

  async #writeTogether(changes: readonly Change<T>[]): Promise<void> {
    let next = this.#value;
    const settle: (() => void)[] = [];
    const giveUp: ((error: unknown) => void)[] = [];
    for (const { change, done } of changes) {
      try {
        const changed = change(next);
        next = changed;
        settle.push(() => done.resolve(changed));
        giveUp.push((error) => done.reject(error));
      } catch (error) {
        done.reject(error);
      }
    }
    try {
      if (next !== this.#value) await this.#write(next);
      settle.forEach((tell) => tell());
    } catch (error) {
      giveUp.forEach((tell) => tell(error));
    }
  }

  async #write(next: T): Promise<void> {
    const before = this.#value;
    try {
      this.#low.data = next;
      await this.#low.write();
      this.#value = next;
    } catch (error) {
      this.#low.data = before;
      throw error;
    }
  }
}
