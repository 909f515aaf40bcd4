import type { TestResult } from './test-results.mjs';

/** Failed results that run a second time: none if another part failed, or if there are too many. */
export function resultsToRunAgain(results: readonly TestResult[]): TestResult[];

/** Results of all runs. */
export function resultsAfterSecondRun(
  first: readonly TestResult[],
  second: readonly TestResult[],
): TestResult[];
