// The channel to the main process, with heartbeats. While author code computes, nothing can be sent; the main process
// treats long silence as a hanging worker.
import type { Clock } from '../../base/clock.ts';
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
