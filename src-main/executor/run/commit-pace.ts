// How often results are committed while more of them are being computed. A commit waits for the disk once and takes a
// transaction in the storage thread: committing every few milliseconds took a third of a fast run's
// time from its workers.
import type { CancelTimer, Clock } from '../../base/clock.ts';

/** In ms, from one commit's beginning to the next one's; the first counts from the start, so that a short run has one. */
const restMs = 25;
/** So many bytes are worth a commit whenever they are there. */
const enoughBytes = 512 * 1024;

export class CommitPace {
  readonly #clock: Clock;
  readonly #awaitsNothing: () => boolean;
  #began: number;
  #cancel: CancelTimer | undefined;

  /** @param awaitsNothing nothing comes that would soon be committed together with what is there */
  constructor(clock: Clock, awaitsNothing: () => boolean) {
    this.#clock = clock;
    this.#awaitsNothing = awaitsNothing;
    this.#began = clock.monotonic();
  }

  /** Whether so many bytes, which can be committed, are to be now. */
  isDue(bytes: number): boolean {
    if (bytes >= enoughBytes || this.#awaitsNothing()) return true;
    return this.#clock.monotonic() - this.#began >= restMs;
  }

  /** Has what is not due yet committed once it is. */
  remind(flush: () => void): void {
    const left = this.#began + restMs - this.#clock.monotonic();
    this.#cancel ??= this.#clock.setTimer(left, () => {
      this.#cancel = undefined;
      flush();
    });
  }

  noteBegin(): void {
    this.#began = this.#clock.monotonic();
    this.stop();
  }

  /** Reminds of nothing any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
