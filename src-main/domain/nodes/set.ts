import { z } from 'zod';
import { defineNodeType, cardNames } from './node-type.ts';

export const setNode = defineNodeType({
  type: 'set',
  title: 'Set values',
  summary: 'Names values, for other nodes to read.',
  value: 'an object with the values',
  example: `- id: person
  type: set
  values:
    host: =row.email.split('@')[1].toLowerCase()
    title: "Lead {{ row.name }}"`,
  intents: [
    {
      title: 'Set values',
      keywords: 'clean formula transform rename fields variable compute',
      newKeys: { values: {} },
    },
    {
      title: 'Filter, change or join lists and objects',
      summary: 'Names values that are made of lists and objects; has one example of each.',
      keywords: 'filter map merge split combine join concat sort unique reduce array',
      newKeys: {
        values: {
          filtered: '=(row.items ?? []).filter((each) => each != null)',
          changed: '=(row.items ?? []).map((each) => ({ value: each }))',
          merged: '={ ...row, source: "rows" }',
          words: "=String(row.text ?? '').split(' ')",
        },
      },
    },
  ],
  mainKeys: ['values'],
  faultSearch: () => 'name',
  samples: ({ values }, { sampleOf }) => [sampleOf(values)],
  mockTemplate: {},
  firstField: 'values',
  expressionUse: null,
  isBarrier: false,
  hasEffect: false,
  card: ({ values }) => cardNames(values),
  config: (slots) =>
    z.strictObject({
      values: slots
        .fields()
        .describe('The values by name, or an `=expression` that gives an object of them.'),
    }),
  action: null,
});
