// Connections to hosted services, and runs there.
import { z } from 'zod';
import {
  admin,
  adminChange,
  answer,
  operator,
  operatorChange,
  nothing,
  runId,
  viewer,
  workflowId,
} from '../procedure.ts';
import { secretValue } from '../access/secrets.ts';
import { extraKeyHeader } from '../../domain/settings.ts';
import {
  connectionNameForm,
  connectionNamePattern,
  type MatchFields,
} from '../../domain/hosted/hosted-connection.ts';
import type { RecordedAnswersView } from '../../domain/hosted/recorded-answers.ts';
import { thisMachine } from '../../domain/run/run-filter.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { readAsSchema } from '../../domain/run/read-as.ts';
import type { LimitName } from '../../domain/limits/published-limits.ts';
import { maxRunsAtOnce, type RunView, type StartedRun } from './runs.ts';

export type { RecordedAnswersView };

/** A connection to a hosted service. Its key is never returned. */
export type HostedConnectionView = {
  readonly name: string;
  readonly origin: string;
  /** Header that carries the key. */
  readonly header: string;
  readonly sharePercent: number;
  readonly isLan?: true;
  /** Fields by which outputs are matched to rows; absent: found by their names. */
  readonly match?: MatchFields;
  readonly createdAt: string;
  /** Calls of the last minute, and how many Rowbench makes in a minute. */
  readonly meters: readonly { readonly limit: LimitName; readonly used: number; readonly of: number }[];
  /** The service answered 429 within the last ten minutes, so half the share is used. */
  readonly isHalved?: true;
};

/** Answers of a service to two calls that start nothing. */
export type HostedTestView = {
  readonly withKey: HostedCallView;
  readonly withoutKey: HostedCallView;
  /** How far the clock of the service is ahead, in ms; absent: it does not say. */
  readonly clockAheadMs?: number;
  /** Absent: both calls were answered as the interface document says. */
  readonly problem?: string;
};

type HostedCallView = { readonly status?: number; readonly text: string; readonly ms: number };

const connectionName = z
  .string()
  .regex(connectionNamePattern, `A connection is named by ${connectionNameForm}`)
  .refine((name) => name !== thisMachine, `"${thisMachine}" is this machine`);
const oneConnection = z.strictObject({ name: connectionName });
const fieldName = z.string().min(1).max(200);

const connectionAddress = z.strictObject({
  name: connectionName,
  /** Its origin: `https://api.example.com`. */
  url: z.string().max(300),
  header: z.string().toLowerCase().pipe(extraKeyHeader),
});

const newConnection = connectionAddress.extend({
  key: secretValue,
  sharePercent: z.number().int().min(1).max(100).optional(),
  isLan: z.literal(true).optional(),
  match: z.strictObject({ output: fieldName, input: fieldName }).optional(),
});

const hostedRun = z.strictObject({
  workflowId,
  connection: connectionName,
  /** One JSON object a line. */
  lines: z.string(),
  readAs: readAsSchema.optional(),
  /** Runs some of the rows, such as `random:20`; the others can be run later. */
  sample: lookupText.max(300).optional(),
  /** Client behind the run; the app, unless it says otherwise. */
  by: z.enum(['app', 'cli']).optional(),
});

const attachInput = z.strictObject({
  runId,
  /** The id of the run at the service. */
  idAtService: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'The id of a run at the service is 1 to 200 characters without blanks'),
});

const recording = z.strictObject({
  workflowId,
  /** Absent: all completed runs of the workflow at hosted services. */
  runIds: z.array(runId).min(1).max(maxRunsAtOnce).optional(),
  /** Runs of this connection alone. */
  connection: connectionName.optional(),
  /** The records have the rows, too. */
  hasRows: z.boolean().optional(),
  /** Also records outputs that were matched to rows by their order, which is not proven. */
  acceptsOrder: z.boolean().optional(),
});

export const hostedProcedures = {
  'hosted.list': viewer(nothing, answer<readonly HostedConnectionView[]>),
  /** Refuses what `hosted.add` would refuse, before a user types the key. */
  'hosted.check': admin(connectionAddress, answer<{ readonly origin: string }>),
  'hosted.add': adminChange(newConnection, answer<HostedConnectionView>),
  /** Throws `move_not_allowed` while runs of the connection have not ended. */
  'hosted.remove': adminChange(oneConnection, answer<HostedConnectionView>),
  /** Makes two calls that start nothing. */
  'hosted.test': operator(oneConnection.extend({ workflowId }), answer<HostedTestView>),
  /** Accepts a run; its rows are sent as soon as the limits allow. */
  'hosted.run': operatorChange(hostedRun, answer<StartedRun>),
  /** For an unknown outcome: follows the run with that id. */
  'hosted.attach': operatorChange(attachInput, answer<RunView>),
  /** For an unknown outcome: sends the rows once more. */
  'hosted.resend': operatorChange(z.strictObject({ runId }), answer<RunView>),
  /** The connection of a run of unknown outcome. Throws `move_not_allowed`, `invalid_input` for any other run. */
  'hosted.unknown': viewer(z.strictObject({ runId }), answer<{ readonly connection: string }>),
  /** Asks for the outputs of a completed run once more; nothing is stored. */
  'hosted.fetch': operator(
    z.strictObject({ runId }),
    answer<{ readonly runId: string; readonly text: string }>,
  ),
  /** Writes the answers of completed runs beside the workflow, and nodes that answer from them if it has none. */
  'hosted.record': adminChange(recording, answer<RecordedAnswersView>),
};
