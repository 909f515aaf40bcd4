// Questions over all rows of runs: statistics of columns and what differs between two runs.
import { z } from 'zod';
import type { Column } from '../domain/query/column.ts';
import type { StatisticsStep } from '../domain/query/column-statistics.ts';
import {
  pairOutcomes,
  type ComparedRow,
  type ComparisonSummary,
  type FieldRule,
  type PairOutcome,
  type RowMatching,
  type RunComparison,
} from '../domain/query/compare-runs.ts';
import type { ShownChange } from '../domain/query/difference-excerpt.ts';
import type { TablePage, TableRequest } from '../domain/query/table-page.ts';
import { procedure } from './procedure.ts';
import { column, rowSelection } from './row-selection-schema.ts';
import { runId } from './run-inputs.ts';

/** Maximum columns of one call. */
export const maxStatisticsColumns = 8;
/** Maximum differing rows that one call lists. */
export const maxListedRows = 1_000;

/** Maximum rows of a page of a run's table. */
export const maxTableRows = 500;

export type RunTableInput = TableRequest & { readonly runId: string };
const index = z.number().int().min(1).max(100_000_000);
const runTableInput = z.strictObject({
  runId,
  selection: rowSelection,
  from: index,
  count: z.number().int().min(1).max(maxTableRows),
  asOf: z.number().int().min(0).max(100_000_000).optional(),
}) as z.ZodType<RunTableInput>;

/** The rows of a run; with `latest` each row with its newest answer, from the run or from one that repeats it. */
export type TableRowsInput = { readonly runId: string; readonly latest?: boolean | undefined };
export const tableRowsInput = z.strictObject({ runId, latest: z.boolean().optional() });

export type StatisticsInput = TableRowsInput & { readonly columns: readonly Column[] };
const statisticsInput = tableRowsInput.extend({
  columns: z.array(column).min(1).max(maxStatisticsColumns),
}) as z.ZodType<StatisticsInput>;

type ComparedRunsInput = {
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** Absent: by number for two runs of which one repeats the other, or both the same one; else by position. */
  readonly matching?: RowMatching | undefined;
  readonly rules?: readonly FieldRule[] | undefined;
};
export type ComparisonInput = ComparedRunsInput & {
  /** Differing rows that are listed at most; absent: 20. */
  readonly limit?: number | undefined;
};
export type ComparisonPageInput = ComparedRunsInput & {
  /** Absent: the rows that differ. */
  readonly outcome?: PairOutcome | undefined;
  /** Only changed rows in which the field differs. */
  readonly field?: string | undefined;
  /** Counts the rows that the filter leaves, from 1. */
  readonly from: number;
  readonly count: number;
  /** Version of an earlier answer, so that rows which have ended since change nothing. */
  readonly version?: string | undefined;
  /** Values are not cut. */
  readonly isWhole?: boolean | undefined;
};
const name = z.string().max(1_000);
const comparedRuns = {
  firstRunId: runId,
  secondRunId: runId,
  matching: z.union([z.enum(['number', 'position']), column]).optional(),
  rules: z
    .array(
      z.discriminatedUnion('rule', [
        z.strictObject({ name, rule: z.literal('ignore') }),
        z.strictObject({ name, rule: z.literal('tolerance'), tolerance: z.number().nonnegative() }),
        z.strictObject({ name, rule: z.literal('ignoreCase') }),
      ]),
    )
    .max(200)
    .optional(),
};
const comparisonInput = z.strictObject({
  ...comparedRuns,
  limit: z.number().int().min(0).max(maxListedRows).optional(),
}) as z.ZodType<ComparisonInput>;
const comparisonPageInput = z.strictObject({
  ...comparedRuns,
  outcome: z.enum(pairOutcomes).optional(),
  field: name.optional(),
  from: z.number().int().min(1).max(1_000_000_000),
  count: z.number().int().min(0).max(500),
  version: z.string().max(200).optional(),
  isWhole: z.boolean().optional(),
}) as z.ZodType<ComparisonPageInput>;

type ComparedRunsView = {
  /** The whole ids of the runs. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** True if both runs were accepted with the same text of the workflow. */
  readonly isSameWorkflow: boolean;
};

export type RunComparisonView = RunComparison & ComparedRunsView;

export type ComparisonSummaryView = ComparisonSummary & ComparedRunsView;

type FailureView = { readonly nodeId: string; readonly message: string };

export type ComparedRowView = Omit<ComparedRow, 'fields'> & {
  readonly fields?: readonly ShownChange[];
  /** Why the row failed in that run. */
  readonly firstFailure?: FailureView;
  readonly secondFailure?: FailureView;
};

export type ComparisonPageView = ComparisonSummaryView & {
  /** Changes with the stored rows and results of both runs. */
  readonly version: string;
  /** Rows of both runs that had ended when they were compared. */
  readonly rowsEnded: number;
  readonly rows: readonly ComparedRowView[];
  /** Where to go on from. */
  readonly next: number;
  /** Rows that the filter leaves. */
  readonly there: number;
};

/** Not ready: the work goes on with the next call. `rowsRead` counts a row each time that it is read, and so does `rows`. */
export type ComparisonStepView =
  | { readonly isReady: false; readonly rowsRead: number; readonly rows: number }
  | ({ readonly isReady: true } & ComparisonPageView);

export type RunTableView = TablePage;

export const queryProcedures = {
  /**
   * Rows of the run that a selection chooses. While the run is still being read, the answer says how far: the client asks again,
   * and stops the reading by not asking.
   */
  'run.table': procedure<RunTableInput, RunTableView>(runTableInput),
  /** The columns of the run's rows and outputs, in the order in which they first occur. */
  'run.columns': procedure<TableRowsInput, readonly Column[]>(tableRowsInput),
  /** Statistics of columns; asked for again and stopped as `run.table`. */
  'run.statistics': procedure<StatisticsInput, StatisticsStep>(statisticsInput),
  'run.compare': procedure<ComparisonInput, RunComparisonView>(comparisonInput),
  /** Some rows of a comparison. Answers after a quarter of a second, ready or not. */
  'run.comparePage': procedure<ComparisonPageInput, ComparisonStepView>(comparisonPageInput),
  /** The text of the workflow that the run was accepted with; null where it is not stored any more. */
  'run.workflowText': procedure<{ runId: string }, string | null>(z.strictObject({ runId })),
};
