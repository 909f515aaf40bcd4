// Rules for the fields of outputs in a test: what the value of a field must be like, in each row and over all rows.
// Author code (`that`, `matches`, scores) is only collected here; the test bench evaluates it in a row worker.
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { findMismatch } from '../json-schema/find-mismatch.ts';
import { isSameValue } from './find-differences.ts';

/** Rules that all hold for one field. A row without an output is left out. */
type OutputRule = {
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

type Range = readonly [min: number, max: number];

/** By field, such as `score` or `address.city`, in the order of the file. */
export type OutputRules = readonly (readonly [field: string, rule: OutputRule])[];

/** How each row gets a score: by an expression, or by the workflow with this id. */
export type Scoring = ({ readonly expression: string } | { readonly workflow: string }) & {
  readonly atLeast: number;
  /** Share of the rows that must have such a score, from 0 to 1. */
  readonly share: number;
};

/** A rule that did not hold. */
export type BrokenRule = {
  /** Index of the row, from 0; absent for a rule over all rows. */
  readonly row?: number;
  readonly field: string;
  readonly rule: string;
  readonly found: string;
};

/** Code to evaluate for each row; the field whose value it is about, if it is about one. */
export type RowCheck = { readonly code: string; readonly field?: string };

/** Result of a check in one row: true, false or a score; or why there is none. */
export type CheckResult = { readonly result?: JsonValue; readonly error?: string };

type Rows = readonly (readonly [index: number, output: JsonObject])[];

/** The rows that have an output. */
const rowsWithOutput = (outputs: readonly JsonValue[]): Rows =>
  outputs.flatMap((output, index) => (isJsonObject(output) ? [[index, output] as const] : []));

/** Checks of the rules, in an order that `brokenOutputRules` expects. */
export const checksOfFields = (rules: OutputRules): readonly RowCheck[] =>
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

/** @param resultsOf results of `checksOfFields` in a row, by the index of the row */
export function brokenOutputRules(
  rules: OutputRules,
  outputs: readonly JsonValue[],
  resultsOf: (row: number) => readonly CheckResult[],
): BrokenRule[] {
  const rows = rowsWithOutput(outputs);
  let next = 0;
  return rules.flatMap(([field, rule]) => {
    const first = next;
    const evaluated = [rule.matches && `matches ${rule.matches}`, rule.that && `that ${rule.that}`].filter(
      (text) => text !== undefined,
    );
    next += evaluated.length;
    const inRows = rows.flatMap(([row, output]) => {
      const value = fieldValue(output, field);
      const broken = [
        ...plainRules(rule, value),
        ...evaluated.flatMap((text, index) => brokenCheck(text, value, resultsOf(row)[first + index])),
      ];
      return broken.map((each) => ({ row, field, ...each }));
    });
    return [...inRows, ...overAll(rule, field, rows).map((each) => ({ field, ...each }))];
  });
}

type Broken = Pick<BrokenRule, 'rule' | 'found'>;

function brokenCheck(rule: string, value: JsonValue | undefined, checked: CheckResult | undefined): Broken[] {
  if (checked?.error !== undefined) return [{ rule, found: `${shown(value)} (${checked.error})` }];
  return checked?.result === true ? [] : [{ rule, found: shown(value) }];
}

function plainRules({ between, oneOf, schema, notNull }: OutputRule, value: JsonValue | undefined): Broken[] {
  const broken: Broken[] = [];
  const add = (rule: string, found = shown(value)): unknown => broken.push({ rule, found });
  if (notNull === true && (value === undefined || value === null)) add('not null');
  if (between !== undefined && !(typeof value === 'number' && isWithin(value, between)))
    add(`between ${between[0]} and ${between[1]}`);
  if (oneOf?.some((each) => isSameValue(each, value)) === false) add(`one of ${oneOf.map(shown).join(', ')}`);
  const mismatch = schema === undefined ? undefined : findMismatch(schema, value ?? null, 'it');
  if (mismatch !== undefined) add('as its schema says', `${shown(value)}: ${mismatch}`);
  return broken;
}

function overAll({ unique, share }: OutputRule, field: string, rows: Rows): Broken[] {
  const values = rows.map(([row, output]) => ({ row, value: fieldValue(output, field) ?? null }));
  const broken: Broken[] = [];
  if (unique === true) {
    const numbers = new Map<string, number[]>();
    for (const { row, value } of values) {
      const text = JSON.stringify(value);
      numbers.set(text, [...(numbers.get(text) ?? []), row + 1]);
    }
    const [twice] = [...numbers].filter(([, found]) => found.length > 1);
    if (twice !== undefined)
      broken.push({ rule: 'unique', found: `${shortened(twice[0])} in ${rowList(twice[1])}` });
  }
  if (share !== undefined) {
    const count = values.filter(({ value }) => isSameValue(share.of, value)).length;
    const part = values.length === 0 ? 0 : count / values.length;
    if (!isWithin(part, share.between)) {
      const [min, max] = share.between.map(percent);
      broken.push({
        rule: `${shown(share.of)} in ${min} to ${max} of the rows`,
        found: `${count} of ${values.length} rows (${percent(part)})`,
      });
    }
  }
  return broken;
}

/** @param scoreOf score of a row, or why there is none */
export function brokenScores(
  { atLeast, share }: Scoring,
  outputs: readonly JsonValue[],
  scoreOf: (row: number) => CheckResult,
): BrokenRule[] {
  const rows = rowsWithOutput(outputs);
  const low = rows.flatMap(([row]) => {
    const { result, error } = scoreOf(row);
    if (typeof result === 'number' && result >= atLeast) return [];
    return [{ row, found: error ?? (typeof result === 'number' ? `a score of ${result}` : 'no score') }];
  });
  if (share === 1)
    return low.map((each) => ({ ...each, field: 'score', rule: `a score of at least ${atLeast}` }));
  const part = rows.length === 0 ? 1 : (rows.length - low.length) / rows.length;
  if (part >= share) return [];
  const numbers = low.map(({ row }) => row + 1);
  return [
    {
      field: 'score',
      rule: `a score of at least ${atLeast} in ${percent(share)} of the rows`,
      found: `${rows.length - low.length} of ${rows.length} rows (${percent(part)}); not in ${rowList(numbers)}`,
    },
  ];
}

/** The value of a field of an output; a name with dots is looked for before a path. */
export function fieldValue(output: JsonValue, field: string): JsonValue | undefined {
  if (typeof output !== 'object' || output === null) return undefined;
  if (Object.hasOwn(output, field)) return (output as JsonObject)[field];
  const dot = field.indexOf('.');
  const inner = dot < 0 ? undefined : fieldValue(output, field.slice(0, dot));
  return inner === undefined ? undefined : fieldValue(inner, field.slice(dot + 1));
}

const isWithin = (value: number, [min, max]: Range): boolean => value >= min && value <= max;

const percent = (part: number): string => `${Math.round(part * 1000) / 10} %`;

const maxShown = 80;
const shortened = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);
const shown = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : shortened(JSON.stringify(value));

const maxRowsListed = 10;

function rowList(numbers: readonly number[]): string {
  const more = numbers.length > maxRowsListed ? ` and ${numbers.length - maxRowsListed} more` : '';
  return `row${numbers.length === 1 ? '' : 's'} ${numbers.slice(0, maxRowsListed).join(', ')}${more}`;
}
