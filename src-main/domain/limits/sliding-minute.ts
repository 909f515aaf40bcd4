// One limit's calls of the last minute, exact to the millisecond. Pure: the caller says what time it is.
// INVARIANT: in no 60,000 ms are more calls charged than the limit allowed when each was charged.

/** A call counts for this long; at exactly this age it has expired. */
export const minuteMs = 60_000;

export class SlidingMinute {
  /** Times of charged calls, oldest first; those before `#first` have expired. */
  #times: number[] = [];
  #first = 0;

  /** Milliseconds until one more call fits under `limit`; 0: now. */
  waitFor(limit: number, now: number): number {
    this.#expire(now);
    const excess = this.#times.length - this.#first - limit;
    if (excess < 0) return 0;
    const blocking = this.#times[this.#first + excess];
    return blocking === undefined ? 0 : blocking + minuteMs - now;
  }

  /** Counts a call. `now` never goes back. */
  charge(now: number): void {
    this.#times.push(now);
  }

  /** Takes back the call that was charged at that time, as if it had not been. */
  refund(chargedAt: number): void {
    const index = this.#times.lastIndexOf(chargedAt);
    if (index >= this.#first) this.#times.splice(index, 1);
  }

  /** Calls that count now. */
  count(now: number): number {
    this.#expire(now);
    return this.#times.length - this.#first;
  }

  /** Milliseconds until the oldest and until the newest of the calls that count now no longer does; 0 without any. */
  expiry(now: number): { readonly first: number; readonly all: number } {
    this.#expire(now);
    const left = (time: number | undefined): number => (time === undefined ? 0 : time + minuteMs - now);
    return { first: left(this.#times[this.#first]), all: left(this.#times.at(-1)) };
  }

  isEmpty(now: number): boolean {
    this.#expire(now);
    return this.#first === this.#times.length;
  }

  #expire(now: number): void {
    while (this.#first < this.#times.length && now - (this.#times[this.#first] ?? now) >= minuteMs) {
      this.#first += 1;
    }
    // Cutting the expired half off now and then costs less than shifting the list on each call.
    if (this.#first > 64 && this.#first * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#first);
      this.#first = 0;
    }
  }
}

/** Whole seconds for `Retry-After`: at least one, and never too few. */
export const retryAfterSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000));
