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

/** Something that is not as expected; for `rows` and `trace` the path begins with the row's place, from 0. */
export type Difference = ValueDifference & { readonly what: 'status' | 'error' | 'rows' | 'trace' };

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

const compareRows = ({ rows, contains }: LoadedExpectation, outputs: readonly JsonValue[]): Difference[] =>
  rows === undefined
    ? []
    : findDifferences(rows, outputs, contains).map((difference) => ({ what: 'rows', ...difference }));

const compareError = (expected: string | undefined, actual: string): Difference[] =>
  expected === undefined || actual.includes(expected) ? [] : [{ what: 'error', path: [], expected, actual }];
