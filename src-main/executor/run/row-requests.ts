// The waits and calls of one run's rows outside their workers, by slot and batch. They are cancelled when the batch
// ends or its worker is lost: a row that ended otherwise is not woken, and its call is not made.
import type { CancelTimer } from '../../base/clock.ts';
import type { WorkerSlot } from './worker-slot.ts';

export class RowRequests {
  readonly #bySlot = new Map<WorkerSlot, Map<number, Set<CancelTimer>>>();

  /** Adds a request and the function that cancels it. The returned function removes the request. */
  addRequest(slot: WorkerSlot, batch: number, callOff: CancelTimer): () => void {
    const slotRequests = this.#bySlot.get(slot) ?? new Map<number, Set<CancelTimer>>();
    const batchRequests = slotRequests.get(batch) ?? new Set();
    batchRequests.add(callOff);
    this.#bySlot.set(slot, slotRequests.set(batch, batchRequests));
    return () => void batchRequests.delete(callOff);
  }

  /** Cancels the requests of a batch that is done. */
  cancelBatch(slot: WorkerSlot, batch: number): void {
    const slotRequests = this.#bySlot.get(slot);
    slotRequests?.get(batch)?.forEach((callOff) => callOff());
    slotRequests?.delete(batch);
  }

  /** Cancels the requests of a slot that has lost its worker. */
  cancelSlot(slot: WorkerSlot): void {
    this.#bySlot.get(slot)?.forEach((batchRequests) => batchRequests.forEach((callOff) => callOff()));
    this.#bySlot.delete(slot);
  }

  cancelAll(): void {
    for (const slot of [...this.#bySlot.keys()]) this.cancelSlot(slot);
  }
}
