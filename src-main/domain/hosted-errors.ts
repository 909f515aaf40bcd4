// Error messages about hosted services, their connections and runs there.
import { AppError } from '../base/app-error.ts';

/** 400 */
export const hostedUrlInvalid = (text: string, problem: string) =>
  new AppError('invalid_input', `${JSON.stringify(text)} is no URL of a hosted service: ${problem}`);

/** 400 */
export const hostedNotForTeams = () =>
  new AppError(
    'invalid_input',
    'Hosted runs are not for team servers yet: use the data folder of one machine, without --server',
  );

/** 400 @param known names of the connections that there are */
export const connectionUnknown = (name: string, known: readonly string[]) =>
  new AppError(
    'invalid_input',
    `There is no hosted connection "${name}"${known.length === 0 ? '' : `, but ${known.join(', ')}`}. "rowbench hosted add" makes one`,
  );

/** 400 */
export const connectionTaken = (name: string) =>
  new AppError(
    'invalid_input',
    `There is a hosted connection "${name}" already. Remove it first with "rowbench hosted remove ${name}"`,
  );

/** 400: its runs could not be followed any more */
export const connectionInUse = (name: string, runIds: readonly string[]) =>
  new AppError(
    'move_not_allowed',
    `Runs at ${name} have not ended: ${someOf(runIds)}. Wait for them or cancel them first`,
  );

/** 409 */
export const noCallForMove = (connection: string, move: string) =>
  new AppError(
    'move_not_allowed',
    `Cannot ${move} this run: ${connection} has no call for that, and has the rows already`,
  );

const solutions = (runId: string): string =>
  `"rowbench hosted attach ${runId} ID" with the id from the service's own page, "rowbench hosted resend ${runId}", or "rowbench runs cancel ${runId}"`;

/** 409: nothing but a person may send the rows again */
export const hostedOutcomeUnknown = (connection: string, runId: string) =>
  new AppError(
    'move_not_allowed',
    `It is not known whether ${connection} has the rows of run ${runId}: sending them again may be billed twice. Look there first, then ${solutions(runId)}`,
  );

/** 409: an attempt of the chain may still bring results */
export const openAtService = (connection: string, runId: string) =>
  new AppError(
    'move_not_allowed',
    `Run ${runId} has not ended at ${connection}: its rows are not run again before, since that may be billed twice. Wait for it, or let go of it with "rowbench runs cancel ${runId}"`,
  );

/** 409 */
export const notInBulk = (connection: string) =>
  new AppError(
    'move_not_allowed',
    `The run was at ${connection}, where each run is billed: repeat it by itself`,
  );

/** 409 */
export const outcomeKnown = (runId: string) =>
  new AppError('move_not_allowed', `The outcome of run ${runId} is not unknown: there is nothing to resolve`);

/** 400 */
export const runNotThere = (connection: string, idAtService: string) =>
  new AppError(
    'invalid_input',
    `${connection} has no run ${idAtService} of this workflow: take the id from its own page`,
  );

/** 400 */
export const attachedAlready = (idAtService: string, runId: string) =>
  new AppError(
    'invalid_input',
    `${idAtService} is run ${runId} here already: its outputs are those of other rows`,
  );

/** 400 */
export const notHosted = (runId: string) =>
  new AppError('invalid_input', `Run ${runId} is not a run at a hosted service`);

/** 409 */
export const noOutputYet = (runId: string, status: string) =>
  new AppError('move_not_allowed', `Run ${runId} is ${status}: only completed runs have outputs to fetch`);

/** 409: the service gives no output */
export const noUsefulAnswer = (connection: string, problem: string) =>
  new AppError('move_not_allowed', `${connection} ${problem}`);

/** 400: options that only executions here have */
export const notForHosted = (option: string) =>
  new AppError('invalid_input', `A run at a hosted service has no ${option}: leave it out, or run it here`);

/** 400 */
export const nothingToRecord = (workflowId: string, connection: string | undefined) =>
  new AppError(
    'invalid_input',
    `There is no completed run of ${workflowId} ${connection === undefined ? 'at a hosted service' : `at ${connection}`} with an output. Run it there first: rowbench hosted run ${workflowId} --on ${connection ?? 'NAME'} --rows FILE`,
  );

/** 400: a run that was named has no answers of the service */
export const notRecordable = (runId: string, reason: string) =>
  new AppError('invalid_input', `Run ${runId} cannot be recorded: ${reason}`);

/** 400: one file holds the answers of one service */
export const severalToRecord = (connections: readonly string[]) =>
  new AppError(
    'invalid_input',
    `The runs are of several services (${connections.join(', ')}): name one of them with "--on", or the runs with "--runs"`,
  );

/** 400: a wrong match would be recorded as an answer */
export const orderNotProven = (runIds: readonly string[]) =>
  new AppError(
    'invalid_input',
    `Outputs were matched to rows by their order, which is not proven: ${someOf(runIds)}. Name other runs with "--runs", or record them all the same with "--accept-order"`,
  );

/** 400: the answer to a row depends on the other rows of its run */
export const answersDepend = ({
  compared,
  differing,
}: {
  readonly compared: number;
  readonly differing: number;
}) =>
  new AppError(
    'invalid_input',
    `Answers seem to depend on the other rows: ${differing} of ${compared} rows that were sent alone and among others got different answers. Recorded answers would be wrong. To record runs of one kind alone, name them with "--runs"`,
  );

const someOf = (runIds: readonly string[]): string =>
  `${runIds.slice(0, 5).join(', ')}${runIds.length > 5 ? ' and others' : ''}`;
