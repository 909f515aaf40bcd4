import { z } from 'zod';
import { defineNodeType, cardText } from './node-type.ts';

export const failNode = defineNodeType({
  type: 'fail',
  title: 'Fail',
  summary:
    'Fails on purpose and repeatably: for trying out retries, error values and what a client does on failure.',
  value: 'null, where it does not fail',
  example: `- id: outage
  type: fail
  message: The service is away
  rows: [3]
  attempts: 2`,
  intents: [
    {
      title: 'Fail on purpose',
      keywords: 'error throw fault test retry',
      newKeys: { message: 'Failed on purpose' },
    },
  ],
  mainKeys: ['message'],
  faultSearch: () => 'text',
  samples: () => [],
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: true,
  hasEffect: true,
  card: ({ message }) => cardText(message),
  config: (slots) =>
    z.strictObject({
      message: slots.text().describe('The cause that is reported.'),
      rows: z
        .array(z.int().min(1))
        .exactOptional()
        .describe('Numbers of the rows that fail, from 1. Without it: every row.'),
      attempts: z
        .int()
        .min(1)
        .exactOptional()
        .describe('Only the first attempts fail, so many of them. Without it: every attempt.'),
      chance: z
        .number()
        .min(0)
        .max(1)
        .exactOptional()
        .describe('The share of attempts that fail, from 0 to 1. Without it: all.'),
      seed: z
        .int()
        .min(0)
        .max(0xffff_ffff)
        .exactOptional()
        .describe('Another seed makes other attempts fail; the same seed the same ones.'),
    }),
  action: null,
});
