// Connections to hosted services, and runs there.
import { z } from 'zod';
import {
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
  type ConnectionProbe,
  type HostedMeter,
  type StoredConnection,
} from '../../domain/hosted/hosted-connection.ts';
import type { RecordedAnswersView } from '../../domain/hosted/recorded-answers.ts';
import { thisMachine } from '../../domain/run/run-filter.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { readAsSchema } from '../../domain/run/read-as.ts';
import { maxRunsAtOnce, type RunView, type StartedRun } from './runs.ts';

export type { ConnectionProbe, RecordedAnswersView };

/** A connection to a hosted service. Its key is never returned. */
export type HostedConnectionView = Omit<StoredConnection, 'sealed'> & {
  /** Calls of the last minute, and how many Rowbench makes in a minute. */
  readonly meters: readonly HostedMeter[];
  /** The service answered 429 within the last ten minutes, so half the share is used. */
  readonly isHalved?: true;
};

const connectionName = z
  .string()
  .regex(connectionNamePattern, `A connection is named by ${connectionNameForm}`)
  .refine((name) => name !== thisMachine, `"${thisMachine}" is this machine`);
const oneConnection = z.strictObject({ name: connectionName });
const fieldName = z.string().min(1).max(200);

const newConnection = z.strictObject({
  name: connectionName,
  /** Its origin: `https://api.example.com`. */
  url: z.string().max(300),
  header: z.string().toLowerCase().pipe(extraKeyHeader),
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
  /** Also records outputs that were matched to rows by their order, which is not proven. */
  acceptsOrder: z.boolean().optional(),
});

export const hostedProcedures = {
  'hosted.list': viewer(nothing, answer<readonly HostedConnectionView[]>),
  'hosted.add': adminChange(newConnection, answer<HostedConnectionView>),
  /** Throws `move_not_allowed` while runs of the connection have not ended. */
  'hosted.remove': adminChange(oneConnection, answer<HostedConnectionView>),
  /** Makes two calls that start nothing. */
  'hosted.test': operator(oneConnection.extend({ workflowId }), answer<ConnectionProbe>),
  /** Accepts a run; its rows are sent as soon as the limits allow. */
  'hosted.run': operatorChange(hostedRun, answer<StartedRun>),
  /** For an unknown outcome: follows the run with that id. */
  'hosted.attach': operatorChange(attachInput, answer<RunView>),
  /** For an unknown outcome: sends the rows once more. */
  'hosted.resend': operatorChange(z.strictObject({ runId }), answer<RunView>),
  /** Asks for the outputs of a completed run once more; nothing is stored. */
  'hosted.fetch': operator(
    z.strictObject({ runId }),
    answer<{ readonly runId: string; readonly text: string }>,
  ),
  /** Writes the answers of completed runs beside the workflow, and nodes that answer from them if it has none. */
  'hosted.record': adminChange(recording, answer<RecordedAnswersView>),
};
