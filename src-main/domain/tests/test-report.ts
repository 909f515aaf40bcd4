// Results of tests as data, for reports as text, JSON and JUnit. Times are kept apart, so that equal tests
// have equal results.
import { count, counted } from '../format.ts';
import type { Issue } from '../workflow/issue.ts';
import type { Difference } from './compare-outcome.ts';
import type { ListedDifferences } from './rule-counts.ts';
import type { TestCase } from './test-case.ts';

export type TestResult = {
  readonly name: string;
  readonly line: number;
  /** The line of remarks about the file of its rows; absent: none. */
  readonly read?: string;
  /** Remarks about the files of tables, each with the place that names the table; absent: none. */
  readonly notes?: readonly string[];
} & (
  | { readonly status: 'passed' }
  | {
      readonly status: 'failed';
      readonly differences: readonly Difference[];
      /** Number of further differences; absent: these are all. */
      readonly more?: number;
    }
  /** It could not be run: `error` says why. */
  | { readonly status: 'broken'; readonly error: string }
);

export type FileReport = {
  readonly file: string;
  /** Issues that prevent the file's tests from running; each names the file that it is in. */
  readonly issues: readonly (Issue & { readonly file: string })[];
  readonly results: readonly TestResult[];
};

export type TestCounts = { readonly passed: number; readonly failed: number };

/** A file that cannot be run counts as one failed test. */
export function countTests(reports: readonly FileReport[]): TestCounts {
  let passed = 0;
  let failed = 0;
  for (const { issues, results } of reports) {
    const good = results.filter(({ status }) => status === 'passed').length;
    passed += good;
    failed += results.length - good + (issues.length > 0 ? 1 : 0);
  }
  return { passed, failed };
}

/** `4 tests passed, 1 failed`; `1 test failed` if none passed; `No test ran`. */
export function testCountsText({ passed, failed }: TestCounts): string {
  if (passed + failed === 0) return 'No test ran';
  const parts = [
    ...(passed > 0 ? [`${counted(passed, 'test')} passed`] : []),
    ...(failed > 0 ? [`${passed > 0 ? count(failed) : counted(failed, 'test')} failed`] : []),
  ];
  return parts.join(', ');
}

export const resultOf = (test: TestCase, { listed, more }: ListedDifferences): TestResult => {
  const { name, line } = test;
  if (listed.length === 0) return { name, line, status: 'passed' };
  return { name, line, status: 'failed', differences: listed, ...(more === 0 ? {} : { more }) };
};

/** Colour of the counts: nothing that ran is no success. */
export function testCountsColour({ passed, failed }: TestCounts): 'green' | 'red' | 'quiet' {
  if (failed > 0) return 'red';
  return passed > 0 ? 'green' : 'quiet';
}
