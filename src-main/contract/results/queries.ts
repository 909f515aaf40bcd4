// Questions over all rows of a run: its table, and statistics of its columns.
import { z } from 'zod';
import { answer, rowNumberSchema, runId, schemaOfType, viewer, type ValueOf } from '../procedure.ts';
import { column, rowSelection } from './row-selection.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { StatisticsStep } from '../../domain/query/column-statistics.ts';
import type { Column } from '../../domain/query/column.ts';
import type {
  LocatedRow,
  LocateRequest,
  OverviewRequest,
  TableOverview,
  TablePage,
  TableRequest,
} from '../../domain/query/table-page.ts';

/** Maximum columns of one call. */
export const maxStatisticsColumns = 8;

/** Maximum rows of a page of a run's table. */
export const maxTableRows = 500;

/** Maximum nodes whose cells one call names. */
const maxTableNodes = 500;

const index = z.number().int().min(1).max(100_000_000);
const asOf = z.number().int().min(0).max(100_000_000).optional();
const runTableInput = schemaOfType<TableRequest & { readonly runId: string }>()(
  z.strictObject({
    runId,
    selection: rowSelection,
    from: index,
    count: z.number().int().min(1).max(maxTableRows),
    asOf,
    nodes: z.union([z.array(lookupText.max(500)).max(maxTableNodes), z.literal('all')]).optional(),
    values: z.boolean().optional(),
  }),
);

/** Maximum pieces of the strip: no screen has more lines. */
const maxPieces = 2_000;
const overviewInput = schemaOfType<OverviewRequest & { readonly runId: string }>()(
  z.strictObject({ runId, selection: rowSelection, asOf, pieces: z.number().int().min(1).max(maxPieces) }),
);
const locateInput = schemaOfType<LocateRequest & { readonly runId: string }>()(
  z.strictObject({
    runId,
    selection: rowSelection,
    asOf,
    target: z.union([
      z.strictObject({ row: rowNumberSchema }),
      z.strictObject({
        failedFrom: z.number().int().min(0).max(100_000_001),
        step: z.union([z.literal(1), z.literal(-1)]),
      }),
    ]),
  }),
);

/** The rows of a run; with `latest` each row with its newest answer, from the run or from a rerun that completes it. */
export const tableRowsInput = z.strictObject({ runId, latest: z.boolean().optional() });
export type TableRowsInput = ValueOf<typeof tableRowsInput>;

const statisticsInput = tableRowsInput.extend({
  columns: z.array(column).min(1).max(maxStatisticsColumns),
});
export type StatisticsInput = ValueOf<typeof statisticsInput>;

export const queryProcedures = {
  /**
   * Rows of the run that a selection chooses. While the run is still being read, the answer says how far: the client asks again,
   * and stops the reading by not asking.
   */
  'run.table': viewer(runTableInput, answer<TablePage>),
  /** Counts of the table, and a strip of the selection's rows in their order; asked for again and stopped as `run.table`. */
  'run.overview': viewer(overviewInput, answer<TableOverview>),
  /** Index of a row in the selection; asked for again and stopped as `run.table`. */
  'run.locate': viewer(locateInput, answer<LocatedRow>),
  /** The columns of the run's rows and outputs, in the order in which they first occur. */
  'run.columns': viewer(tableRowsInput, answer<readonly Column[]>),
  /** Statistics of columns; asked for again and stopped as `run.table`. */
  'run.statistics': viewer(statisticsInput, answer<StatisticsStep>),
  /** The text of the workflow that the run was accepted with; null where it is not stored any more. */
  'run.workflowText': viewer(z.strictObject({ runId }), answer<string | null>),
};
