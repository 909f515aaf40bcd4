// Inputs of the procedures on runs.
import { z } from 'zod';
import type { RunFilter } from '../domain/run/run-filter.ts';
import { labelChangesSchema, type LabelChanges } from '../domain/run/run-labels.ts';
import type { RowSelection } from '../domain/query/row-selection.ts';
import { runModes, type RunMode } from '../domain/run/run-mode.ts';
import { runStatuses } from '../domain/run/run-status.ts';
import { rowSelection } from './row-selection-schema.ts';

const bulkVerbs = ['pause', 'resume', 'cancel', 'rerun'] as const;
export type BulkVerb = (typeof bulkVerbs)[number];

/** Runs that one bulk call acts on at most. */
export const maxRunsAtOnce = 1000;

/** A run's id; where a person types it, its beginning or its end. */
export const runId = z.string().max(64);
/** Name of a profile of `profiles.yaml`. */
export const profileName = z.string().max(64);
const time = z.iso.datetime({ offset: true });

const filterShape = {
  status: z.enum(runStatuses).optional(),
  workflowId: z.string().max(64).optional(),
  since: time.optional(),
  until: time.optional(),
  text: z.string().max(200).optional(),
  rerunOf: runId.optional(),
  runIds: z.array(runId).max(maxRunsAtOnce).optional(),
  isPinned: z.boolean().optional(),
  tag: z.string().min(1).max(50).optional(),
};

/** Newest first; `limit` at most, all accepted before the run `before`. */
export type RunListInput = RunFilter & { readonly before?: string | undefined; readonly limit?: number };
export const runListInput = z.strictObject({
  ...filterShape,
  before: runId.optional(),
  limit: z.number().int().min(1).max(10_000).default(50),
}) as z.ZodType<RunListInput>;

const rerunRows = z.enum(['all', 'failed']);
/** Who is behind a new run; the app, unless it says otherwise. */
const caller = z.enum(['app', 'cli']).optional();

export type LabelInput = { readonly runId: string; readonly changes: LabelChanges };
export const labelInput = z.strictObject({
  runId,
  changes: labelChangesSchema,
}) as z.ZodType<LabelInput>;

export type EditedRowsInput = {
  /** One JSON object a line. */
  readonly lines: string;
  /** The numbers that the rows had in the original run, rising, one a row. Without them they are counted from 1. */
  readonly numbers?: readonly number[] | undefined;
};
const editedRows = z.strictObject({
  lines: z.string(),
  numbers: z.array(z.number().int().min(1).max(1_000_000)).optional(),
});

/** Rows of the run, in its order. */
export type ChosenRowsInput = { readonly selection: RowSelection };
export const chosenRowsInput = z.strictObject({ selection: rowSelection }) as z.ZodType<ChosenRowsInput>;

export type RerunInput = {
  readonly runId: string;
  /** All, those that have no output, those of a selection, or rows in their place. */
  readonly rows: 'all' | 'failed' | ChosenRowsInput | EditedRowsInput;
  /**
   * The node to begin with: values of nodes before it are reused where they were kept. Not with edited rows.
   */
  readonly from?: string | undefined;
  /** In place of the run's own mode. */
  readonly mode?: RunMode | undefined;
  /** In place of the run's own scenario, as text; `none` for no scenario. */
  readonly scenario?: string | undefined;
  readonly by?: 'app' | 'cli' | undefined;
};
export const rerunInput = z.strictObject({
  runId,
  rows: z.union([rerunRows, chosenRowsInput, editedRows]),
  from: z.string().max(200).optional(),
  mode: z.enum(runModes).optional(),
  scenario: z.string().max(2000).optional(),
  by: caller,
}) as z.ZodType<RerunInput>;

export type BulkInput = {
  readonly verb: BulkVerb;
  readonly filter: RunFilter;
  /** How many runs at most, up to 1,000. */
  readonly limit?: number | undefined;
  /** The rows that a rerun repeats; only for the verb `rerun`. */
  readonly rows?: 'all' | 'failed' | undefined;
  readonly by?: 'app' | 'cli' | undefined;
};
export const bulkInput = z.strictObject({
  verb: z.enum(bulkVerbs),
  filter: z.strictObject(filterShape),
  limit: z.number().int().min(1).max(maxRunsAtOnce).optional(),
  rows: rerunRows.optional(),
  by: caller,
}) as z.ZodType<BulkInput>;

export type RowInput = { readonly runId: string; /** Its number. */ readonly row: number };
export const rowInput = z.strictObject({
  runId,
  row: z.number().int().min(1).max(100_000_000),
}) as z.ZodType<RowInput>;

export type NodeValuesInput = {
  readonly runId: string;
  /** Numbers of the rows. */
  readonly rows: readonly number[];
  /** Ids of the nodes. */
  readonly nodes: readonly string[];
};
export const nodeValuesInput = z.strictObject({
  runId,
  rows: z.array(z.number().int().min(1).max(100_000_000)).max(200),
  nodes: z.array(z.string().max(500)).max(50),
}) as z.ZodType<NodeValuesInput>;

/** Rows of which a test can be made at most. */
export const maxFixtureRows = 1000;

/** Rows by their numbers, rising, or those of a selection; without them all of the run's. */
export type RunFixtureInput = {
  readonly runId: string;
  readonly rows?: readonly number[] | ChosenRowsInput | undefined;
};
export const runFixtureInput = z.strictObject({
  runId,
  rows: z
    .union([z.array(z.number().int().min(1).max(100_000_000)).min(1).max(maxFixtureRows), chosenRowsInput])
    .optional(),
}) as z.ZodType<RunFixtureInput>;

/** Options of a run that the app starts, without its rows. */

export type StartInput = {
  readonly mode?: RunMode | undefined;
  /** The name of a mock by the node that it stands in for. */
  readonly mocks?: Readonly<Record<string, string>> | undefined;
  /** The run's scenario, as text. */
  readonly scenario?: string | undefined;
  /** The run whose rows these are, edited. */
  readonly rerunOf?: string | undefined;
  /** The rows that run first, such as `20`, `random:20` or `each:country`; absent: all rows. */
  readonly sample?: string | undefined;
  /** A profile by its name; empty: the defaults of the file; absent: the server's, or that of the run that is repeated. */
  readonly profile?: string | undefined;
};
export const startInput = z.strictObject({
  mode: z.enum(runModes).optional(),
  mocks: z.record(z.string().max(200), z.string().max(200)).optional(),
  scenario: z.string().max(2000).optional(),
  rerunOf: runId.optional(),
  sample: z.string().max(1_000).optional(),
  profile: profileName.optional(),
}) as z.ZodType<StartInput>;

/** The run that took the rows. */
export type StartedRun = { readonly runId: string; readonly rows: number };
