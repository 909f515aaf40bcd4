import { z } from 'zod';
import { cardText } from './card-text.ts';
import { defineNodeType } from './node-type.ts';

export const assertNode = defineNodeType({
  type: 'assert',
  title: 'Assert',
  summary: 'Fails the row unless something holds.',
  value: 'true',
  example: `- id: positive
  type: assert
  that: row.total >= 0
  message: "Order {{ row.id }} has a negative total"`,
  newKeys: { that: true, message: 'This row is not as expected' },
  mainKeys: ['that'],
  hasEffect: true,
  card: ({ that }) => cardText(that),
  config: (slots) =>
    z.strictObject({
      that: slots.expression().describe('The expression that must hold.'),
      message: slots.text().describe('Why the row fails when it does not.'),
    }),
  action: null,
});
