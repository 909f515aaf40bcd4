import { expect, it } from 'vitest';
import { costOf, costText, totalCost } from '../../../../src-main/domain/results/model-price.ts';
import { settingsSchema } from '../../../../src-main/domain/settings.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import type { WorkflowNode } from '../../../../src-main/domain/workflow/workflow.ts';
import { parsePrices, pricesText } from '../../../../src-renderer/state/settings/model-prices.ts';

function llm(model: string): WorkflowNode {
  const { workflow } = parseWorkflow(`rowbench: 1
id: ask
nodes:
  - { id: input, type: input }
  - { id: ask, type: llm, baseUrl: http://localhost:1/v1, model: "${model}", messages: [{ role: user, content: a }] }
  - { id: result, type: output, fields: { a: =nodes.ask.text } }
`);
  const node = workflow?.nodes.find(({ id }) => id === 'ask');
  if (node === undefined) throw new Error('no node');
  return node;
}

const prices = { small: { input: 0.15, output: 0.6 }, free: { input: 0, output: 0 } };
const tokens = { prompt: 2_000_000, completion: 500_000 };

it('a node costs what its tokens cost by the price of its model', () => {
  expect(costOf(llm('small'), tokens, prices)).toBeCloseTo(0.6);
  expect(costOf(llm('free'), tokens, prices)).toBe(0);
});

it.each(['other', '=row.model', 'constructor'])('the cost of the model %s is not known', (model) => {
  expect(costOf(llm(model), tokens, prices)).toBeUndefined();
});

it('a node without tokens has no cost', () => {
  expect(costOf(llm('small'), undefined, prices)).toBeUndefined();
});

it('the total is of the costs that are known', () => {
  expect(totalCost([{ cost: 1 }, {}, { cost: 2 }])).toBe(3);
  expect(totalCost([{}])).toBeUndefined();
});

it.each([
  [0, '0.00'],
  [12.5, '12.50'],
  [1234.567, '1,234.57'],
  [0.0123456, '0.0123'],
  [0.00000012, '0.00000012'],
])('%d is shown as %s', (cost, text) => {
  expect(costText(cost)).toBe(text);
});

it('prices are read as they are typed, and shown as they are read', () => {
  expect(parsePrices(' small 0.15 0.6,free 0 0 ')).toEqual(prices);
  expect(parsePrices(pricesText(prices))).toEqual(prices);
  expect(parsePrices('')).toEqual({});
  expect(settingsSchema.safeParse({ version: 1, modelPrices: prices }).success).toBe(true);
});

it.each(['small', 'small 1', 'small -1 2', 'small a b', 'small 1 2 3'])('"%s" is no price', (text) => {
  expect(() => parsePrices(text)).toThrow('is no price');
});
