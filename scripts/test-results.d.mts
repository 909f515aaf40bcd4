/** One test, or a failure beside tests. */
export interface TestResult {
  readonly where: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly isTest: boolean;
  /** The first lines of the reason of a failure. */
  readonly why?: string;
  /** Absent if the failure is of no file. */
  readonly file?: string;
  readonly line?: number;
  /** It failed, and passed in a second run. */
  readonly isUnsteady?: boolean;
}

/** Results of vitest's JSON report: its tests, and each file that did not load or end well. */
export function resultsOfVitest(report: unknown): TestResult[];

/** Results of Playwright's JSON report: its tests, and what failed outside of them. */
export function resultsOfPlaywright(report: unknown): TestResult[];

/** A failure that no file of tests stands for: of a check, of the build, of a tool. */
export function failureBesideTests(where: string, message?: string): TestResult;

export function hasFailed(result: TestResult): boolean;

/** The last lines of a run, which name what failed and count the tests, and whether the run went well. */
export function summaryOf(results: readonly TestResult[]): { isOk: boolean; text: string };
