import { z } from 'zod';
import { initialValue } from './field-kind.ts';
import { isJsonObject } from '../../base/json-value.ts';
import { invariant } from '../../base/invariant.ts';
import { entriesInOrder } from '../rows/name-order.ts';
import { defineNodeType, cardNames } from './node-type.ts';
import { rowsSource } from './rows-source.ts';
import { refuse } from './slot-problems.ts';
import { wording } from './wording.ts';

const fieldTypes = ['string', 'number', 'boolean', 'array', 'object', 'any'] as const;

const fieldSpec = z.strictObject({
  type: z.enum(fieldTypes).default('any').describe('What the field holds. Default: any.'),
  required: z.boolean().default(false).describe('Whether a row without this field fails. Default: false.'),
  description: z.string().exactOptional().describe('Shown beside the field in the row form.'),
});
export type FieldSpec = z.output<typeof fieldSpec>;

export const inputNode = defineNodeType({
  type: 'input',
  title: 'Input',
  summary: 'Where each row comes in. Every workflow has exactly one.',
  value: 'the row',
  example: `- id: input
  type: input
  fields:
    email: { type: string, required: true }
    tags: { type: array }
  testRows: leads.rows.json`,
  intents: [{ title: 'Input', keywords: 'rows fields start', newKeys: {} }],
  mainKeys: ['fields'],
  faultSearch: () => 'name',
  samples: (_, { rows }) => rows(),
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: true,
  card: ({ fields }) => cardNames(fields) || 'any row',
  without: ['when', 'each', 'concurrency', 'retry', 'timeout', 'onError', 'after', 'mock'],
  config: () =>
    z.strictObject({
      fields: entriesSlot(fieldSpec)
        .exactOptional()
        .describe(
          'The fields of a row. The row form shows them, and each row is checked against them when it runs.',
        ),
      testRows: rowsSource
        .exactOptional()
        .meta(initialValue([]))
        .describe(
          'Rows for trying the workflow out: a file beside it, such as `orders.csv` or `{ file: orders.csv, header: 3 }`, or a list.',
        ),
    }),
  action: null,
});

/** Names with anything, each checked by one schema, in the order of the file. Pairs: a name may be `__proto__`. */
function entriesSlot<T extends z.ZodType>(
  each: T,
): z.ZodType<readonly (readonly [name: string, entry: z.output<T>])[]> {
  const { $schema, ...additionalProperties } = z.toJSONSchema(each, { io: 'input' });
  invariant($schema !== undefined, 'a generated schema names its dialect, which has no place in the middle');
  return z
    .unknown()
    .transform((json, context) => {
      if (!isJsonObject(json)) return refuse(context, [{ message: 'Expected names with values' }]);
      return entriesInOrder(json).flatMap(([name, value]) => {
        const parsed = each.safeParse(value, { error: wording, jitless: true });
        if (parsed.success) return [[name, parsed.data] as const];
        for (const issue of parsed.error.issues) {
          context.issues.push({ ...issue, path: [name, ...issue.path], input: value } as z.core.$ZodRawIssue);
        }
        return [];
      });
    })
    .meta({ type: 'object', additionalProperties });
}
