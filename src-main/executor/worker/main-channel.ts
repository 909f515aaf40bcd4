// The channel to the main process, with heartbeats. While author code computes, nothing can be sent; the main process
// treats long silence as a hanging worker.
import type { Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import type { FromWorker } from '../protocol.ts';

/** Interval of heartbeats, in ms: short enough to tell a slow batch from a hanging node, long enough to cost nothing. */
const heartbeatMs = 100;

export class MainChannel {
  readonly #clock: Clock;
  readonly #post: (message: FromWorker) => void;
  #lastSent = 0;
  #isHeartbeatScheduled = false;

  constructor(clock: Clock, post: (message: FromWorker) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  send(message: FromWorker): void {
    this.#lastSent = this.#clock.monotonic();
    this.#post(message);
  }

  /** Sends a heartbeat if it is due. Called between two pieces of author code. @param now monotonic time */
  sendHeartbeatIfDue(now: number): void {
    if (now - this.#lastSent > heartbeatMs) this.send({ type: 'alive' });
  }

  /**
   * Sends heartbeats while the worker is busy, even if it only waits. Call it when a message arrives. The main process only
   * watches workers that have rows.
   */
  sendHeartbeatsWhile(isBusy: () => boolean): void {
    if (this.#isHeartbeatScheduled) return;
    // The main process has just started to watch.
    this.#lastSent = this.#clock.monotonic();
    this.#scheduleHeartbeat(isBusy);
  }

  #scheduleHeartbeat(isBusy: () => boolean): void {
    this.#isHeartbeatScheduled = true;
    this.#clock.setTimer(heartbeatMs, () => {
      this.#isHeartbeatScheduled = false;
      if (!isBusy()) return;
      this.sendHeartbeatIfDue(this.#clock.monotonic());
      this.#scheduleHeartbeat(isBusy);
    });
  }
}

/**
 * Open requests of one run's rows to the main process: for the ends of waits, or for answers to calls.
 *
 */
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
