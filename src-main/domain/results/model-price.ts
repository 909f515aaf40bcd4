// Prices of models, and what their tokens cost.
import type { WorkflowNode } from '../workflow/workflow.ts';
import type { Tokens } from './tokens.ts';

/** Prices of a million tokens by the model's name, of what it is asked and what it answers, in a currency of the user's choice. */
export type ModelPrices = Readonly<Record<string, { readonly input: number; readonly output: number }>>;

/** Cost of the tokens that a node has used; undefined for a node whose model the file does not name, or has no price. */
export function costOf(
  node: WorkflowNode,
  tokens: Tokens | undefined,
  prices: ModelPrices,
): number | undefined {
  if (tokens === undefined || node.type !== 'llm' || node.config.model.kind !== 'literal') return undefined;
  const { value: model } = node.config.model;
  const priced = typeof model === 'string' && Object.hasOwn(prices, model) ? prices[model] : undefined;
  return priced && (tokens.prompt * priced.input + tokens.completion * priced.output) / 1_000_000;
}

/** Sum of the costs that are known; undefined if none is. */
export const totalCost = (nodes: readonly { readonly cost?: number }[]): number | undefined =>
  nodes.reduce<number | undefined>(
    (sum, { cost }) => (cost === undefined ? sum : (sum ?? 0) + cost),
    undefined,
  );

/** `12.50`, `0.0123`: two decimals, or for less than one the first three digits that count. */
export const costText = (cost: number): string =>
  cost === 0 || cost >= 1
    ? cost.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
    : cost.toLocaleString('en-US', { maximumSignificantDigits: 3, maximumFractionDigits: 20 });
