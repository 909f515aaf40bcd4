// Open requests of one run's rows to the main process: for the ends of waits, or for answers to calls.
// Who calls: RunSession.
import { deferred, type Deferred } from '../../base/deferred.ts';

export class Asked<T = void> {
  readonly #open = new Map<number, { readonly portion: number; readonly over: Deferred<T> }>();
  #count = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Notes that a row of the portion asks. */
  add(portion: number): { readonly id: number; readonly answer: Promise<T> } {
    const id = (this.#count += 1);
    const over = deferred<T>();
    this.#open.set(id, { portion, over });
    return { id, answer: over.promise };
  }

  /** Resolves a request. False if its row was dropped while the answer was on its way. */
  answer(id: number, value: T): boolean {
    const asked = this.#open.get(id);
    this.#open.delete(id);
    asked?.over.resolve(value);
    return asked !== undefined;
  }

  /** Rejects what rows of the portion have asked for; tells how much that was. An error is made for those alone. */
  drop(portion: number, reason: () => Error): number {
    if (this.#open.size === 0) return 0;
    const dropped = [...this.#open].filter(([, asked]) => asked.portion === portion);
    for (const [id, { over }] of dropped) {
      this.#open.delete(id);
      over.reject(reason());
    }
    return dropped.length;
  }
}
