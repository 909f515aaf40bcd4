// How long a workflow that a node calls may take, where that node has a `timeout`. Waits and calls are counted in the
// run's own time, computing in real time and apart, so that on a virtual clock a run ends alike on any machine.
import { NodeError } from './node-error.ts';

export class Allowance {
  readonly #ms: number;
  readonly #overtime: string;
  readonly #outer: Allowance | undefined;
  #waited = 0;
  #computed = 0;

  /**
   * @param ms Infinity for no limit
   * @param outer of the workflow that the node is in
   */
  constructor(ms: number, overtime: string, outer: Allowance | undefined) {
    this.#ms = ms;
    this.#overtime = overtime;
    this.#outer = outer;
  }

  /** Left for waits and calls, in ms; 0 when it is used up. */
  get left(): number {
    return Math.max(0, Math.min(this.#ms - this.#waited, this.#outer?.left ?? Infinity));
  }

  noteWait(ms: number): void {
    this.#waited += ms;
    this.#outer?.noteWait(ms);
  }

  noteComputing(ms: number): void {
    this.#computed += ms;
    this.#outer?.noteComputing(ms);
  }

  /** Throws NodeError when either took longer than was allowed. */
  assertKept(): void {
    if (this.#waited > this.#ms || this.#computed > this.#ms) throw new NodeError(this.#overtime);
    this.#outer?.assertKept();
  }
}
