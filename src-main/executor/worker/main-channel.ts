// The line to the main process, and the signs of life on it. While author code computes nothing can be sent; the
// main process takes long silence for a worker that hangs.
import type { Clock } from '../../base/clock.ts';
import type { FromWorker } from '../protocol.ts';

/** Often enough to tell a slow batch from a hanging node, seldom enough to cost nothing. */
const beatMs = 100;

export class MainChannel {
  readonly #clock: Clock;
  readonly #post: (message: FromWorker) => void;
  #lastSent = 0;

  constructor(clock: Clock, post: (message: FromWorker) => void) {
    this.#clock = clock;
    this.#post = post;
  }

  send(message: FromWorker): void {
    this.#lastSent = this.#clock.monotonic();
    this.#post(message);
  }

  /** Between two pieces of author code; `now` is the clock's monotonic time. */
  beat(now: number): void {
    if (now - this.#lastSent > beatMs) this.send({ type: 'alive' });
  }

  /** Shows life while the worker has nothing to do but wait. */
  beatForEver(): void {
    this.#clock.setTimer(beatMs, () => {
      this.beat(this.#clock.monotonic());
      this.beatForEver();
    });
  }
}
