import { z } from 'zod';
import { defineNodeType, cardText } from './node-type.ts';

export const assertNode = defineNodeType({
  type: 'assert',
  title: 'Assert',
  summary: 'Fails the row unless something holds.',
  value: 'true',
  example: `- id: positive
  type: assert
  that: row.total >= 0
  message: "Order {{ row.id }} has a negative total"`,
  intents: [
    {
      title: 'Stop the row unless',
      keywords: 'stop assert guard require check return validate',
      newKeys: { that: true, message: 'This row is not as expected' },
    },
  ],
  mainKeys: ['that'],
  // A condition is at fault where it is false, and not the message that it fails with.
  faultSearch: (message) => (/^\w*Error: /.test(message) ? 'name' : 'key'),
  samples: () => [],
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: true,
  hasEffect: true,
  card: ({ that }) => cardText(that),
  config: (slots) =>
    z.strictObject({
      that: slots.expression().describe('The expression that must hold.'),
      message: slots.text().describe('Why the row fails when it does not.'),
    }),
  action: null,
});
