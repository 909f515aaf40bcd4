// Open requests of one run's rows to the main process: for the ends of waits, or for answers to calls.
// Who calls: RunSession.
import { deferred, type Deferred } from '../../base/deferred.ts';

export class PendingRequests<T = void> {
  readonly #open = new Map<number, { readonly batch: number; readonly settled: Deferred<T> }>();
  #count = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Opens a request of a row of the batch. */
  openRequest(batch: number): { readonly id: number; readonly resolveRequest: Promise<T> } {
    const id = (this.#count += 1);
    const settled = deferred<T>();
    this.#open.set(id, { batch, settled });
    return { id, resolveRequest: settled.promise };
  }

  /** Resolves a request. False if its row was dropped while the answer was on its way. */
  answer(id: number, value: T): boolean {
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.settled.resolve(value);
    return request !== undefined;
  }

  /** Rejects the open requests of a batch and returns their number. The error is only created if there are any. */
  rejectBatch(batch: number, reason: () => Error): number {
    if (this.#open.size === 0) return 0;
    const dropped = [...this.#open].filter(([, request]) => request.batch === batch);
    for (const [id, { settled }] of dropped) {
      this.#open.delete(id);
      settled.reject(reason());
    }
    return dropped.length;
  }
}
