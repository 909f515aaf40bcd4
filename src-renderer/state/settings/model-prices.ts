// Prices of models as a user types them: `gpt-4o-mini 0.15 0.6, llama3.2 0 0`.
import type { ModelPrices } from '#contract';

export const pricesText = (prices: ModelPrices): string =>
  Object.entries(prices)
    .map(([model, { input, output }]) => `${model} ${input} ${output}`)
    .join(', ');

/** Throws an Error with a message for the user. */
export function parsePrices(text: string): ModelPrices {
  const entries = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [model = '', input, output, ...more] = part.split(/\s+/);
      const prices = { input: Number(input), output: Number(output) };
      const isPrice = (price: number): boolean => price >= 0 && price <= 1_000_000;
      if (more.length > 0 || !isPrice(prices.input) || !isPrice(prices.output))
        throw new Error(
          `“${part.slice(0, 60)}” is no price. Enter a model, its price in and its price out, for example gpt-4o-mini 0.15 0.6.`,
        );
      return [model, prices] as const;
    });
  return Object.fromEntries(entries);
}
