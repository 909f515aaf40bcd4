// Compares the outcome of a test's run with the expectation of the test. Pure. Who calls: the test runner.
import type { JsonValue } from '../../base/json-value.ts';
import { findDifferences, type ValueDifference } from './find-differences.ts';
import { compareTrace, type RowNodes } from './compare-trace.ts';
import type { LoadedExpectation } from './test-case.ts';

/** How a test's run ended. */
export type TestOutcome = {
  /** How the nodes ended in rows; kept where the test wants to know. */
  readonly traces?: readonly RowNodes[];
} & (
  | {
      readonly status: 'completed';
      /** In row order; null for a row without one. */
      readonly outputs: readonly JsonValue[];
    }
  | { readonly status: 'failed'; readonly error: string }
);

/**
 * Something that is not as expected. For `rows` and `trace` the path begins with the index of the row, from 0; for `fields`
 * too, but for a rule over all rows.
 */
export type Difference = ValueDifference & {
  readonly what: 'status' | 'error' | 'rows' | 'trace' | 'fields' | 'repeat';
  /** For `fields` and `repeat`, in place of values: what should be, and what is. */
  readonly rule?: string;
  readonly found?: string;
};

/** Empty for a test that passed. */
export function compareOutcome(expect: LoadedExpectation, outcome: TestOutcome): Difference[] {
  if (expect.status !== outcome.status) {
    const actual = outcome.status === 'failed' ? `failed: ${outcome.error}` : outcome.status;
    return [{ what: 'status', path: [], expected: expect.status, actual }];
  }
  const ofTrace = compareTrace(expect.trace ?? [], outcome.traces ?? []).map((difference): Difference => ({
    what: 'trace',
    ...difference,
  }));
  if (outcome.status === 'failed') return [...compareError(expect.error, outcome.error), ...ofTrace];
  return [...compareRows(expect, outcome.outputs), ...ofTrace];
}

function compareRows(
  { rows, contains, ignore = [], tolerance = 0 }: LoadedExpectation,
  outputs: readonly JsonValue[],
): Difference[] {
  if (rows === undefined) return [];
  return findDifferences(rows, outputs, contains)
    .filter((difference) => !isIgnored(difference, ignore) && !isClose(difference, tolerance))
    .map((difference) => ({ what: 'rows', ...difference }));
}

function isIgnored({ path: [, ...path] }: ValueDifference, ignore: readonly string[]): boolean {
  const field = path.filter((step) => typeof step === 'string').join('.');
  return ignore.some((each) => field === each || field.startsWith(`${each}.`));
}

const isClose = ({ expected, actual }: ValueDifference, tolerance: number): boolean =>
  typeof expected === 'number' &&
  typeof actual === 'number' &&
  // A difference of 0.01 is a little more in binary numbers.
  Math.abs(expected - actual) <= tolerance * (1 + 1e-9);

const compareError = (expected: string | undefined, actual: string): Difference[] =>
  expected === undefined || actual.includes(expected) ? [] : [{ what: 'error', path: [], expected, actual }];
