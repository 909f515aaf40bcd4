/** A failed test or file, and the first lines of the reason. */
export interface Failure {
  readonly where: string;
  readonly why: string;
}

/** Each failed test of vitest's JSON report, and each file of it that did not load. */
export function failuresOfVitest(report: unknown): Failure[];

/** Each failed test of Playwright's JSON report, and what failed outside of tests. */
export function failuresOfPlaywright(report: unknown): Failure[];
