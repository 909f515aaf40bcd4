// Error messages about runs and their rows. The interface document fixes the messages marked (interface): they must not
// change by a letter.
import { AppError, errorText } from '../base/app-error.ts';
import { byteSize, count, counted } from './format.ts';
import { rateLimited } from './request-errors.ts';
import type { RunMove, RunStatus } from './run/run-status.ts';

/** (interface) 404 */
export const runNotFound = () => new AppError('run_not_found', 'Workflow run not found');

/** 404: one of two runs to compare. */
export const comparedRunNotFound = (text: string) =>
  new AppError('run_not_found', `There is no run "${text}"; it may have been removed`);

/** 400: a side of a comparison names an attempt that its chain does not have. */
export const noSuchAttempt = (text: string, attempts: number) =>
  new AppError(
    'invalid_input',
    `"${text}" names an attempt that there is not: the chain of the run has ${counted(attempts, 'attempt')}`,
  );

/** The rows of a run: how many, the numbers of the first ones, and of the last. */
type RowsThere = { readonly rows: number; readonly first: readonly number[]; readonly last: number };

/** 400 */
export const rowNotInRun = (row: number, there: RowsThere) =>
  new AppError('invalid_input', `The run has no row ${row}; it has ${rowsThere(there)}`);

/** 400: one field of a huge row cannot be shown. */
export const rowTooLargeForField = (row: number, bytes: number, maxBytes: number) =>
  new AppError(
    'invalid_input',
    `Row ${row} has ${byteSize(bytes)}. Single fields are shown of rows up to ${byteSize(maxBytes)}: export the row to see all of it`,
  );

/** The rows of a rerun go by the numbers of its original. */
function rowsThere({ rows, first, last }: RowsThere): string {
  if (rows === last) return rows === 1 ? 'one row' : `${rows} rows`;
  if (rows > first.length) return `${rows} rows, from row ${first[0]} to row ${last}`;
  return rows === 1 ? `row ${last} alone` : `rows ${first.slice(0, -1).join(', ')} and ${last}`;
}

/** (interface) 400, output asked for before the run is completed; a failed run's own error is appended */
export const runNotCompleted = (status: RunStatus, runError?: string) =>
  new AppError(
    'run_not_completed',
    `Workflow run is not completed. Current status: ${status}${runError === undefined ? '' : `. Error: ${runError}`}`,
  );

/** 429 on purpose, as the run's scenario asks; soon over, since a client is to be tried out and not kept waiting */
export const scenarioLimited = () => rateLimited(1, 'scenario');

/** 500 on purpose, as the run's scenario asks */
export const scenarioFailed = () =>
  new AppError('scenario_failed', "Internal error, as the run's scenario asks");

/** 400 */
export const scenarioInvalid = (problems: readonly string[]) =>
  new AppError(
    'invalid_input',
    `The scenario cannot be read: ${problems.join('; ')}. One looks like "queued-for=10s,fail-row=3"`,
  );

/** 400: to run it without would let a test pass that has tested nothing */
export const scenariosOff = () =>
  new AppError(
    'invalid_input',
    'Scenarios by request header are off. Turn them on with "rowbench serve --scenarios", or in settings.json with { "scenarios": { "header": true } }',
  );

/** 409 */
export const moveNotAllowed = (status: RunStatus, move: RunMove) =>
  new AppError(
    'move_not_allowed',
    isThereAlready[move]?.includes(status) === true
      ? `The run is already ${status}`
      : `A ${status} run cannot ${moveTexts[move]}`,
  );

/** 409 */
export const unfinishedRunStays = (status: RunStatus) =>
  new AppError('move_not_allowed', `A ${status} run cannot be deleted: cancel it first`);

/** 409 */
export const pinnedRunStays = () =>
  new AppError('move_not_allowed', 'The run is pinned, so it is not deleted: unpin it first');

/** 409 */
export const laterAttemptsStay = (later: number) =>
  new AppError(
    'move_not_allowed',
    `The run has ${counted(later, 'later attempt')}, so it is not deleted alone: delete its whole chain, or the newest attempt first`,
  );

/** Statuses in which there is nothing left to ask for. */
const isThereAlready: Readonly<Partial<Record<RunMove, readonly RunStatus[]>>> = {
  pause: ['pausing', 'paused'],
  resume: ['queued', 'running'],
  cancel: ['cancelled'],
};

/** 400: a piece of a run's id that says too little */
export const runIdTooShort = (text: string, least: number) =>
  new AppError(
    'invalid_input',
    `"${text}" is too short for a run's id: give at least ${least} characters of it`,
  );

/** 400: a piece of several runs' ids */
export const runIdAmbiguous = (text: string, candidates: readonly string[]) => {
  const shown = candidates.slice(0, candidatesShown).join(', ');
  const more = candidates.length > candidatesShown ? ` and ${candidates.length - candidatesShown} more` : '';
  return new AppError('invalid_input', `"${text}" fits several runs: ${shown}${more}`);
};

const candidatesShown = 5;

const moveTexts: Readonly<Record<RunMove, string>> = {
  start: 'be started',
  pause: 'be paused',
  settle: 'settle into a pause',
  resume: 'be resumed',
  complete: 'be completed',
  fail: 'fail',
  cancel: 'be cancelled',
};

/** 400: what a test is made of has to stay readable */
export const tooManyFixtureRows = (actual: string, most: string) =>
  new AppError(
    'invalid_input',
    `A test is made of at most ${most}, and these are ${actual}: pick fewer of them`,
  );

/** 409: it is not known yet, or never was, what comes of its rows */
export const runGivesNoTest = (status: RunStatus) =>
  new AppError(
    'move_not_allowed',
    `A test is made of a run that is completed or failed; this one is ${status}`,
  );

/** 400: without the row that it failed on, the test would not fail */
export const failedRowMissing = (row: number) =>
  new AppError('invalid_input', `The run failed on row ${row}: a test of it needs that row too`);

/** 400: a rerun of failed rows where every row has its output */
export const nothingToRepeat = () => new AppError('invalid_input', 'The run has no rows left to repeat');

/** 400: a selection of rows */
export const nothingSelected = () => new AppError('invalid_input', 'No row of the run is selected');
export const tooManySelected = (maxRows: number) =>
  new AppError('invalid_input', `More than ${count(maxRows)} rows are selected; select fewer`);

/** 400: the rest of a run that has no rest */
export const sampleMissing = () =>
  new AppError('invalid_input', 'The run is no sample: it was started with all of its rows');

/** 400: the rest of a sample, a second time */
export const restRunBefore = (runId: string) =>
  new AppError('invalid_input', `The rest of this sample has been run: ${runId}. It can be run again`);

/** 400: edited rows and the numbers that they go by */
export const rowNumbersInvalid = (problem: string) =>
  new AppError('invalid_input', `The row numbers do not fit: ${problem}`);

/** 400: a rerun of another workflow's run */
export const rerunOfOther = (workflowId: string, other: string) =>
  new AppError('invalid_input', `A run of "${workflowId}" cannot repeat one of "${other}"`);

/** 400: what a run is asked for beside its rows */
export const runRequestInvalid = (problem: string) =>
  new AppError('invalid_input', `The run cannot be started: ${problem}`);

/** 400: values that were kept belong to other rows */
export const editedRowsFromNode = () =>
  new AppError(
    'invalid_input',
    '`from` cannot be combined with edited rows; edited rows always start at the first node',
  );

/** 400: a rerun from a node that is not there */
export const rerunNodeUnknown = (workflowId: string, nodeId: string) =>
  new AppError('invalid_input', `Workflow "${workflowId}" has no node "${nodeId}" to begin with`);

/** 409: its failed rows are not known before it has ended */
export const rerunTooEarly = (status: RunStatus) =>
  new AppError(
    'move_not_allowed',
    `A ${status} run may still give its rows an output; wait until it has ended`,
  );

/** @param most rows that are run again at the same time */
export const tracesBusy = (most: number): AppError =>
  new AppError(
    'move_not_allowed',
    `${most} rows are being run again for their traces; try again when one is done`,
  );

export const traceStopped = (row: number): AppError =>
  new AppError(
    'move_not_allowed',
    `Row ${row} was not run to its end: it took too long to wait for, or Rowbench is closing`,
  );

/** 400: an export of a column that neither the rows nor the outputs have */
export const exportColumnUnknown = (name: string, names: readonly string[]) =>
  new AppError('invalid_input', `There is no column "${name}". The columns are ${firstNames(names)}`);

const firstNames = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((known) => `"${known}"`)
    .join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '');

/** 400: the field that gives one line per entry is in no output. @param names fields of the outputs */
export const explodedFieldUnknown = (field: string, names: readonly string[]) =>
  new AppError(
    'invalid_input',
    `No output has a field "${field}"${names.length === 0 ? '' : `. The fields are ${firstNames(names)}`}`,
  );

/** 400: the field that gives one line per entry has another value in some row. @param type such as "number" */
export const entriesMissing = (field: string, row: number, type: string) =>
  new AppError(
    'invalid_input',
    `Field "${field}" of row ${row} is not a list but of type ${type}. Choose a field that has lists only, or export ` +
      'without one line per entry',
  );

/** 400: an export that its format cannot hold */
export const exportTooLarge = (problem: string) =>
  new AppError('invalid_input', `${problem}. Export as CSV, or export fewer columns or rows`);

/** 400 */
export const exportTooWide = (max: number) =>
  new AppError(
    'invalid_input',
    `The rows have more than ${count(max)} different fields, the maximum of a table. Export fewer rows, ` +
      'or the outputs alone with the command line and "--format ndjson"',
  );

/** @param instead the file that has the outputs; undefined for standard output */
export const outputsTooWide = (max: number, instead: string | undefined) =>
  new AppError(
    'invalid_input',
    `The outputs have more than ${count(max)} different fields, which CSV does not hold. ` +
      `They are written as NDJSON${instead === undefined ? '' : ` to ${instead}`}`,
  );

/** 400 */
export const tooManyAttempts = (max: number) =>
  new AppError(
    'invalid_input',
    `The chain of this run has more than ${max} attempts, the maximum whose rows are merged. Run all rows again to begin a new chain`,
  );

/** The error of a run that ended by a fault of Rowbench or the system. */
export const notExecuted = (error: unknown): string =>
  `Rowbench could not execute the run: ${errorText(error)}`;
