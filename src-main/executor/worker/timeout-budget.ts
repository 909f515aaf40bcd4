// How long a workflow that a node calls may take, where that node has a `timeout`. Waits and calls are counted in the
// run's own time, computing in real time and apart, so that on a virtual clock a run ends alike on any machine.
import { NodeError } from './node-error.ts';

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

  /** Left for waits and calls, in ms; 0 when it is used up. */
  get remainingMs(): number {
    return Math.max(0, Math.min(this.#ms - this.#waited, this.#outer?.remainingMs ?? Infinity));
  }

  spendWait(ms: number): void {
    this.#waited += ms;
    this.#outer?.spendWait(ms);
  }

  spendComputing(ms: number): void {
    this.#computed += ms;
    this.#outer?.spendComputing(ms);
  }

  /** Throws NodeError when either took longer than was allowed. */
  assertNotExceeded(): void {
    if (this.#waited > this.#ms || this.#computed > this.#ms) throw new NodeError(this.#timeoutMessage);
    this.#outer?.assertNotExceeded();
  }
}
