// Starts calls to a host at even intervals, in the order in which they come, over all runs of this process.
import type { CancelTimer, Clock } from '../../base/clock.ts';

type WaitingCall = { readonly intervalMs: number; readonly start: () => void };

type HostQueue = {
  readonly waiting: Set<WaitingCall>;
  /** Cancels the timer of the interval after the last start; undefined before the first one. */
  cancel: CancelTimer | undefined;
};

/** The run was paused before the call began: it is requested again when the run resumes. */
export class CallPostponed extends Error {}

type Waiting = { readonly signal: AbortSignal; readonly pause?: AbortSignal | undefined };

export class RateLimits {
  readonly #clock: Clock;
  /** Hosts with waiting calls, or with a call that began within its interval. */
  readonly #hosts = new Map<string, HostQueue>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the call may begin. Rejects with the signal's reason, or with `CallPostponed` in a pause. */
  acquire(host: string, intervalMs: number, { signal, pause }: Waiting): Promise<void> {
    const queue = this.#hosts.get(host) ?? { waiting: new Set(), cancel: undefined };
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

  #startNext(host: string, queue: HostQueue): void {
    const [next] = queue.waiting;
    if (next === undefined) return void this.#hosts.delete(host);
    queue.cancel = this.#clock.setTimer(next.intervalMs, () => this.#startNext(host, queue));
    next.start();
  }
}
