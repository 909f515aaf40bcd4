import { count } from '../../domain/format.ts';
import type { NodeStatistics } from '../../domain/results/node-statistics.ts';
import { tokensOf, type SpentBudget } from '../../domain/run/spent-budget.ts';

export type BudgetOptions = {
  /** Tokens of the budget; a resume allows as many again. */
  readonly tokens: number;
  /** Tokens that models may use in all executions of the run together. */
  readonly allowed: number;
  /** Tokens that earlier executions of the run have used. */
  readonly used: number;
  /** True if the run fails when the budget is spent and the rows in flight have ended; else its caller pauses it. */
  readonly failsRun: boolean;
};

/** The tokens that a run may use and has used. A run starts no row once they are spent. */
export class TokenBudget {
  readonly failsRun: boolean;
  readonly #tokens: number;
  #allowed: number;
  #used: number;

  constructor({ tokens, allowed, used, failsRun }: BudgetOptions) {
    this.failsRun = failsRun;
    this.#tokens = tokens;
    this.#allowed = allowed;
    this.#used = used;
  }

  /** Undefined while tokens are left. */
  get spent(): SpentBudget | undefined {
    return this.#used < this.#allowed ? undefined : { used: this.#used, tokens: this.#tokens };
  }

  get error(): string {
    return `Models have used ${count(this.#used)} tokens; the "tokenBudget" of a run is ${count(this.#tokens)}`;
  }

  /** Adds what the nodes of some rows have used. */
  add(nodes: readonly NodeStatistics[]): void {
    this.#used += tokensOf(nodes);
  }

  /** Allows as many tokens again from now on, if they are spent. */
  raise(): void {
    if (this.spent !== undefined) this.#allowed = this.#used + this.#tokens;
  }
}
