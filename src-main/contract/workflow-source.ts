// A workflow's file, as a page sees it: its text, the picture made of it, and its tests.
import type { ReportLine } from '../domain/tests/describe-differences.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import type { OutlineEdge, OutlineNode } from '../domain/workflow/outline.ts';

export type WorkflowSource = {
  readonly workflowId: string;
  readonly file: string;
  /** Tells this text from any other. */
  readonly hash: string;
  /** The beginning of a file that is too large to be a workflow. */
  readonly text: string;
  readonly isCut: boolean;
  /** The nodes of the workflow; for a file with errors, as many as can be made out. */
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  /** Edges left out, because a reader could not tell that many apart. */
  readonly edgesLeftOut: number;
  /** Those of the file, and those that show only beside others, such as a table that is not there. */
  readonly issues: readonly Issue[];
};

/** The recorded answers of a workflow's calls, as a file that tests and runs replay. */
export type CassetteView = {
  /** Name of the cassette in messages; the file of a data folder has its path there. */
  readonly name: string;
  /** Requests with recorded answers. */
  readonly entries: number;
  /** Text of the file, at most 50 MB. */
  readonly text: string;
};

/** A tests file beside the workflow. */
export type TestsFileView = {
  readonly file: string;
  /** Without its folder. */
  readonly name: string;
  /** Any of them keeps its tests from being run. */
  readonly issues: readonly Issue[];
  readonly tests: readonly { readonly name: string; readonly line: number }[];
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
};

export type TestedFileView = Omit<TestsFileView, 'tests'> & { readonly results: readonly TestResultView[] };

/** A file that cannot be run counts as one failed test. */
export type TestsRunView = {
  readonly files: readonly TestedFileView[];
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
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
