// Questions over all rows of a run: statistics of its columns, and what differs from another run.
import { z } from 'zod';
import type { Column } from '../domain/query/column.ts';
import type { ColumnStatistics } from '../domain/query/column-statistics.ts';
import type { FieldRule, RowMatching, RunComparison } from '../domain/query/compare-runs.ts';
import { procedure } from './procedure.ts';
import { runId } from './run-inputs.ts';

/** Maximum columns of one call. */
export const maxStatisticsColumns = 8;
/** Maximum differing rows that one call lists. */
export const maxListedRows = 1_000;

const column = z.strictObject({ of: z.enum(['input', 'output']), name: z.string().max(1_000) });

export type StatisticsInput = { readonly runId: string; readonly columns: readonly Column[] };
const statisticsInput = z.strictObject({
  runId,
  columns: z.array(column).min(1).max(maxStatisticsColumns),
}) as z.ZodType<StatisticsInput>;

export type ComparisonInput = {
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** Absent: by number for two runs of which one repeats the other, or both the same one; else by position. */
  readonly matching?: RowMatching | undefined;
  readonly rules?: readonly FieldRule[] | undefined;
  /** Differing rows that are listed at most; absent: 20. */
  readonly limit?: number | undefined;
};
const name = z.string().max(1_000);
const comparisonInput = z.strictObject({
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
  limit: z.number().int().min(0).max(maxListedRows).optional(),
}) as z.ZodType<ComparisonInput>;

export type RunComparisonView = RunComparison & {
  /** The whole ids of the runs. */
  readonly firstRunId: string;
  readonly secondRunId: string;
  /** True if both runs were accepted with the same text of the workflow. */
  readonly isSameWorkflow: boolean;
};

export const queryProcedures = {
  /** The columns of the run's rows and outputs, in the order in which they first occur. */
  'run.columns': procedure<{ runId: string }, readonly Column[]>(z.strictObject({ runId })),
  'run.statistics': procedure<StatisticsInput, readonly ColumnStatistics[]>(statisticsInput),
  'run.compare': procedure<ComparisonInput, RunComparisonView>(comparisonInput),
};
