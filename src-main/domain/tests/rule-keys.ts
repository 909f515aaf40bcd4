// The schema of rules in a tests file: what fields must be like, and the score of rows.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { parseExpression } from '../expressions/parse-expression.ts';
import { checkSchema } from '../json-schema/check-schema.ts';
import { refuse } from '../nodes/slot-problems.ts';
import { workflowIdPattern } from '../workflow/workflow-keys.ts';
import type { OutputRules, Scoring } from './field-rules.ts';

const json = z.unknown().transform((value) => value as JsonValue);
const share = z.number().min(0).max(1);

const range = (of: z.ZodNumber) =>
  z
    .tuple([of, of])
    .refine(([min, max]) => min <= max, 'The first number must not be greater than the second');

/** Names that an expression about a row may use. */
const checkNames = { names: ['value', 'row', 'output'] };

const checked = (names: readonly string[]) =>
  z.string().transform((text, context) => {
    const source = text.startsWith('=') ? text.slice(1) : text;
    const parsed = parseExpression(source, { names });
    return parsed.ok ? source : refuse(context, parsed.problems);
  });

const pattern = z.string().refine(isPattern, 'This is not a regular expression');

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** A slow pattern would block the server; `matches` is evaluated in a row worker. */
const schema = z
  .unknown()
  .transform((value, context): JsonObject => {
    const problems = checkSchema(value as JsonValue);
    if (problems.length > 0) return refuse(context, problems);
    if (hasPattern(value as JsonObject))
      return refuse(context, [{ message: 'A schema in a test has no "pattern": use the rule "matches"' }]);
    return value as JsonObject;
  })
  .meta({ type: 'object', additionalProperties: true });

function hasPattern({ pattern: own, properties, items, additionalProperties, anyOf }: JsonObject): boolean {
  const inner = [
    items,
    additionalProperties,
    ...(isJsonObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(anyOf) ? (anyOf as readonly JsonValue[]) : []),
  ];
  return own !== undefined || inner.some((each) => isJsonObject(each) && hasPattern(each));
}

const rule = z
  .strictObject({
    matches: pattern.exactOptional().describe('A regular expression that the text matches.'),
    between: range(z.number()).exactOptional().describe('The smallest and the largest number.'),
    oneOf: z.array(json).min(1).exactOptional().describe('All values that it may have.'),
    schema: schema.exactOptional().describe('A JSON Schema that the value fits.'),
    that: checked(checkNames.names)
      .exactOptional()
      .describe('An expression of `value`, `row` and `output` that is true.'),
    notNull: z.literal(true).exactOptional().describe('Each output has a value other than null.'),
    unique: z.literal(true).exactOptional().describe('No two rows have the same value.'),
    share: z
      .strictObject({
        of: json.describe('The value to count.'),
        between: range(share).describe('Smallest and largest share of the rows, from 0 to 1.'),
      })
      .exactOptional()
      .describe('How many rows have a certain value.'),
  })
  .refine((rules) => Object.keys(rules).length > 0, 'Expected a rule, such as "between"');

/** Pairs, because a field may be called `__proto__`. */
export const outputRules = z
  .record(z.string(), rule)
  .refine((rules) => Object.keys(rules).length > 0, 'Expected a field with its rules')
  .transform((rules) => Object.entries(rules) as OutputRules)
  .describe('Rules for fields of the outputs, by name, or by path such as `address.city`.');

const scoreBounds = {
  atLeast: z.number().describe('The smallest score that is good.'),
  share: z
    .number()
    .positive()
    .max(1)
    .default(1)
    .describe('Share of the rows that have such a score. Default: 1, all.'),
};

export const scoring = z
  .union([
    z.strictObject({
      expression: checked(['row', 'output']).describe(
        'An expression of `row` and `output` that gives the score.',
      ),
      ...scoreBounds,
    }),
    z.strictObject({
      workflow: z
        .string()
        .regex(workflowIdPattern, 'Expected the id of a workflow')
        .describe('A workflow that takes rows with `row` and `output`, and gives an output with `score`.'),
      ...scoreBounds,
    }),
  ])
  .transform((value) => value as Scoring)
  .describe('Gives each row with an output a score.');
