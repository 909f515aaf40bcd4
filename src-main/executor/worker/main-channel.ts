// The line to the main process, and the signs of life on it. While author code computes nothing can be sent; the
// main process takes long silence for a worker that hangs.
import type { Clock } from '../../base/clock.ts';
import type { FromWorker } from '../protocol.ts';

/** Often enough to tell a slow batch from a hanging node, seldom enough to cost nothing. */
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

  /** Between two pieces of author code; `now` is the clock's monotonic time. */
  sendHeartbeatIfDue(now: number): void {
    if (now - this.#lastSent > heartbeatMs) this.send({ type: 'alive' });
  }

  /**
   * Shows life while the worker is busy and may have nothing to do but wait; to be called when something comes. The main
   * process watches those alone that it gave rows.
   */
  sendHeartbeatsWhile(isBusy: () => boolean): void {
    if (this.#isHeartbeatScheduled) return;
    // Its watch began a moment ago.
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
