// Checks the findings that a row worker sends: a worker that author code has taken over could send any. The server
// reads them in its main thread, and describes each broken rule by the test's own rules.
// Who calls: executor/run/check-claims.ts, which ends a worker that sends other findings.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import {
  maxListed,
  maxSteps,
  maxStepLength,
  maxTextLength,
  maxValueLength,
  type RowChecks,
  type RowFindings,
} from './check-row.ts';
import { maxErrorLength, type OutputRules } from './field-rules.ts';
import { jsonBeginning } from './shown-value.ts';

/** Maximum bytes of a row's findings: 20 differences with long paths and values, 20 broken rules; and a value of each field. */
export const maxFindingsBytes = ({ fields }: RowChecks): number => 2_000_000 + fields.length * 1_000;

/** Characters of an error or a value that was cut, with what a report puts around it. */
const maxFoundLength = 2 * maxErrorLength;
/** Characters of a hash in Base64, and of the mark before it. */
const hashLength = 50;
/** Maximum differences that a row can have: a row has at most 64 MB. */
const maxDifferences = 100_000_000;

const index = z.number().int().nonnegative();
const rowRules = ['notNull', 'between', 'oneOf', 'schema', 'matches', 'that'] as const;
const shortValue = z
  .unknown()
  .refine(
    (value) =>
      value === undefined || jsonBeginning(value as JsonValue, maxValueLength).length <= maxValueLength,
  );
const foundText = z.string().max(maxFoundLength);

const findingsSchema = z.strictObject({
  differences: z
    .strictObject({
      path: z.array(z.union([z.string().max(maxStepLength + 1), index])).max(maxSteps + 1),
      expected: shortValue.optional(),
      actual: shortValue.optional(),
      rule: foundText.optional(),
      found: foundText.optional(),
    })
    .array()
    .max(maxListed),
  moreDifferences: index.max(maxDifferences),
  broken: z
    .strictObject({ field: index, rule: z.enum(rowRules), found: foundText })
    .array()
    .max(maxListed),
  moreBroken: index,
  // Checked by `assertCounted`: a row may have one of each field.
  counted: z.array(z.unknown()),
  score: z
    .union([
      z.strictObject({ result: z.number().nullable() }),
      z.strictObject({ error: z.string().max(maxErrorLength + 1) }),
    ])
    .optional(),
});

/** Throws for findings of a row, as JSON, that `checkRow` never makes with these checks. */
export function assertFindings(text: string, checks: RowChecks): void {
  const { fields, comparison, hasScore } = checks;
  const findings = findingsSchema.parse(JSON.parse(text)) as RowFindings;
  const { differences, moreDifferences, moreBroken, score } = findings;
  if (comparison === null && differences.length + moreDifferences > 0)
    throw new RangeError('differences from no row');
  if (!hasScore && score !== undefined) throw new RangeError('a score that the test does not ask for');
  if (moreBroken > fields.length * rowRules.length)
    throw new RangeError('more broken rules than the test has');
  if (!findings.broken.every(({ field, rule }) => fields[field]?.[1][rule] !== undefined))
    throw new RangeError('a broken rule that the test does not have');
  assertCounted(findings.counted, fields);
}

/**
 * Throws if a counted value is malformed, belongs to no rule of its field, or is there twice. Without a schema, which takes
 * three times as long as reading the JSON of thousands of fields.
 */
function assertCounted(counted: readonly unknown[], fields: OutputRules): void {
  let last = -1;
  for (const value of counted) {
    if (!isJsonObject(value)) throw new RangeError('a counted value that is no object');
    const { field } = value;
    if (typeof field !== 'number' || !Number.isInteger(field) || field <= last)
      throw new RangeError('a counted value of no field, or one that is there twice');
    const { unique, share } = fields[field]?.[1] ?? {};
    if (!isAsRuled(value, unique !== undefined, share !== undefined))
      throw new RangeError('a counted value of another rule');
    last = field;
  }
}

const isAsRuled = ({ text, isShared, ...value }: JsonObject, isUnique: boolean, hasShare: boolean): boolean =>
  (isUnique || hasShare) &&
  (isUnique ? isCountedText(text) : text === undefined) &&
  (hasShare ? typeof isShared === 'boolean' : isShared === undefined) &&
  Object.keys(value).length === 1;

const isCountedText = (text: unknown): boolean =>
  typeof text === 'string' && text.length <= maxTextLength + hashLength;
