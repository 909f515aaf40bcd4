// How often results are committed while more of them are being computed. A commit waits for the disk once and takes a
// transaction in the storage thread: committing every few milliseconds took a third of a fast run's
// time from its workers.
import type { CancelTimer, Clock } from '../../base/clock.ts';

/** Minimum time between the starts of two commits, in ms. The run's start counts as one, so that a short run commits once. */
const minIntervalMs = 25;
/** Bytes that are committed at once, without a wait. */
const maxPendingBytes = 512 * 1024;

export class CommitThrottle {
  readonly #clock: Clock;
  readonly #expectsNoMore: () => boolean;
  #startedAt: number;
  #cancel: CancelTimer | undefined;

  /** @param expectsNoMore true if no further results are expected soon */
  constructor(clock: Clock, expectsNoMore: () => boolean) {
    this.#clock = clock;
    this.#expectsNoMore = expectsNoMore;
    this.#startedAt = clock.monotonic();
  }

  /** True if so many bytes should be committed now. */
  isCommitDue(bytes: number): boolean {
    if (bytes >= maxPendingBytes || this.#expectsNoMore()) return true;
    return this.#clock.monotonic() - this.#startedAt >= minIntervalMs;
  }

  /** Calls `flush` once a commit is due. */
  scheduleCommit(flush: () => void): void {
    const left = this.#startedAt + minIntervalMs - this.#clock.monotonic();
    this.#cancel ??= this.#clock.setTimer(left, () => {
      this.#cancel = undefined;
      flush();
    });
  }

  recordCommitStart(): void {
    this.#startedAt = this.#clock.monotonic();
    this.cancelSchedule();
  }

  /** Cancels the scheduled call. */
  cancelSchedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
