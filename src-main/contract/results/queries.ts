// Questions over all rows of runs: statistics of columns and what differs between two runs.
import { z } from 'zod';
import { answer, runId, schemaOfType, viewer, type ValueOf } from '../procedure.ts';
import { column, rowSelection } from './row-selection.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { StatisticsStep } from '../../domain/query/column-statistics.ts';
import type { Column } from '../../domain/query/column.ts';
import { pairOutcomes, type FieldRule, type RowMatching } from '../../domain/query/compare-runs.ts';
import type { ComparisonStepView, RunComparisonView } from '../../domain/query/comparison-views.ts';
import type { TablePage, TableRequest } from '../../domain/query/table-page.ts';

/** Maximum columns of one call. */
export const maxStatisticsColumns = 8;
/** Maximum differing rows that one call lists. */
export const maxListedRows = 1_000;

/** Maximum rows of a page of a run's table. */
export const maxTableRows = 500;

/** Maximum nodes whose cells one call names. */
const maxTableNodes = 500;

const index = z.number().int().min(1).max(100_000_000);
const runTableInput = schemaOfType<TableRequest & { readonly runId: string }>()(
  z.strictObject({
    runId,
    selection: rowSelection,
    from: index,
    count: z.number().int().min(1).max(maxTableRows),
    asOf: z.number().int().min(0).max(100_000_000).optional(),
    nodes: z.union([z.array(lookupText.max(500)).max(maxTableNodes), z.literal('all')]).optional(),
    values: z.boolean().optional(),
  }),
);

/** The rows of a run; with `latest` each row with its newest answer, from the run or from a rerun that completes it. */
export const tableRowsInput = z.strictObject({ runId, latest: z.boolean().optional() });
export type TableRowsInput = ValueOf<typeof tableRowsInput>;

const statisticsInput = tableRowsInput.extend({
  columns: z.array(column).min(1).max(maxStatisticsColumns),
});
export type StatisticsInput = ValueOf<typeof statisticsInput>;

const name = z.string().max(1_000);
const comparedRuns = {
  firstRunId: runId,
  secondRunId: runId,
  /** Absent: by number for two runs of which one repeats the other, or both the same one; else by position. */
  matching: schemaOfType<RowMatching>()(z.union([z.enum(['number', 'position']), column])).optional(),
  rules: z
    .array(
      schemaOfType<FieldRule>()(
        z.discriminatedUnion('rule', [
          z.strictObject({ name, rule: z.literal('ignore') }),
          z.strictObject({ name, rule: z.literal('tolerance'), tolerance: z.number().nonnegative() }),
          z.strictObject({ name, rule: z.literal('ignoreCase') }),
        ]),
      ),
    )
    .max(200)
    .optional(),
};
const comparisonInput = z.strictObject({
  ...comparedRuns,
  /** Differing rows that are listed at most; absent: 20. */
  limit: z.number().int().min(0).max(maxListedRows).optional(),
});
export type ComparisonInput = ValueOf<typeof comparisonInput>;
const comparisonPageInput = z.strictObject({
  ...comparedRuns,
  /** Absent: the rows that differ. */
  outcome: z.enum(pairOutcomes).optional(),
  /** Only changed rows in which the field differs. */
  field: name.optional(),
  /** Counts the rows that the filter leaves, from 1. */
  from: z.number().int().min(1).max(1_000_000_000),
  count: z.number().int().min(0).max(500),
  /** Version of an earlier answer, so that rows which have ended since change nothing. */
  version: lookupText.max(200).optional(),
  /** Values are not cut. */
  isWhole: z.boolean().optional(),
});
export type ComparisonPageInput = ValueOf<typeof comparisonPageInput>;

export const queryProcedures = {
  /**
   * Rows of the run that a selection chooses. While the run is still being read, the answer says how far: the client asks again,
   * and stops the reading by not asking.
   */
  'run.table': viewer(runTableInput, answer<TablePage>),
  /** The columns of the run's rows and outputs, in the order in which they first occur. */
  'run.columns': viewer(tableRowsInput, answer<readonly Column[]>),
  /** Statistics of columns; asked for again and stopped as `run.table`. */
  'run.statistics': viewer(statisticsInput, answer<StatisticsStep>),
  'run.compare': viewer(comparisonInput, answer<RunComparisonView>),
  /** Some rows of a comparison. Answers after a quarter of a second, ready or not. */
  'run.comparePage': viewer(comparisonPageInput, answer<ComparisonStepView>),
  /** The text of the workflow that the run was accepted with; null where it is not stored any more. */
  'run.workflowText': viewer(z.strictObject({ runId }), answer<string | null>),
};
