// Checks one row of a test: the differences from the expected row, the rules that it breaks, and the values that rules
// over all rows count. Who calls: the row worker that checks outputs (executor/worker/nodes/row-checks.ts); the test
// bench itself for small outputs without rules.
// INVARIANT: findings are small, whatever the row: the server reads them in its main thread.
import { isJsonObject, sortedJson, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { rowDifferences } from './compare-outcome.ts';
import type { LoadedExpectation } from './test-case.ts';
import {
  brokenRules,
  fieldValue,
  maxErrorLength,
  type BrokenRule,
  type CheckResult,
  type OutputRules,
} from './field-rules.ts';
import { isSameValue, type ValueDifference } from './find-differences.ts';
import { jsonBeginning, shortened } from './shown-value.ts';

/** Checks of a test in each row, as data. */
export type RowChecks = {
  readonly fields: OutputRules;
  /** Null: outputs are not compared with rows. */
  readonly comparison: Pick<LoadedExpectation, 'contains' | 'ignore' | 'tolerance'> | null;
  /** True if the last result of author code is the score of the row. */
  readonly hasScore: boolean;
};

/** A row with its output (null: none) and the expected one. A key that is absent: there is no such row. */
export type CheckedRow = {
  readonly row?: JsonObject;
  readonly output?: JsonValue;
  readonly expected?: JsonValue;
};

/** A difference from the expected row. Values that are too large for a report are texts, around where they part. */
type RowDifference = ValueDifference & { readonly rule?: string; readonly found?: string };

/** A value that a rule over all rows counts. */
type CountedValue = {
  /** Index of the field in the rules. */
  readonly field: number;
  /** For `unique`: a text that only equal values have. */
  readonly text?: string;
  /** For `share`: true if the row has its value. */
  readonly isShared?: boolean;
};

export type RowFindings = {
  /** Paths begin inside the row. */
  readonly differences: readonly RowDifference[];
  readonly broken: readonly BrokenRule[];
  /** Differences and broken rules that are not listed. */
  readonly moreDifferences: number;
  readonly moreBroken: number;
  readonly counted: readonly CountedValue[];
  readonly score?: CheckResult;
};

/** Maximum differences, and maximum broken rules, that a row lists: a report shows no more in total. */
export const maxListed = 20;

/** @param digest hash of a text: a value that is too long to be kept is counted by it */
export function checkRow(
  { fields, comparison, hasScore }: RowChecks,
  { output, expected }: CheckedRow,
  {
    results,
    digest,
  }: { readonly results: readonly CheckResult[]; readonly digest: (text: string) => string },
): RowFindings {
  const compared = limited(comparison === null ? [] : rowDifferences({ expected, output }, comparison));
  const rules = limited(isJsonObject(output) ? brokenRules(fields, output, results) : []);
  return {
    differences: compared.listed.map(shortDifference),
    moreDifferences: compared.more,
    broken: rules.listed,
    moreBroken: rules.more,
    counted: isJsonObject(output) ? countedValues(fields, output, digest) : [],
    ...(hasScore && isJsonObject(output) ? { score: shortResult(results.at(-1)) } : {}),
  };
}

function limited<Item>(items: Iterable<Item>): { readonly listed: readonly Item[]; readonly more: number } {
  const listed: Item[] = [];
  let more = 0;
  for (const item of items)
    if (listed.length < maxListed) listed.push(item);
    else more += 1;
  return { listed, more };
}

const shortResult = ({ result, error }: CheckResult = {}): CheckResult =>
  error === undefined
    ? { result: typeof result === 'number' ? result : null }
    : { error: shortened(error, maxErrorLength) };

function countedValues(
  fields: OutputRules,
  output: JsonObject,
  digest: (text: string) => string,
): CountedValue[] {
  return fields.flatMap(([name, { unique, share }], field) => {
    if (unique === undefined && share === undefined) return [];
    const value = fieldValue(output, name) ?? null;
    return {
      field,
      ...(unique === undefined ? {} : { text: textOfEqual(value, digest) }),
      ...(share === undefined ? {} : { isShared: isSameValue(share.of, value) }),
    };
  });
}

/** Maximum characters of a counted value; of a longer one only this beginning and a hash are kept. */
export const maxTextLength = 80;

function textOfEqual(value: JsonValue, digest: (text: string) => string): string {
  const text = sortedJson(value);
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}… ${digest(text)}`;
}

/** Maximum characters of a value in a difference; of a larger one a report has an excerpt. */
export const maxValueLength = 2_000;
const excerptLength = 160;
const shownBefore = 40;

function shortDifference({ path, ...values }: ValueDifference): RowDifference {
  const { expected, actual } = values;
  const isShort = [expected, actual].every(
    (value) => value === undefined || jsonBeginning(value, maxValueLength).length <= maxValueLength,
  );
  if (isShort) return { path: shortPath(path), ...values };
  const start = Math.max(0, firstDifference(expected, actual) - shownBefore);
  const [rule, found] = [expected, actual].map((value) => excerpt(value, start));
  return {
    path: shortPath(path),
    ...(rule === undefined ? {} : { rule }),
    ...(found === undefined ? {} : { found }),
  };
}

/** Where two long texts part; 0 for other values, whose beginnings differ. */
function firstDifference(one: JsonValue | undefined, other: JsonValue | undefined): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function excerpt(value: JsonValue | undefined, start: number): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return shortened(jsonBeginning(value, excerptLength), excerptLength);
  const cut = JSON.stringify(value.slice(start, start + excerptLength));
  return `${start > 0 ? '…' : ''}${cut}${start + excerptLength < value.length ? '…' : ''}`;
}

/** Maximum steps of a path in a report, and maximum characters of a step. */
export const maxSteps = 50;
export const maxStepLength = 100;

const shortPath = (path: readonly PathStep[]): readonly PathStep[] =>
  [...path.slice(0, maxSteps), ...(path.length > maxSteps ? ['…'] : [])].map((step) =>
    typeof step === 'string' ? shortened(step, maxStepLength) : step,
  );
