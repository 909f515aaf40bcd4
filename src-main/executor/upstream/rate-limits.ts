// Starts calls to a host at even intervals, in the order in which they come, over all runs of this process. Processes
// that share limits reserve time of a host before they start calls in it.
// INVARIANT: a call starts only in time that is free, and that stays reserved until the call's interval has passed.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

/** Shares the time of hosts among processes. */
export interface HostReservations {
  /**
   * Reserves the next `lengthMs` of a host that no process has reserved. Resolves to the time until they begin, in ms.
   * Rejects while reservations cannot be made.
   */
  reserve(host: string, lengthMs: number): Promise<number>;
}

type WaitingCall = { readonly intervalMs: number; readonly start: () => void };

type HostQueue = {
  readonly waiting: Set<WaitingCall>;
  /** Cancels the timer of the next step; undefined before the first one. */
  cancel: CancelTimer | undefined;
  /** End of the time that this process may use, on the monotonic clock. */
  reservedUntil: number;
  /** Calls that the reservation was made for and that have not started. */
  planned: number;
};

/** The run was paused before the call began: it is requested again when the run resumes. */
export class CallPostponed extends Error {}

type Waiting = { readonly signal: AbortSignal; readonly pause?: AbortSignal | undefined };

type RateLimitsDeps = {
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: no other process counts the same limits. */
  readonly reservations?: HostReservations | undefined;
};

/** Calls that wait are given so much time at once, in ms, so that other processes do not wait long. */
const maxReservedMs = 1_000;
/** Range of the time reserved beyond the intervals, in ms: for late timers and late answers. */
const [minSlackMs, maxSlackMs] = [10, 8_000];
/** Time until the next attempt when nothing could be reserved, in ms. */
const retryMs = 1_000;

export class RateLimits {
  readonly #deps: RateLimitsDeps;
  /** Hosts with waiting calls, or with a call that began within its interval. */
  readonly #hosts = new Map<string, HostQueue>();
  #slackMs = minSlackMs;

  constructor(deps: RateLimitsDeps) {
    this.#deps = deps;
  }

  /** Resolves when the call may begin. Rejects with the signal's reason, or with `CallPostponed` in a pause. */
  acquire(host: string, intervalMs: number, { signal, pause }: Waiting): Promise<void> {
    const queue = this.#hosts.get(host) ?? this.#createQueue();
    this.#hosts.set(host, queue);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        queue.waiting.delete(call);
        signal.removeEventListener('abort', stop);
        pause?.removeEventListener('abort', postpone);
      };
      const stop = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const postpone = (): void => {
        leave();
        reject(new CallPostponed());
      };
      const start = (): void => {
        leave();
        resolve();
      };
      const call: WaitingCall = { intervalMs, start };
      if (signal.aborted) return stop();
      if (pause?.aborted) return postpone();
      queue.waiting.add(call);
      signal.addEventListener('abort', stop, { once: true });
      pause?.addEventListener('abort', postpone, { once: true });
      if (queue.cancel === undefined) this.#startNext(host, queue);
    });
  }

  /** Ends all timers. Calls that wait are left to their signals. */
  close(): void {
    for (const { cancel } of this.#hosts.values()) cancel?.();
    this.#hosts.clear();
  }

  #createQueue(): HostQueue {
    const reservedUntil = this.#deps.reservations === undefined ? Infinity : 0;
    return { waiting: new Set(), cancel: undefined, reservedUntil, planned: 0 };
  }

  #startNext(host: string, queue: HostQueue): void {
    const { clock, reservations } = this.#deps;
    const [next] = queue.waiting;
    if (next === undefined) return void this.#hosts.delete(host);
    if (reservations !== undefined && clock.monotonic() + next.intervalMs > queue.reservedUntil)
      return void this.#reserve(host, queue, reservations);
    queue.cancel = clock.setTimer(next.intervalMs, () => this.#startNext(host, queue));
    queue.planned -= 1;
    next.start();
  }

  /** Reserves time for the calls that wait, then goes on. Never rejects. */
  async #reserve(host: string, queue: HostQueue, reservations: HostReservations): Promise<void> {
    const { clock, log } = this.#deps;
    let isOpen = true;
    queue.cancel = () => (isOpen = false);
    // Calls that did not fit were late: by slow answers, a busy processor, or a frozen process.
    const slackMs = queue.planned > 0 ? this.#slackMs * 2 : this.#slackMs * 0.9;
    this.#slackMs = Math.min(maxSlackMs, Math.max(minSlackMs, slackMs));
    const { calls, totalMs } = nextCalls(queue.waiting);
    const lengthMs = totalMs + this.#slackMs;
    const sentAt = clock.monotonic();
    let waitMs = retryMs;
    try {
      waitMs = await reservations.reserve(host, lengthMs);
      // Counted from the request, not from its answer: the reservation never ends earlier than that.
      queue.reservedUntil = sentAt + waitMs + lengthMs;
      queue.planned = calls;
    } catch (error) {
      log.warn({ error }, 'calls with a limit wait, since their time could not be reserved');
    }
    if (isOpen) queue.cancel = clock.setTimer(Math.ceil(waitMs), () => this.#startNext(host, queue));
  }
}

/** The first calls whose intervals fit into one reservation; at least one. */
function nextCalls(waiting: Iterable<WaitingCall>): { readonly calls: number; readonly totalMs: number } {
  let [calls, totalMs] = [0, 0];
  for (const { intervalMs } of waiting) {
    if (calls > 0 && totalMs + intervalMs > maxReservedMs) break;
    calls += 1;
    totalMs += intervalMs;
  }
  return { calls, totalMs };
}
