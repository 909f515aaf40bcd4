// Where the rows of row entry run: on this machine, or at a hosted service.
import { counted, thisMachine, type RunDetail, type StartInput } from '#contract';

/** A run that is run again: its id, and the connection of a run at a hosted service. */
type RepeatedRun = Pick<RunDetail, 'runId'> & Pick<StartInput, 'on'>;

/** The connection to the service at which a run goes; undefined: it executes here. */
export function connectionOf(
  { on }: Pick<StartInput, 'on'>,
  origin: Pick<RepeatedRun, 'on'> | undefined,
): string | undefined {
  const name = on ?? origin?.on;
  return name === thisMachine ? undefined : name;
}

/** ` on prod`; empty for this machine. */
export const connectionText = (connection: string | undefined): string =>
  connection === undefined ? '' : ` on ${connection}`;

/** The options to start a run with: one at a hosted service has no options of calls, and names the service. */
export function startInputOf(options: StartInput, origin: RepeatedRun | undefined): StartInput {
  const link = origin === undefined ? {} : { rerunOf: origin.runId };
  const connection = connectionOf(options, origin);
  if (connection !== undefined) {
    const { sample, readAs } = options;
    return { sample, readAs, on: connection, ...link };
  }
  const { on: _, ...others } = options;
  return { ...others, ...(origin?.on === undefined ? {} : { on: thisMachine }), ...link };
}

/** Calls that a run at a hosted service costs. */
export const hostedCost = (rows: number, connection: string): string =>
  `1 call starts the run with ${counted(rows, 'row')}, about 1 call per 10 s asks for its status, and 1 call fetches the outputs. ${connection} may bill each run.`;
