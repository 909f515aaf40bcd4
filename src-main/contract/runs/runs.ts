// Runs: their lists, moves and labels, and tests that are made of them.
import { z } from 'zod';
import type { JsonObject } from '../../base/json-value.ts';
import {
  adminChange,
  answer,
  nothing,
  oneRun,
  operatorChange,
  profileName,
  rowNumberSchema,
  runId,
  schemaOfType,
  viewer,
  type ValueOf,
} from '../procedure.ts';
import { rowSelection } from '../results/row-selection.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { HostedAttempt } from '../../domain/hosted/hosted-attempt.ts';
import { bulkVerbs, type BulkResult, type BulkVerb, type BulkView } from '../../domain/run/bulk-moves.ts';
import { readAsSchema, type ReadAs } from '../../domain/run/read-as.ts';
import type { RemovedRuns } from '../../domain/run/retention-file.ts';
import type { RunningRow } from '../../domain/run/run.ts';
import type { RunPart } from '../../domain/run/chain.ts';
import type { RerunKind } from '../../domain/run/rerun-kind.ts';
import type { RowFailure } from '../../domain/run/row-failure.ts';
import type { EditedRows } from '../../domain/run/row-numbers.ts';
import type { RunFilter } from '../../domain/run/run-filter.ts';
import { labelChangesSchema, type RunLabels } from '../../domain/run/run-labels.ts';
import { runModes, type RunMode } from '../../domain/run/run-mode.ts';
import { runStatuses, type RunStatus } from '../../domain/run/run-status.ts';
import type { SpentBudget } from '../../domain/run/spent-budget.ts';
import type { ExpectedFields } from '../../domain/tests/expected-fields.ts';
import type { RunFixtureView, SavedTestView } from '../../domain/tests/test-views.ts';

export type { BulkResult, BulkVerb, BulkView, ExpectedFields };

export type RunView = {
  readonly runId: string;
  readonly workflowId: string;
  readonly status: RunStatus;
  /** Who asked for it: a key's name, `app` or `cli`; on a team server with the name of the user's token: `app (Ada)`. */
  readonly origin: string;
  readonly rows: number;
  readonly rowsDone: number;
  readonly rowsFailed: number;
  readonly acceptedAt: string;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** When it came to rest by a pause; absent while it works. */
  readonly pausedAt?: string;
  /** How long it has rested in pauses that are over; absent: in none. */
  readonly pausedMs?: number;
  /** Rows that have ended and are kept back until the row at that position has ended too; absent: none. */
  readonly waiting?: { readonly rows: number; readonly forRow: number };
  /** Rows that have ended and are not stored yet; absent: none. The counts above are of stored rows. */
  readonly unsaved?: { readonly rowsDone: number; readonly rowsFailed: number };
  /** Rows that wait in a node, by position, 200 at most; absent: none. */
  readonly running?: readonly RunningRow[];
  readonly error?: string;
  readonly rerunOf?: string;
  /** How it relates to that run; absent: it repeats none, or an earlier version stored it. */
  readonly rerunKind?: RerunKind;
  /** The first run of its chain; absent: it is that run. */
  readonly chainId?: string;
  /** Its rows of those of its chain; absent: all of a run's rows, or an earlier version stored it. */
  readonly part?: RunPart;
  /** The run has some of these rows; the others can be run later. */
  readonly sample?: { readonly rows: number; readonly choice: string };
  /** The run has the rows that the sample `rerunOf` left out. */
  readonly isRest?: true;
  /** The name of the file that its rows came from; absent: it is unknown. */
  readonly source?: string;
  /** Name, note, tags and pin; absent: none. */
  readonly labels?: RunLabels;
  /** Where its calls are answered; absent: `live`. */
  readonly mode?: RunMode;
  /** Requests that got different answers while the run was recorded: its replay gives all rows the first one. */
  readonly differingRequests?: number;
  /** The name of a mock by the node that it stands in for; absent: none. */
  readonly mocks?: Readonly<Record<string, string>>;
  /** The run's scenario, as text. */
  readonly scenario?: string;
  /** It is paused since its models have used the tokens of its budget. */
  readonly spentBudget?: SpentBudget;
  /** Repeated from this node on; in so many rows the nodes before it have the values of that run. */
  readonly from?: { readonly nodeId: string; readonly rows: number };
  /** Name of the profile that gave its variables their values; absent: the defaults of the file. */
  readonly profile?: string;
  /** How far it is at a hosted service; absent: it executes here. */
  readonly hosted?: HostedAttempt;
};

/** A run with the first of its failed rows, and the runs that it is linked to. */
export type RunDetail = RunView & {
  /** Values of the variables of its workflow; absent: it has none. */
  readonly vars?: JsonObject;
  /** How the file of its rows was read. */
  readonly readAs?: ReadAs;
  readonly failures: readonly RowFailure[];
  /** Why they could not be read: then there are none in `failures`. */
  readonly failuresProblem?: string;
  /** Ids of runs that repeat it, newest first; 100 at most. */
  readonly reruns: readonly string[];
  /** The run that it repeats is not stored any more. */
  readonly isOriginalGone?: true;
  /** The oldest stored run of its chain; absent if it is the run itself. */
  readonly originalRunId?: string;
  /** Its chain has other attempts: their merged results differ from its own. */
  readonly isMerged?: true;
};

/** Runs that one bulk call acts on at most. */
export const maxRunsAtOnce = 1000;

const time = z.iso.datetime({ offset: true });

const filterShape = {
  status: z.enum(runStatuses).optional(),
  workflowId: lookupText.max(64).optional(),
  since: time.optional(),
  until: time.optional(),
  text: lookupText.max(200).optional(),
  rerunOf: runId.optional(),
  runIds: z.array(runId).max(maxRunsAtOnce).optional(),
  isPinned: z.boolean().optional(),
  tag: lookupText.min(1).max(50).optional(),
  on: lookupText.min(1).max(32).optional(),
};

const runFilter = schemaOfType<RunFilter>()(z.strictObject(filterShape));

/** Newest first; `limit` at most, all accepted before the run `before`. */
const runListInput = z.strictObject({
  ...filterShape,
  before: runId.optional(),
  limit: z.number().int().min(1).max(10_000).default(50),
});

const rerunRows = z.enum(['all', 'failed']);
/** Who is behind a new run; the app, unless it says otherwise. */
const caller = z.enum(['app', 'cli']).optional();

const labelInput = z.strictObject({ runId, changes: labelChangesSchema });
export type LabelInput = ValueOf<typeof labelInput>;

const editedRows = schemaOfType<EditedRows>()(
  z.strictObject({
    lines: z.string(),
    numbers: z.array(z.number().int().min(1).max(1_000_000)).optional(),
    readAs: readAsSchema.optional(),
  }),
);

/** Rows of the run, in its order. */
export const chosenRowsInput = z.strictObject({ selection: rowSelection });

const rerunInput = z.strictObject({
  runId,
  /** All, those that have no output, those of a selection, or rows in their place. */
  rows: z.union([rerunRows, chosenRowsInput, editedRows]),
  /** The node to begin with: values of nodes before it are reused where they were kept. Not with edited rows. */
  from: lookupText.max(200).optional(),
  /** Where it runs: `here`, or a connection to a hosted service; absent: where the run was. */
  on: lookupText.max(32).optional(),
  /** In place of the run's own mode. */
  mode: z.enum(runModes).optional(),
  /** In place of the run's own scenario, as text; `none` for no scenario. */
  scenario: lookupText.max(2000).optional(),
  by: caller,
});
export type RerunInput = ValueOf<typeof rerunInput>;

const removeInput = z.strictObject({
  runId,
  /** Removes all attempts of its chain; otherwise the run is the newest one. */
  isChain: z.boolean().optional(),
  /** Cancels the run first if it has not ended. */
  cancels: z.boolean().optional(),
  /** Removes what is pinned, too. */
  isPinned: z.boolean().optional(),
});

const bulkInput = z.strictObject({
  verb: z.enum(bulkVerbs),
  filter: runFilter,
  /** How many runs at most, up to 1,000. */
  limit: z.number().int().min(1).max(maxRunsAtOnce).optional(),
  /** The rows that a rerun repeats; only for the verb `rerun`. */
  rows: rerunRows.optional(),
  by: caller,
});
export type BulkInput = ValueOf<typeof bulkInput>;

/** Rows of which a test can be made at most. */
export const maxFixtureRows = 1000;

/** Rows by their numbers, rising, or those of a selection; without them all of the run's. */
const runFixtureInput = z.strictObject({
  runId,
  rows: z.union([z.array(rowNumberSchema).min(1).max(maxFixtureRows), chosenRowsInput]).optional(),
});

const fieldNames = z.array(z.string().max(10_000)).max(10_000);
/** Fields of outputs that a new test checks, by their names. */
export const expectedFields = schemaOfType<ExpectedFields>()(
  z.strictObject({ values: fieldNames, types: fieldNames }),
);
const saveTestInput = runFixtureInput.extend({
  /** Absent: the rows and the run. */
  name: lookupText.min(1, 'Give the test a name').max(200).optional(),
  /** Absent: all fields, with their values. */
  fields: expectedFields.optional(),
});

/** Options of a run that the app starts, without its rows. */
export const startInput = z.strictObject({
  mode: z.enum(runModes).optional(),
  /** The name of a mock by the node that it stands in for. */
  mocks: z.record(lookupText.max(200), lookupText.max(200)).optional(),
  /** The run's scenario, as text. */
  scenario: lookupText.max(2000).optional(),
  /** The run whose rows these are, edited. */
  rerunOf: runId.optional(),
  /** The rows that run first, such as `20`, `random:20` or `each:country`; absent: all rows. */
  sample: lookupText.max(1_000).optional(),
  /** How the file of the rows was read. */
  readAs: readAsSchema.optional(),
  /** A profile by its name; empty: the defaults of the file; absent: the server's, or that of the run that is repeated. */
  profile: profileName.optional(),
  /** As in a rerun: `here`, or a connection to a hosted service. */
  on: lookupText.max(32).optional(),
});
export type StartInput = ValueOf<typeof startInput>;

/** The run that took the rows. */
export type StartedRun = { readonly runId: string; readonly rows: number };

export const runProcedures = {
  'run.list': viewer(runListInput, answer<readonly RunView[]>),
  /** The runs that retention has removed from the data folder; null: none. */
  'run.removed': viewer(nothing, answer<RemovedRuns | null>),
  'run.show': viewer(oneRun, answer<RunDetail>),
  /** Rows of a run that has ended with what came of them, for a test. */
  'run.fixture': viewer(runFixtureInput, answer<RunFixtureView>),
  /** Writes a test of a run that has ended beside its workflow, and runs it once. */
  'run.saveTest': adminChange(saveTestInput, answer<SavedTestView>),
  /** Changes the run's name, note, tags or pin. */
  'run.label': operatorChange(labelInput, answer<RunView>),
  'run.pause': operatorChange(oneRun, answer<RunView>),
  'run.resume': operatorChange(oneRun, answer<RunView>),
  'run.cancel': operatorChange(oneRun, answer<RunView>),
  /** Removes a run or a whole chain for good, with its rows and results. Answers once they are overwritten. */
  'run.remove': operatorChange(removeInput, answer<{ readonly runId: string }>),
  'run.rerun': operatorChange(rerunInput, answer<RunView>),
  /** One verb on every run that fits; what changed meanwhile is no error. */
  'run.bulk': operatorChange(bulkInput, answer<BulkView>),
};
