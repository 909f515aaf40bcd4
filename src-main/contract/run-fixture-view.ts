// Data for making a test: rows of a run that has ended, and their results.
import type { RunMode } from '../domain/run/run-mode.ts';

export type FixtureRowView = {
  readonly row: number;
  /** JSON of an object. */
  readonly input: string;
  /** JSON of an object; absent for a row without one. */
  readonly output?: string;
};

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
};
