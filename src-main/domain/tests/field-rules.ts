// Rules for the fields of outputs in a test, and which of them the output of one row breaks.
// Author code (`that`, `matches`, scores) is only collected here; a row worker evaluates it.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { findMismatch } from '../json-schema/find-mismatch.ts';
import { isOneOf } from './find-differences.ts';
import { shortened, shown, shownList } from './shown-value.ts';

/** Rules that all hold for one field. A row without an output is left out. */
export type OutputRule = {
  readonly matches?: string;
  readonly between?: Range;
  readonly oneOf?: readonly JsonValue[];
  readonly schema?: JsonObject;
  /** Source of an expression of `value`, `row` and `output`. */
  readonly that?: string;
  readonly notNull?: true;
  readonly unique?: true;
  readonly share?: { readonly of: JsonValue; readonly between: Range };
};

export type Range = readonly [min: number, max: number];

/** By field, such as `score` or `address.city`, in the order of the file. */
export type OutputRules = readonly (readonly [field: string, rule: OutputRule])[];

/** How each row gets a score: by an expression, or by the workflow with this id. */
export type Scoring = ({ readonly expression: string } | { readonly workflow: string }) & {
  readonly atLeast: number;
  /** Share of the rows that must have such a score, from 0 to 1. */
  readonly share: number;
};

/** Rules that one row can break alone. */
type RowRule = Exclude<keyof OutputRule, 'unique' | 'share'>;

/** A rule that did not hold in a row. */
export type BrokenRule = {
  /** Index of the field in the rules. */
  readonly field: number;
  readonly rule: RowRule;
  /** Text about the value, short whatever the value is. */
  readonly found: string;
};

/** Code to evaluate for each row; the field whose value it is about, if it is about one. */
export type CodeCheck = { readonly code: string; readonly field?: string };

/** Result of a check in one row: true, false or a score; or why there is none. */
export type CheckResult = { readonly result?: JsonValue; readonly error?: string };

/** Author code in the rules, in an order that `brokenRules` expects. */
export const codeChecks = (rules: OutputRules): readonly CodeCheck[] =>
  rules.flatMap(([field, { matches, that }]) => [
    ...(matches === undefined
      ? []
      : [
          {
            field,
            code: `typeof value === 'string' && new RegExp(${JSON.stringify(matches)}, 'u').test(value)`,
          },
        ]),
    ...(that === undefined ? [] : [{ field, code: that }]),
  ]);

/** The rules that the output of a row breaks. @param results results of `codeChecks` in that row */
export function* brokenRules(
  rules: OutputRules,
  output: JsonObject,
  results: readonly CheckResult[],
): Generator<BrokenRule> {
  let next = 0;
  for (const [field, [name, rule]] of rules.entries()) {
    const value = fieldValue(output, name);
    for (const broken of brokenByValue(rule, value)) yield { field, ...broken };
    for (const key of ['matches', 'that'] as const) {
      if (rule[key] === undefined) continue;
      const found = foundByCode(value, results[next++]);
      if (found !== undefined) yield { field, rule: key, found };
    }
  }
}

function foundByCode(value: JsonValue | undefined, checked: CheckResult | undefined): string | undefined {
  if (checked?.error !== undefined) return `${shown(value)} (${shortened(checked.error, maxErrorLength)})`;
  return checked?.result === true ? undefined : shown(value);
}

/** Maximum characters of an error of author code in a report. */
export const maxErrorLength = 500;

function* brokenByValue(
  { between, oneOf, schema, notNull }: OutputRule,
  value: JsonValue | undefined,
): Generator<Omit<BrokenRule, 'field'>> {
  if (notNull === true && (value === undefined || value === null))
    yield { rule: 'notNull', found: shown(value) };
  if (between !== undefined && !(typeof value === 'number' && isWithin(value, between)))
    yield { rule: 'between', found: shown(value) };
  if (oneOf !== undefined && !isOneOf(oneOf, value)) yield { rule: 'oneOf', found: shown(value) };
  const mismatch = schema === undefined ? undefined : findMismatch(schema, value ?? null, 'it');
  if (mismatch !== undefined)
    yield { rule: 'schema', found: `${shown(value)}: ${shortened(mismatch, maxErrorLength)}` };
}

/** A rule as a report names it. */
export function describeRule(rule: OutputRule, name: RowRule): string {
  const { between = [0, 0], oneOf = [], matches = '', that = '' } = rule;
  switch (name) {
    case 'notNull':
      return 'not null';
    case 'between':
      return `between ${between[0]} and ${between[1]}`;
    case 'oneOf':
      return `one of ${shownList(oneOf)}`;
    case 'schema':
      return 'as its schema says';
    case 'matches':
      return `matches ${shortened(matches, maxErrorLength)}`;
    case 'that':
      return `that ${shortened(that, maxErrorLength)}`;
  }
}

export const isWithin = (value: number, [min, max]: Range): boolean => value >= min && value <= max;

/** The value of a field of an output; a name with dots is looked for before a path. */
export function fieldValue(output: JsonValue, field: string): JsonValue | undefined {
  if (!isJsonObject(output) && !Array.isArray(output)) return undefined;
  if (Object.hasOwn(output, field)) return (output as JsonObject)[field];
  const dot = field.indexOf('.');
  const inner = dot < 0 ? undefined : fieldValue(output, field.slice(0, dot));
  return inner === undefined ? undefined : fieldValue(inner, field.slice(dot + 1));
}
