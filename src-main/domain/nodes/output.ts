import { z } from 'zod';
import { defineNodeType, cardNames } from './node-type.ts';

export const outputNode = defineNodeType({
  type: 'output',
  title: 'Output',
  summary: "Gives fields to the row's output. The fields of all output nodes are put together.",
  value: 'the fields',
  example: `- id: result
  type: output
  fields:
    email: =row.email
    label: "{{ row.name }} from {{ row.city }}"`,
  intents: [{ title: 'Output', keywords: 'return result end give', newKeys: { fields: {} } }],
  mainKeys: ['fields'],
  faultSearch: () => 'name',
  samples: ({ fields }, { sampleOf }) => [sampleOf(fields)],
  mockTemplate: {},
  firstField: 'fields',
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ fields }) => cardNames(fields),
  without: ['each', 'concurrency'],
  config: (slots) =>
    z.strictObject({
      fields: slots
        .fields()
        .describe(
          'The fields of the output, with their values. Or an `=expression` that gives an object of them: then the workflow has no other output node.',
        ),
    }),
  action: null,
});
