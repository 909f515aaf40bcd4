// Compares the outcome of a test's run with the expectation of the test. Pure. Who calls: the test runner.
import type { JsonValue } from '../../base/json-value.ts';
import { eachDifference, type ValueDifference } from './find-differences.ts';
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

/** Differences of the end of a run and of its traces, without those of its outputs. */
export function compareEnd(
  expect: LoadedExpectation,
  outcome: Pick<TestOutcome, 'status' | 'traces'> & { readonly error?: string },
): Difference[] {
  if (expect.status !== outcome.status) {
    const actual = outcome.error === undefined ? outcome.status : `failed: ${outcome.error}`;
    return [{ what: 'status', path: [], expected: expect.status, actual }];
  }
  const ofError = outcome.error === undefined ? [] : compareError(expect.error, outcome.error);
  const ofTrace = compareTrace(expect.trace ?? [], outcome.traces ?? []).map((difference): Difference => ({
    what: 'trace',
    ...difference,
  }));
  return [...ofError, ...ofTrace];
}

/** All differences of a run from its expectation; empty for a test that passed. */
export function compareOutcome(expect: LoadedExpectation, outcome: TestOutcome): Difference[] {
  const ofEnd = compareEnd(expect, outcome);
  const { rows } = expect;
  if (outcome.status === 'failed' || outcome.status !== expect.status || rows === undefined) return ofEnd;
  const { outputs } = outcome;
  const ofRows = Array.from({ length: Math.max(rows.length, outputs.length) }, (_, index) =>
    [...rowDifferences({ expected: rows[index], output: outputs[index] }, expect)].map(
      (difference): Difference => ({ what: 'rows', ...difference, path: [index, ...difference.path] }),
    ),
  );
  return [...ofRows.flat(), ...ofEnd];
}

/** Differences of one row, one by one. Undefined `expected`: no row is expected; undefined `output`: there is no such row. */
export function* rowDifferences(
  { expected, output }: { readonly expected: JsonValue | undefined; readonly output: JsonValue | undefined },
  { contains, ignore = [], tolerance = 0 }: Pick<LoadedExpectation, 'contains' | 'ignore' | 'tolerance'>,
): Generator<ValueDifference> {
  for (const difference of eachDifference(expected, output, contains))
    if (!isIgnored(difference, ignore) && !isClose(difference, tolerance)) yield difference;
}

function isIgnored({ path }: ValueDifference, ignore: readonly string[]): boolean {
  if (ignore.length === 0) return false;
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
