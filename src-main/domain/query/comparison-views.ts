// Comparisons of two runs, as services answer and as pages and the command line see them.
import type { RowFailure } from '../run/row-failure.ts';
import type { ComparedRow, ComparisonPage, ComparisonStep, RunComparison } from './compare-runs.ts';
import type { ShownChange } from './difference-excerpt.ts';

export type ComparedRuns = {
  /** The whole ids of the runs. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** True if both runs were accepted with the same text of the workflow. */
  readonly isSameWorkflow: boolean;
};

export type RunComparisonView = RunComparison & ComparedRuns;

/** The end of a row that failed. */
export type ComparedFailure = Pick<RowFailure, 'nodeId' | 'message'>;

export type ComparedRowView = Omit<ComparedRow, 'fields'> & {
  readonly fields?: readonly ShownChange[];
  /** Why the row failed in that run. */
  readonly firstFailure?: ComparedFailure;
  readonly secondFailure?: ComparedFailure;
};

export type ComparisonPageView = Omit<ComparisonPage, 'rows'> &
  ComparedRuns & { readonly rows: readonly ComparedRowView[] };

/** Not ready: the work goes on with the next call. */
export type ComparisonStepView =
  Extract<ComparisonStep, { isReady: false }> | ({ readonly isReady: true } & ComparisonPageView);
