// How often results are committed while more of them are being computed. A commit waits for the disk once and takes a
// transaction in the storage thread: committing every few milliseconds took a third of a fast run's
// time from its workers.
import type { CancelTimer, Clock } from '../../base/clock.ts';

/** In ms, from one commit's beginning to the next one's; the first counts from the start, so that a short run has one. */
const minIntervalMs = 25;
/** So many bytes are worth a commit whenever they are there. */
const maxPendingBytes = 512 * 1024;

export class CommitThrottle {
  readonly #clock: Clock;
  readonly #expectsNoMore: () => boolean;
  #startedAt: number;
  #cancel: CancelTimer | undefined;

  /** @param expectsNoMore nothing comes that would soon be committed together with what is there */
  constructor(clock: Clock, expectsNoMore: () => boolean) {
    this.#clock = clock;
    this.#expectsNoMore = expectsNoMore;
    this.#startedAt = clock.monotonic();
  }

  /** True if so many bytes, which can be committed, are to be now. */
  isCommitDue(bytes: number): boolean {
    if (bytes >= maxPendingBytes || this.#expectsNoMore()) return true;
    return this.#clock.monotonic() - this.#startedAt >= minIntervalMs;
  }

  /** Has what is not due yet committed once it is. */
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

  /** Reminds of nothing any more. */
  cancelSchedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
