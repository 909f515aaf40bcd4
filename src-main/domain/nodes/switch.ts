import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json-value.ts';
import { counted } from '../format.ts';
import { defineNodeType } from './node-type.ts';

export const switchNode = defineNodeType({
  type: 'switch',
  title: 'Switch',
  summary: 'Takes the value of the first case that holds.',
  value: 'the value of that case, else the default, else none',
  example: `- id: queue
  type: switch
  cases:
    - { when: row.total > 1000, value: large }
    - { when: row.total > 100, value: medium }
  default: small`,
  intents: [
    {
      title: 'Choose a value',
      keywords: 'switch case match route pick',
      newKeys: { cases: [{ when: true, value: '' }] },
    },
  ],
  mainKeys: ['cases'],
  faultSearch: () => 'name',
  samples: ({ cases, default: other }, { sampleOf }) => [
    ...(Array.isArray(cases) ? (cases as readonly JsonValue[]) : []).map((each) =>
      sampleOf(isJsonObject(each) ? each['value'] : undefined),
    ),
    sampleOf(other),
  ],
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: false,
  card: ({ cases = [] }) => (Array.isArray(cases) && cases.length > 0 ? counted(cases.length, 'case') : ''),
  config: (slots) =>
    z.strictObject({
      cases: z
        .array(
          z.strictObject({
            when: slots.expression().describe('The case is taken when this expression holds.'),
            value: slots.value().describe('The value of the node, then.'),
          }),
        )
        .min(1)
        .describe('Tried from top to bottom.'),
      default: slots.value().exactOptional().describe('The value when no case holds. Without it: none.'),
    }),
  action: null,
});
