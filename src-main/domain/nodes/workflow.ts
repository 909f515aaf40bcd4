import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { maxNodes, workflowIdPattern } from '../workflow/workflow-keys.ts';
import { fieldKind, initialValue } from './field-kind.ts';
import { defineNodeType, cardText } from './node-type.ts';
import { repeatSlot } from './repeat.ts';
import { shareSlot } from './share-slot.ts';

const isOutput = (node: JsonValue): node is JsonObject => isJsonObject(node) && node['type'] === 'output';

/** True for a node that has a body: `parseWorkflow` checks and parses its nodes. */
const bodySlot = z
  .array(z.unknown())
  .min(1)
  .max(maxNodes)
  .transform(() => true as const)
  .meta({
    items: { $ref: '#/properties/nodes/items' },
    ...initialValue([{ id: 'result', type: 'output', fields: {} }]),
    ...fieldKind('body'),
  });

export const workflowNode = defineNodeType({
  type: 'workflow',
  title: 'Workflow',
  summary:
    'Runs another workflow, or the nodes of its own body, on one row. They see nothing of this workflow but that row, and fail this node where they fail.',
  value: 'the output for the row of the other workflow, or of the body',
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
      summary: 'Runs the nodes of its body, which are the steps, for each item of a list.',
      keywords: 'loop for each iterate subworkflow body',
      newKeys: {
        each: '=row.items ?? []',
        row: { item: '=item' },
        nodes: [{ id: 'step', type: 'output', fields: { item: '=row.item' } }],
      },
    },
  ],
  mainKeys: ['workflow', 'nodes', 'row'],
  // Names in a failure of other nodes are theirs.
  faultSearch: (message) => (/^(?:workflow "|\w+, node ")/.test(message) ? 'key' : 'name'),
  // Names of the fields that a body gives.
  samples: ({ nodes }) => {
    const outputs = (Array.isArray(nodes) ? (nodes as readonly JsonValue[]) : []).filter(isOutput);
    const names = outputs.flatMap(({ fields }) => (isJsonObject(fields) ? Object.keys(fields) : []));
    return names.length === 0 ? [] : [Object.fromEntries(names.map((name) => [name, undefined]))];
  },
  mockTemplate: {},
  notes: `### A body of several nodes

In place of another workflow, the node can hold the nodes itself. They are a workflow whose text stands here:

\`\`\`yaml
- id: people
  type: workflow
  each: nodes.firm.body.people
  concurrency: 4
  row: { mail: =item.email }
  nodes:
    - { id: check, type: http, request: { url: 'https://verify.example/{{ row.mail }}' } }
    - { id: person, type: output, fields: { mail: =row.mail, valid: =nodes.check.body.valid } }
\`\`\`

- The nodes of a body read the \`row\` that the node gives them, each other, and \`vars\`. They see nothing else around them:
  put what they need into \`row\`. So their ids may be those of nodes around them.
- A body has no \`input\` node and at least one \`output\` node, whose fields are the value.
- All keys of the node apply as they do to a called workflow: \`each\` with \`concurrency\`, \`repeat\`, \`retry\`, \`timeout\`,
  \`onError\`. A run traces the node, not those in its body; a failure names both: \`people, node "check": …\`.
- \`--mocks\` and tests name the node itself. In mode \`mocks\`, the calls of a body answer from their first mock.
- A body has no body in it. Deeper loops, and steps that several workflows share, are a workflow of their own.`,
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ workflow, nodes }) =>
    Array.isArray(nodes)
      ? (nodes as readonly JsonValue[])
          .map((node) => (isJsonObject(node) ? cardText(node['id']) : ''))
          .join(', ')
      : cardText(workflow),
  config: (slots) =>
    z.strictObject({
      workflow: z
        .string()
        .regex(workflowIdPattern, 'A workflow id is 1 to 64 letters, digits, "_" and "-"')
        .meta({ ...initialValue('other-workflow'), ...fieldKind('workflow') })
        .exactOptional()
        .describe(
          'The id of the other workflow: one of the server, or for a file on the command line one beside it. Workflows may call each other 8 deep, and never in a circle. A run uses it as it was when the run was accepted.',
        ),
      nodes: bodySlot
        .exactOptional()
        .describe(
          'In place of `workflow`: the nodes of a [body](#a-body-of-several-nodes), at least one of them an `output`. They read the row as `row`, each other as `nodes.<id>`, and `vars`.',
        ),
      row: slots.value().describe('The row to run it on: names with values.'),
      share: shareSlot.exactOptional().meta({
        title: 'Share',
        description:
          '`run`: the same row is run once in a run, and all rows get its output. [More about it](upstream-calls.md#equal-calls-once-per-run).',
      }),
      repeat: repeatSlot(slots, (inside) =>
        z
          .strictObject({ row: inside.value().describe('The next row.') })
          .describe('What changes in the next call. Without it, the same row is used again.'),
      )
        .exactOptional()
        .meta({ title: 'Again while' })
        .describe('Runs the other workflow again and again, as [http nodes](#pages-and-jobs) make calls.'),
    }),
  action: {
    kind: 'workflow',
    target: ({ workflow }) => (workflow === undefined ? undefined : { workflowId: workflow }),
  },
});
