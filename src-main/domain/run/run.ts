// A run's record, as the store holds it. A union by status, so that a record that breaks the interface's rules
// (`error` only when failed, `finishedAt` null exactly while unfinished) can be neither built nor parsed.
import { z } from 'zod';
import { invariant } from '../../base/invariant.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { hostedAttemptSchema } from '../hosted/hosted-attempt.ts';
import { profileSchema } from '../profiles/profile.ts';
import { moveNotAllowed } from '../run-errors.ts';
import { scenarioSchema } from '../scenarios/scenario-schema.ts';
import { runPartNames } from './chain.ts';
import { readAsSchema } from './read-as.ts';
import { rerunKinds } from './rerun-kind.ts';
import { changedLabels, runLabelsSchema, type LabelChanges } from './run-labels.ts';
import { runModes } from './run-mode.ts';
import { isFinal, statusAfter, type RunMove, type RunStatus } from './run-status.ts';

/** Name of the access token of a team's user; absent: the one user of a data folder. */
const user = z.string().exactOptional();

/** Who asked for a run. */
const originSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('key'), keyId: z.string(), keyName: z.string() }),
  z.object({ kind: z.literal('app'), user }),
  z.object({ kind: z.literal('cli'), user }),
]);
export type RunOrigin = z.infer<typeof originSchema>;

/** A text beside the workflow's own as it was at acceptance: a workflow of that id, or one of its tables. */
const sourceSchema = z.object({
  workflowId: z.string(),
  /** Absent: the workflow's own text. */
  table: z.string().optional(),
  /** SHA-256; names the snapshot. */
  hash: z.string(),
});
export type SourceRef = z.infer<typeof sourceSchema>;

const base = z.object({
  version: z.literal(1),
  runId: z.string(),
  workflowId: z.string(),
  /** SHA-256 of the workflow file as it was at acceptance, with the values of the run's profile; names the snapshot that the run executes. */
  workflowHash: z.string(),
  /** Tables and called workflows that the run uses, as they were at acceptance. */
  sources: z.array(sourceSchema).optional(),
  origin: originSchema,
  rows: z.number().int().nonnegative(),
  acceptedAt: z.iso.datetime(),
  /** Acceptance while queued, the real start from then on. */
  startedAt: z.iso.datetime(),
  /** When it last came to rest by a pause; absent while it has not, or works again. */
  pausedAt: z.iso.datetime().exactOptional(),
  /** How long it has rested between a pause and its next start, in ms, pauses that are over all together. */
  pausedMs: z.number().int().nonnegative().exactOptional(),
  /** When it ended by the retention clock, in ms (`services/runs/retention.ts`). Absent: `finishedAt` counts. */
  retentionStamp: z.number().int().exactOptional(),
  /** Seeds `Math.random` and the clock that expressions see; a rerun gets its original's. */
  seed: z.object({ random: z.number().int().nonnegative(), time: z.number() }),
  /** Nodes that answer from one of their mocks, by its name. */
  mocks: z.record(z.string(), z.string()).optional(),
  /** Without it: `live`. */
  mode: z.enum(runModes).optional(),
  /** `virtual`: waits take no time. Without it they take as long as they say. */
  clock: z.literal('virtual').optional(),
  /** Faults, waits and moves that the run goes through on purpose. */
  scenario: scenarioSchema.optional(),
  /** Values of its profile, for the workflow and for those that it calls. */
  profile: profileSchema.exactOptional(),
  /** Values of all variables of the workflow. */
  vars: z.record(z.string(), z.custom<JsonValue>()).exactOptional(),
  /** Its scenario's pause has been: a run that is resumed, or taken up again, is not paused a second time. */
  pausedByScenario: z.literal(true).optional(),
  /** Tokens that its models may use, once it was resumed with a spent budget; before: the budget of its workflow. */
  tokensAllowed: z.number().int().positive().exactOptional(),
  /** Paused since its token budget is spent; absent while it is not. */
  spentBudget: z
    .object({ used: z.number().int().nonnegative(), tokens: z.number().int().positive() })
    .exactOptional(),
  /** Requests that got different answers while the run was recorded; absent: none, or on a team. */
  differingRequests: z.number().int().positive().exactOptional(),
  /** The run that this one repeats. */
  rerunOf: z.string().optional(),
  /** How it relates to that run; absent: it repeats none, or an earlier version stored it. */
  rerunKind: z.enum(rerunKinds).exactOptional(),
  /** The first run of its chain; absent: it is that run. Stores add it to records of earlier versions. */
  chainId: z.string().exactOptional(),
  /** Its rows of those of its chain; absent: all rows of the run that it repeats, or an earlier version stored it. */
  part: z.enum(runPartNames).exactOptional(),
  /** Repeated from this node on; in so many rows the nodes before it have the values of the run that it repeats. */
  from: z.object({ nodeId: z.string(), rows: z.number().int().nonnegative() }).optional(),
  /** The run has a part of the rows of a row set, chosen as `choice` says; `rows` are all. */
  sample: z
    .object({ setId: z.string(), choice: z.string(), rows: z.number().int().nonnegative() })
    .exactOptional(),
  /** The run has the rows that the sample `rerunOf` left out. */
  isRest: z.literal(true).exactOptional(),
  /** How the file of its rows was read; absent: the rows are of no file, or were read by an earlier version. */
  readAs: readAsSchema.exactOptional(),
  labels: runLabelsSchema.exactOptional(),
  /** The run is one of a hosted service: nothing of it executes here. */
  hosted: hostedAttemptSchema.exactOptional(),
  /** How often a restart found this run unfinished with no row committed since the last time. */
  fruitlessRecoveries: z.number().int().nonnegative(),
  /** Rows committed when the last recovery looked. */
  rowsAtRecovery: z.number().int().nonnegative(),
});

/** A row that has begun and not ended. */
export type RunningRow = {
  /** Among the run's rows, from 1. */
  readonly position: number;
  readonly nodeId: string;
  /** Time at which the row first waited in the node, in ms since 1970. */
  readonly sinceMs: number;
};

const counts = z.object({
  /** Rows that have an output. */
  rowsDone: z.number().int().nonnegative(),
  /** Rows that failed: with `onRowError: skip` they have no output, otherwise there is at most one. */
  rowsFailed: z.number().int().nonnegative(),
  /** Rows that a cancel found unfinished between those that it kept; absent: none. */
  rowsUnfinished: z.number().int().positive().exactOptional(),
});
export type RowCounts = z.infer<typeof counts>;

/** Rows that are committed. */
export const rowsIn = ({ rowsDone, rowsFailed, rowsUnfinished = 0 }: RowCounts): number =>
  rowsDone + rowsFailed + rowsUnfinished;

/** Only a cancel leaves rows unfinished before others; it is their run's last commit. */
export const wasCancelled = ({ rowsUnfinished = 0 }: RowCounts): boolean => rowsUnfinished > 0;

const unfinished = z.enum(['queued', 'running', 'pausing', 'paused']);

export const runSchema = z.discriminatedUnion('status', [
  base.extend({ status: unfinished, finishedAt: z.null() }),
  base.extend({ status: z.enum(['completed', 'cancelled']), finishedAt: z.iso.datetime(), counts }),
  base.extend({ status: z.literal('failed'), finishedAt: z.iso.datetime(), counts, error: z.string() }),
]);
export type Run = z.infer<typeof runSchema>;

/** Data of a move: its time (ISO 8601), the counts of rows, and the error of a failed run. */
export type MoveData = { readonly at: string; readonly counts: RowCounts; readonly error?: string };

/** The status after a move. Throws `move_not_allowed` where the table has none. */
export function nextStatus(from: RunStatus, move: RunMove): RunStatus {
  const to = statusAfter(from, move);
  if (to === undefined) throw moveNotAllowed(from, move);
  return to;
}

/** The record after a move along the status table. Throws `move_not_allowed`; never touches the record given. */
export function moveRun(from: Run, move: RunMove, data: MoveData): Run {
  const status = nextStatus(from.status, move);
  invariant(!isFinal(from.status), 'a final run never moves');
  const run = withPause(from, status, data.at);
  if (status === 'failed') {
    return {
      ...run,
      status,
      finishedAt: notBefore(run.startedAt, data.at),
      counts: data.counts,
      error: data.error ?? 'Unknown cause',
    };
  }
  if (status === 'completed' || status === 'cancelled') {
    return { ...run, status, finishedAt: notBefore(run.startedAt, data.at), counts: data.counts };
  }
  invariant(run.finishedAt === null, 'an unfinished run has no finish time');
  const startedAt =
    move === 'start' && run.startedAt === run.acceptedAt ? notBefore(run.acceptedAt, data.at) : run.startedAt;
  return { ...run, status, finishedAt: null, startedAt };
}

/** The record with other labels; never touches the record given. */
export function labelRun(run: Run, changes: LabelChanges): Run {
  const { labels: before, ...unlabelled } = run;
  const labels = changedLabels(before, changes);
  return labels === undefined ? unlabelled : { ...unlabelled, labels };
}

/** A rest begins when a pause has settled, and ends when the run starts again, or for good. */
function withPause(run: Run, status: RunStatus, at: string): Run {
  if (run.status === 'pausing' && status === 'paused') return { ...run, pausedAt: at };
  if (run.pausedAt === undefined || (status !== 'running' && !isFinal(status))) return run;
  const { pausedAt, ...working } = run;
  const ms = Math.max(0, Date.parse(at) - Date.parse(pausedAt));
  return { ...working, pausedMs: (run.pausedMs ?? 0) + ms };
}

/** The wall clock may jump back; a run never finishes before it started. ISO time stamps sort as text. */
const notBefore = (earliest: string, at: string): string => (at < earliest ? earliest : at);
