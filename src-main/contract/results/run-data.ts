// The data of a run, as pages see it: rows and outputs as lines of a table, and why rows failed.
import { z } from 'zod';
import { answer, runId, schemaOfType, viewer, type ValueOf } from '../procedure.ts';
import { tableRowsInput } from './queries.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { maxFindText, type FindCursor, type FindPage } from '../../domain/query/find-values.ts';
import type { FieldPreview } from '../../domain/rows/preview-row.ts';
import type { FailureGroup } from '../../domain/results/failure-causes.ts';
import type { FileLine } from '../../domain/workflow/fault-line.ts';

export type { FailureGroup, FieldPreview, FileLine };

/** Rows from a position on; fewer than were asked for where they are large or hard to find. */
export type RowWindow<Row> = {
  readonly rows: readonly Row[];
  /** The position to go on from. */
  readonly next: number;
  /** Rows that there are to look at, so far. */
  readonly there: number;
  /** Reason why the answer leaves out something about these rows. */
  readonly problem?: string;
};

export type RowValueView = {
  /** The JSON of it, or its beginning. */
  readonly json: string;
  readonly bytes: number;
  /** It is too large for a page: an export has it whole. */
  readonly isCut: boolean;
};

export type CausesView = {
  readonly groups: readonly FailureGroup[];
  /** Failed rows that the groups are made of: the first ones where there are many. */
  readonly looked: number;
  /** All failed rows. */
  readonly failed: number;
};

/** Where a node stands in the workflow as the run was accepted with it. */
export type NodeSourceView = {
  /** The line at fault if a failure was given and names one, else the node's first line. */
  readonly line: number;
  readonly lines: readonly FileLine[];
  /** Absent where no file of the workflow is known. */
  readonly file?: string;
  /** True if the file still has the text that the run was accepted with. */
  readonly isFileAsRun: boolean;
};

const number = z.number().int().min(1).max(100_000_000);

const rowValueInput = z.strictObject({
  runId,
  row: number,
  of: z.enum(['input', 'output']),
  /** One of its fields; all of it without. */
  field: z.string().max(1_000).optional(),
});

const nodeSourceInput = z.strictObject({
  runId,
  nodeId: lookupText.max(500),
  /** Message of a failure, so that the answer names the line at fault. */
  message: z.string().max(20_000).optional(),
});
export type NodeSourceInput = ValueOf<typeof nodeSourceInput>;

export const rowDataProcedures = {
  /** A row's value, or one of its fields, as far as a page takes it; null for a row without an output. */
  'run.value': viewer(rowValueInput, answer<RowValueView | null>),
  'run.causes': viewer(tableRowsInput, answer<CausesView>),
  /** null for a node that the workflow's own file does not have. */
  'run.nodeSource': viewer(nodeSourceInput, answer<NodeSourceView | null>),
};

/** Maximum hits of one call. */
const maxFindHits = 500;

const side = z.enum(['input', 'output']);

const findInput = z.strictObject({
  text: z.string().min(1, 'Type a text to search for').max(maxFindText),
  workflowId: lookupText.max(200).optional(),
  of: side.optional(),
  /** Where an earlier call stopped; absent: at the newest run. */
  cursor: schemaOfType<FindCursor>()(
    z.strictObject({ runId: lookupText.max(100), of: side, position: z.number().int().min(1).max(1e9) }),
  ).optional(),
  limit: z.number().int().min(1).max(maxFindHits),
});

export const findProcedures = {
  /** Searches the values of all runs for a moment; `next` is where another call goes on. */
  'run.find': viewer(findInput, answer<FindPage>),
};
