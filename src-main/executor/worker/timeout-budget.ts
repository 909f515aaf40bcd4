// The time that a called workflow may take if its node has a `timeout`. Waits and calls count in the run's own time;
// computing counts separately, in real time, so that a run on a virtual clock ends the same on any machine.
import type { CallAnswered } from '../protocol.ts';
import { NodeError } from './node-error.ts';

/** How much earlier than its limit a call may seem to end, in ms, since timers and durations are rounded. */
const earlyTimerMs = 2;

export class TimeoutBudget {
  readonly #ms: number;
  readonly #timeoutMessage: string;
  readonly #outer: TimeoutBudget | undefined;
  #waited = 0;
  #computed = 0;

  /**
   * @param ms Infinity for no limit
   * @param outer of the workflow that the node is in
   */
  constructor(ms: number, timeoutMessage: string, outer: TimeoutBudget | undefined) {
    this.#ms = ms;
    this.#timeoutMessage = timeoutMessage;
    this.#outer = outer;
  }

  /** Time left for waits and calls, in ms; 0 if it is used up. */
  get remainingMs(): number {
    return Math.max(0, Math.min(this.#ms - this.#waited, this.#outer?.remainingMs ?? Infinity));
  }

  /** A budget for work that runs beside other work and begins now, or when the work of `after` has ended. */
  fork(after: readonly TimeoutBudget[] = []): TimeoutBudget {
    const outer = this.#outer?.fork(after.flatMap((budget) => budget.#outer ?? []));
    const fork = new TimeoutBudget(this.#ms, this.#timeoutMessage, outer);
    fork.#waited = Math.max(this.#waited, ...after.map((budget) => budget.#waited));
    fork.#computed = this.#computed;
    return fork;
  }

  /** Counts the forks once all have ended: the longest wait, and all computing, since only one piece of code runs at a time. */
  join(forks: readonly TimeoutBudget[]): void {
    const before = this.#computed;
    for (const fork of forks) {
      this.#waited = Math.max(this.#waited, fork.#waited);
      this.#computed += fork.#computed - before;
    }
    this.#outer?.join(forks.flatMap((fork) => fork.#outer ?? []));
  }

  spendWait(ms: number): void {
    this.#waited += ms;
    this.#outer?.spendWait(ms);
  }

  /**
   * Counts a call. One that failed at its limit has used up the time that was left.
   * @param limitMs the time that was left, if the call was cut to it; else Infinity
   */
  spendCall({ answer, ms }: Pick<CallAnswered, 'answer' | 'ms'>, limitMs: number): void {
    const isCut = answer.kind === 'failed' && ms >= limitMs - earlyTimerMs;
    this.spendWait(isCut ? Math.max(ms, limitMs) + 1 : ms);
  }

  spendComputing(ms: number): void {
    this.#computed += ms;
    this.#outer?.spendComputing(ms);
  }

  /** Throws NodeError if waits and calls, or computing, took too long. */
  assertNotExceeded(): void {
    if (this.#waited > this.#ms || this.#computed > this.#ms) throw new NodeError(this.#timeoutMessage);
    this.#outer?.assertNotExceeded();
  }
}
