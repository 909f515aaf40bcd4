// Tests of workflows, as services answer and as pages and the command line see them.
import type { JsonObject } from '../../base/json-value.ts';
import type { RunMode } from '../run/run-mode.ts';
import type { MockChoice } from '../workflow/choose-mocks.ts';
import type { Issue } from '../workflow/issue.ts';
import type { TestScores } from './rule-counts.ts';
import type { ReportLine } from './describe-differences.ts';

/** A tests file beside the workflow. */
export type TestsFileView = {
  readonly file: string;
  /** Without its folder. */
  readonly name: string;
  /** Any of them keeps its tests from being run. */
  readonly issues: readonly Issue[];
  readonly tests: readonly {
    readonly name: string;
    readonly line: number;
    /** The cassette that it names. */
    readonly cassette?: string;
    /** The faults that it runs with, as text. */
    readonly scenario?: string;
  }[];
};

export type WorkflowTests = { readonly files: readonly TestsFileView[] };

export type TestResultView = {
  readonly name: string;
  readonly line: number;
  /** `broken`: it could not be run. */
  readonly status: 'passed' | 'failed' | 'broken';
  readonly ms: number;
  /** Expected and actual results, or why the test could not be run. */
  readonly lines: readonly ReportLine[];
  /** The first row that is not as expected, from 1; absent: all are, or it is not known. */
  readonly row?: number;
  /** Scores of its rows; absent: it has no score. */
  readonly scores?: TestScores;
  /** True if it needs recorded answers that it does not have. */
  readonly needsRecording?: true;
  /** True if it can expect what came in place of what it expects. */
  readonly isUpdatable?: true;
};

export type TestedFileView = Omit<TestsFileView, 'tests'> & { readonly results: readonly TestResultView[] };

/** A file that cannot be run counts as one failed test. */
export type TestsRunView = {
  readonly files: readonly TestedFileView[];
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
};

/** `results` has no result of a test that was not run. Each issue names the file that it is in. */
export type DraftTestedFileView = TestsFileView & {
  readonly results: readonly TestResultView[];
  readonly issues: readonly (Issue & { readonly file: string })[];
};

export type DraftTestsView = {
  readonly files: readonly DraftTestedFileView[];
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
  /** True: the tests took too long; there may be some that were not run. */
  readonly isStopped?: true;
  /** True: a newer request came; nothing else is meant. */
  readonly superseded?: true;
};

/** The texts of a window's files in which tests expect what came. */
export type UpdatedTests = { readonly files: readonly { readonly name: string; readonly text: string }[] };

/** A test that ran with calls to services, whose answers were recorded. */
export type RecordedTest = {
  readonly result: TestResultView;
  /** Name of the cassette. */
  readonly cassette: string;
  /** Number of calls whose answers are new in the cassette. */
  readonly calls: number;
  /** Number of requests that got different answers. */
  readonly differingRequests: number;
};

/** Number of a workflow's test rows. */
export type TestRowsView = { readonly total: number };

/** Some rows of a test, and what the preview needs to run them as the test does. */
export type DraftTestRowsView = {
  readonly rows: readonly JsonObject[];
  /** Number of the first of them in the test, from 1. */
  readonly firstRow: number;
  readonly mocks: MockChoice;
};

type FixtureRowView = {
  readonly row: number;
  /** JSON of an object. */
  readonly input: string;
  /** JSON of an object; absent for a row without one. */
  readonly output?: string;
};

/** Rows of a run that has ended with what came of them, for a test. */
export type RunFixtureView = {
  readonly runId: string;
  readonly workflowId: string;
  /** Absent where no file of the workflow is known. */
  readonly file?: string;
  /** True if the file still has the text that the run was accepted with. */
  readonly isFileAsRun: boolean;
  readonly status: 'completed' | 'failed';
  /** Error message of a failed run. */
  readonly error?: string;
  /** Why a failed run failed, if that was a row. */
  readonly failure?: { readonly row: number; readonly message: string };
  /** The name of a mock by the node that it stood in for. */
  readonly mocks: Readonly<Record<string, string>>;
  readonly mode: RunMode;
  readonly scenario?: string;
  /** True if nodes without a mock make calls. */
  readonly reachesOut: boolean;
  readonly rows: readonly FixtureRowView[];
  /** Absent where no file of the workflow is known, for those who may not save tests, and if the tests cannot be read. */
  readonly newTest?: NewTestView;
};

/** Facts about a test that is not written yet. */
export type NewTestView = {
  /** No test of the workflow has this name. */
  readonly name: string;
  /** A test of the same rows; `file` is without its folder. */
  readonly sameTest?: { readonly file: string; readonly name: string; readonly line: number };
};

/** A test that was made of a run. */
export type SavedTestView = {
  /** The tests file. */
  readonly file: string;
  readonly name: string;
  readonly rows: number;
  /** Cassette that the test names and that has not been recorded; then the test was not run. */
  readonly missingCassette?: string;
  readonly result?: TestResultView;
};
