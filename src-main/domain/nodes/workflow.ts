import { z } from 'zod';
import { workflowIdPattern } from '../workflow/workflow-keys.ts';
import { fieldKind } from './field-kind.ts';
import { defineNodeType, cardText } from './node-type.ts';
import { repeatSlot } from './repeat.ts';

export const workflowNode = defineNodeType({
  type: 'workflow',
  title: 'Workflow',
  summary:
    'Runs another workflow on one row. It sees nothing of this one but that row, and fails this node where it fails.',
  value: "the other workflow's output for the row",
  example: `- id: address
  type: workflow
  workflow: check-address
  each: =row.addresses
  row: { street: =item.street, city: =item.city }`,
  intents: [
    {
      title: 'Run another workflow',
      keywords: 'workflow reuse call sub subworkflow',
      newKeys: { workflow: 'other-workflow', row: '=row' },
    },
    {
      title: 'Loop over several steps',
      summary: 'Runs another workflow, which has the steps, for each item of a list.',
      keywords: 'loop for each iterate subworkflow body',
      newKeys: { workflow: 'other-workflow', each: '=row.items ?? []', row: { item: '=item' } },
    },
  ],
  mainKeys: ['workflow', 'row'],
  // Names in a failure of the other workflow are those of its file.
  faultSearch: (message) => (message.startsWith('workflow "') ? 'key' : 'name'),
  samples: () => [],
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ workflow }) => cardText(workflow),
  config: (slots) =>
    z.strictObject({
      workflow: z
        .string()
        .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"')
        .meta(fieldKind('workflow'))
        .describe(
          'The id of the other workflow: one of the server, or for a file on the command line one beside it. Workflows may call each other 8 deep, and never in a circle. A run uses it as it was when the run was accepted.',
        ),
      row: slots.value().describe('The row to run it on: names with values.'),
      repeat: repeatSlot(slots, (inside) =>
        z
          .strictObject({ row: inside.value().describe('The next row.') })
          .describe('What changes in the next call. Without it, the same row is used again.'),
      )
        .exactOptional()
        .describe('Runs the other workflow again and again, as [http nodes](#pages-and-jobs) make calls.'),
    }),
  action: { kind: 'workflow', target: ({ workflow }) => ({ workflowId: workflow }) },
});
