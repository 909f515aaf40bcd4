// One limit's calls of the last minute, exact to the millisecond. Pure: the caller says what time it is.
// INVARIANT: in no 60,000 ms are more calls charged than the limit allowed when each was charged.

/** A call counts for this long; at exactly this age it has expired. */
export const minuteMs = 60_000;

export class SlidingMinute {
  /** Times of charged calls, oldest first. */
  readonly #times: number[];

  constructor(times: readonly number[] = []) {
    this.#times = [...times];
  }

  /** Times of charged calls, oldest first; those that have expired may be among them. */
  get times(): readonly number[] {
    return this.#times;
  }

  /** Milliseconds until one more call fits under `limit`; 0: now. */
  waitFor(limit: number, now: number): number {
    this.#expire(now);
    // None while fewer count than the limit allows.
    const blocking = this.#times[this.#times.length - limit];
    return blocking === undefined ? 0 : blocking + minuteMs - now;
  }

  /** Counts a call. `now` never goes back. */
  charge(now: number): void {
    this.#times.push(now);
  }

  /** Takes back the call that was charged at that time, as if it had not been. */
  refund(chargedAt: number): void {
    const index = this.#times.lastIndexOf(chargedAt);
    if (index >= 0) this.#times.splice(index, 1);
  }

  /** Calls that count now. */
  count(now: number): number {
    this.#expire(now);
    return this.#times.length;
  }

  /** Milliseconds until the oldest and until the newest of the calls that count now no longer does; 0 without any. */
  expiry(now: number): { readonly first: number; readonly all: number } {
    this.#expire(now);
    const left = (time: number | undefined): number => (time === undefined ? 0 : time + minuteMs - now);
    return { first: left(this.#times[0]), all: left(this.#times.at(-1)) };
  }

  isEmpty(now: number): boolean {
    return this.count(now) === 0;
  }

  #expire(now: number): void {
    const live = this.#times.findIndex((time) => now - time < minuteMs);
    this.#times.splice(0, live === -1 ? this.#times.length : live);
  }
}

/** Whole seconds for `Retry-After`: at least one, and never too few. */
export const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000));
