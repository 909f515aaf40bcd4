import { count } from '../format.ts';
import type { NodeStatistics } from '../results/node-statistics.ts';

/** Tokens that a run's models have used, in and out, and its budget of them, which is spent. */
export type SpentBudget = { readonly used: number; readonly tokens: number };

/** Text for a run that waits since its budget is spent. */
export const spentBudgetText = ({ used, tokens }: SpentBudget): string =>
  `Models have used ${count(used)} tokens of a budget of ${count(tokens)}. Resume allows ${count(tokens)} more.`;

/** Tokens that models have used in these nodes, in and out. */
export const tokensOf = (nodes: readonly NodeStatistics[]): number =>
  nodes.reduce((sum, { tokens }) => sum + (tokens === undefined ? 0 : tokens.prompt + tokens.completion), 0);
