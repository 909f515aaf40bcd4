// The wording of every error that a client or a person can meet, in one place. The interface document fixes
// the messages marked (interface); they must not change by a letter.
import { AppError } from '../base/app-error.ts';
import type { RunMove, RunStatus } from './run/run-status.ts';

/** (interface) 401 */
export const invalidKey = () => new AppError('invalid_key', 'Invalid API key');
/** 403; the interface leaves the text open */
export const keyNotAllowed = () =>
  new AppError('key_not_allowed', 'API key does not have access to this workflow');
/** (interface) 404 */
export const workflowNotFound = () => new AppError('workflow_not_found', 'Workflow not found');
/** (interface) 404 */
export const runNotFound = () => new AppError('run_not_found', 'Workflow run not found');

/** The rows of a run: how many, the numbers of the first ones, and of the last. */
type RowsThere = { readonly rows: number; readonly first: readonly number[]; readonly last: number };

/** 400 */
export const rowNotInRun = (row: number, there: RowsThere) =>
  new AppError('invalid_input', `The run has no row ${row}; it has ${rowsThere(there)}`);

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

/** (interface) 400; says what is wrong and always names the expected form */
export const invalidBody = (problem: string) =>
  new AppError(
    'invalid_body',
    `Invalid request body: ${problem}. Expected a JSON object with a "rows" array of objects`,
  );

/** 413 */
export const bodyTooLarge = (problem: string) =>
  new AppError('body_too_large', `Request body too large: ${problem}`);

/** 429 with `Retry-After` */
export const rateLimited = (retryAfterSeconds: number, limit: string) =>
  new AppError(
    'rate_limited',
    `Rate limit exceeded. Retry after ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    {
      retryAfterSeconds,
      limit,
    },
  );

/** 429 on purpose, as the run's scenario asks; soon over, since a client is to be tried out and not kept waiting */
export const scenarioLimited = () => rateLimited(1, 'scenario');
/** 500 on purpose, as the run's scenario asks */
export const scenarioFailed = () =>
  new AppError('scenario_failed', "Internal error, as the run's scenario asks");
/** 400 */
export const settingFixed = (name: string, option: string) =>
  new AppError(
    'invalid_input',
    `The setting "${name}" is fixed by ${option} until the server is started without it`,
  );

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

/** 422: the workflow is known, but its file does not validate */
export const workflowInvalid = (workflowId: string, problems: readonly string[]) =>
  new AppError(
    'workflow_invalid',
    `Workflow "${workflowId}" cannot run, its file has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}: ${problems.join('; ')}`,
  );

/** 400: mocks that the workflow does not have */
export const mocksInvalid = (workflowId: string, problems: readonly { readonly message: string }[]) =>
  new AppError(
    'invalid_input',
    `Workflow "${workflowId}" does not have the mocks asked for: ${problems.map(({ message }) => message).join('; ')}`,
  );

/** Behind a command in an error that is stored or answered over HTTP, which knows no path of this machine. */
export const withItsFolder = '(add --data DIR unless the data folder is the default one)';

/** 403: an imported workflow that the user has not trusted; `further`: the reach that a changed one has gained since */
export const workflowUntrusted = (workflowId: string, further: readonly string[] = []) =>
  new AppError(
    'workflow_untrusted',
    further.length === 0
      ? `Workflow "${workflowId}" was imported and is not trusted yet. See what it does and trust it with: rowbench trust ${workflowId} ${withItsFolder}`
      : `Workflow "${workflowId}" has changed since it was trusted and reaches further now (${further.join(', ')}). See what it does and trust it again with: rowbench trust ${workflowId} ${withItsFolder}`,
  );

/** 409 */
export const moveNotAllowed = (status: RunStatus, move: RunMove) =>
  new AppError(
    'move_not_allowed',
    isThereAlready[move]?.includes(status) === true
      ? `The run is already ${status}`
      : `A ${status} run cannot ${moveTexts[move]}`,
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

/** 404: no such path */
export const routeNotFound = () => new AppError('route_not_found', 'Not found');
/** 405 with `Allow`: the path is known, the method is not */
export const methodNotAllowed = (allow: string) =>
  new AppError('method_not_allowed', `Method not allowed. Allowed: ${allow}`, { allow });

/** 401 on the control API; says nothing about which part was wrong */
export const invalidControlToken = () => new AppError('invalid_key', 'Invalid control token');
/** 401: a link's code that is unknown, used or too old; the message does not tell the client which */
export const entryCodeInvalid = () =>
  new AppError('invalid_key', 'This link has been used or is too old. Run "rowbench open" for a new one');
/** 401: the browser was signed out, was not used for 30 days, or was never paired with this data folder */
export const browserNotPaired = () =>
  new AppError('invalid_key', 'This browser is signed out. Run "rowbench open" for a new link');
/** 404 */
export const browserNotFound = () => new AppError('browser_not_found', 'This browser is signed out already');
/** The command line's: there is nothing that a browser could open. */
export const noServer = (dataDir: string, start = 'rowbench serve --open') =>
  new AppError('invalid_input', `No Rowbench serves the data folder ${dataDir}. Start one with: ${start}`);
/** 400: a control call whose input is not what the procedure takes */
export const callInputInvalid = (problem: string, cause?: unknown) =>
  new AppError('invalid_input', `Invalid input: ${problem}`, { cause });
/** 413 */
export const callInputTooLarge = (maxBytes: number) =>
  new AppError('body_too_large', `Input too large: at most ${maxBytes} bytes are read`);

/** The command line's words for a server that holds the data folder and does not answer as one should. */
export const serverSilent = (url: string, cause?: unknown) =>
  new AppError(
    'data_folder_locked',
    `A Rowbench at ${url} holds the data folder but does not answer. Stop it, or name another folder with --data`,
    { cause },
  );
/** The server took longer than a person would wait. */
export const serverTimedOut = (url: string, seconds: number) =>
  new AppError('request_timeout', `The Rowbench at ${url} did not answer within ${seconds} s`);

/** A rows file that cannot be read; `place` is where: a line and column, or a line and a CSV column's name. */
export const rowsInvalid = (position: string, problem: string) =>
  new AppError('invalid_input', `${position}: ${problem}`);

/** A recording that outgrows what is read back. */
export const cassetteFull = (maxBytes: number) =>
  new AppError(
    'invalid_input',
    `The cassette would grow over ${Math.floor(maxBytes / 1e6)} MB. Record fewer rows, or smaller answers`,
  );
/** A replay without anything to play. */
export const cassetteMissing = (label: string, hint: string) =>
  new AppError('invalid_input', `There is no cassette ${label}. ${hint}`);
/** A test whose workflow asked for an answer that nothing offline has. */
export const testReachesOut = (node: string, row: number, message: string) =>
  new AppError('invalid_input', `Node "${node}" on row ${row} would reach the network: ${message}`);
/** 400: tests that ran too long while the user of the app waited */
export const testsTooLong = (seconds: number) =>
  new AppError(
    'invalid_input',
    `The tests did not end within ${seconds} seconds. Run them with "rowbench test", which waits as long as they take`,
  );
/** 503 */
export const testsStopped = () =>
  new AppError('store_degraded', 'The tests were stopped: Rowbench is ending');
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
/** A file that a test names for its outputs. */
export const expectedRowsInvalid = (file: string) =>
  new AppError('invalid_input', `${file} is no list of outputs: objects in JSON, null for a row without one`);
/** A cassette that cannot be used as it is, and is never overwritten. */
export const cassetteInvalid = (label: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `The cassette ${label} cannot be read: ${problem}`, { cause });

/** Another process writes this data folder; one writer at a time. */
export const dataFolderLocked = (path: string, pid: number | undefined) =>
  new AppError(
    'data_folder_locked',
    `The data folder ${path} is in use by another Rowbench${pid === undefined ? '' : ` (process ${pid})`}. Stop it, or name another folder with --data`,
  );

/** Something stored cannot be read, and going on without it would lose it. `what` names the file and the problem. */
export const dataUnreadable = (what: string, cause?: unknown) =>
  new AppError('data_unreadable', `Stored data cannot be read: ${what}`, { cause });

/** True if stored data is damaged or missing. Callers may still show the rest. */
export const isUnreadable = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'data_unreadable';

/** A workflow file that cannot be made under that name. */
export const workflowFileInvalid = (fileName: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `The workflow file ${fileName} cannot be created: ${problem}`, { cause });

/** 403: the guard's verdict on who is asking */
export const guardRefused = (reason: string) => new AppError('guard_refused', reason);
/** 400: not HTTP as we accept it */
export const malformedRequest = (cause?: unknown) =>
  new AppError('malformed_request', 'Malformed HTTP request', { cause });
/** 408: the headers or the next piece of a body did not come in time */
export const requestTimedOut = (what: 'headers' | 'body') =>
  new AppError('request_timeout', `The request's ${what} took too long to arrive`);
/** 431 */
export const headersTooLarge = () =>
  new AppError('headers_too_large', 'Request headers are too many or too large');
/** 417 */
export const expectationFailed = () =>
  new AppError('expectation_failed', 'The only Expect header that is understood is 100-continue');
/** 503: answered before anything of the request was looked at. Places become free within a second or so. */
export const tooManyConnections = () =>
  new AppError(
    'too_many_connections',
    'The server has as many connections as it serves at once. Nothing was executed; try again soon, over fewer connections',
    { retryAfterSeconds: 1 },
  );
/** The server does not start on another port instead: clients would talk to a stranger. */
export const portTaken = (port: number, host: string, cause?: unknown) =>
  new AppError(
    'port_taken',
    `Port ${port} is already taken on ${host}. Stop the program that uses it, or choose another with --port`,
    { cause },
  );
/** An address to listen on that the machine does not have or may not use. */
export const cannotListen = (port: number, host: string, cause: unknown) =>
  new AppError(
    'invalid_input',
    `Cannot listen on ${host}, port ${port}: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );

/** 400: a rerun of failed rows where every row has its output */
export const nothingToRepeat = () => new AppError('invalid_input', 'The run has no rows left to repeat');

/** 400: edited rows and the numbers that they go by */
export const rowNumbersInvalid = (problem: string) =>
  new AppError('invalid_input', `The row numbers do not fit: ${problem}`);

/** 404 */
export const rowSetNotFound = () =>
  new AppError('row_set_not_found', 'There is no such row set. It may have been removed');

/** 400: names tell sets apart */
export const rowSetNamed = (name: string) =>
  new AppError('invalid_input', `There is a row set named "${name}" already`);

/** 400 */
export const tooManyRowSets = (most: number) =>
  new AppError('invalid_input', `A workflow keeps ${most} row sets at most. Remove one first`);

/** 404: a workflow without test rows */
export const noTestRows = (workflowId: string) =>
  new AppError('row_set_not_found', `"${workflowId}" has no test rows: its input node names none`);

/** 400: a file of test rows that is not what its name says; the cause names the place. */
export const testRowsBroken = (path: string, cause: AppError) =>
  new AppError('invalid_input', `the test rows in ${path} cannot be read: ${cause.message}`, { cause });

/** 400: a rerun of another workflow's run */
export const rerunOfOther = (workflowId: string, other: string) =>
  new AppError('invalid_input', `A run of "${workflowId}" cannot repeat one of "${other}"`);

/** 400 */
export const invalidQuery = (name: string, expected: string) =>
  new AppError('invalid_input', `"${name}" in the query is not as expected: ${expected}`);

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

/** 404 */
export const keyNotFound = (id: string) => new AppError('key_not_found', `No API key has the id "${id}"`);

/** 404: the API log keeps the last calls alone */
export const callGone = (number: number, cause?: unknown) =>
  new AppError('call_not_found', `Call ${number} is not in the log any more`, { cause });
/** 400 */
export const callNotRepeatable = (problem: string) =>
  new AppError('invalid_input', `The call cannot be repeated. ${problem}`);
/** 404 */
export const secretNotFound = (name: string) =>
  new AppError('secret_not_found', `No secret has the name "${name}"`);

/** A run cannot go on without the text that it was accepted with. */
export const workflowSnapshotLost = () =>
  new AppError('workflow_invalid', 'The stored copy of the workflow cannot be read');

/** The command line's: a look into a folder does not make it. */
export const dataFolderMissing = (path: string, start: string) =>
  new AppError('invalid_input', `There is no data folder ${path}. Make one with: ${start}`);

/** A rerun without a server, which alone knows the folders that it was started with. */
export const workflowFileUnknown = (workflowId: string) =>
  new AppError(
    'workflow_not_found',
    `No file of the workflow "${workflowId}" is known here. Name the folder that holds it with --workflows DIR`,
  );

/** Trust is a matter of imported workflows alone. */
export const workflowIsOwn = (workflowId: string) =>
  new AppError(
    'invalid_input',
    `Workflow "${workflowId}" was not imported: it is your own file and always trusted`,
  );

/** 404, where the id is the user's own words */
export const workflowUnknown = (workflowId: string) =>
  new AppError('workflow_not_found', `No workflow has the id "${workflowId}"`);

/** 409: what the user saw and agreed to is not what is there now */
export const workflowChanged = (workflowId: string) =>
  new AppError(
    'move_not_allowed',
    `Workflow "${workflowId}" has changed since it was shown. Look at it again`,
  );

/** A lookup's table that cannot be read; `path` is as the workflow names it. */
export const tableUnreadable = (path: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `the table ${path} cannot be read: ${problem}`, { cause });
/** A table's text that is not what its name says; the cause names the place. */
export const tableBroken = (path: string, cause: AppError) =>
  new AppError('invalid_input', `the table ${path} cannot be read: ${cause.message}`, { cause });
export const tablesTooLarge = (path: string, maxBytes: number) =>
  new AppError(
    'invalid_input',
    `the table ${path} is too much: all tables of a run, with those of the workflows that it calls, may have ${maxBytes / 1e6} MB together`,
  );
/** A lookup by a column that the table does not have. */
export const columnMissing = (path: string, column: string) =>
  new AppError('invalid_input', `no record of the table ${path} has ${JSON.stringify(column)}`);
/** A workflow node's id that belongs to no workflow here. */
export const calledWorkflowUnknown = (workflowId: string) =>
  new AppError('invalid_input', `there is no workflow "${workflowId}"`);
/** A workflow that is called and could not run by itself. */
export const calledWorkflowBroken = (workflowId: string, problem: string) =>
  new AppError('invalid_input', `the workflow "${workflowId}" has errors: ${problem}`);
export const calledInCircle = (path: readonly string[]) =>
  new AppError('invalid_input', `these workflows call each other: ${path.join(' -> ')}`);
export const calledTooDeep = (path: readonly string[], deepest: number) =>
  new AppError(
    'invalid_input',
    `workflows may call each other ${deepest} deep at most: ${path.join(' -> ')} goes further`,
  );
/** 400 */
export const backupExists = (path: string) =>
  new AppError('invalid_input', `${path} exists; name a file that does not`);

/** A file that an import would take along; `problem` follows its path */
export const fileRefused = (path: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `${path} ${problem}`, { cause });
/** 400 */
export const nothingToImport = (path: string, problem: string) =>
  new AppError('invalid_input', `${path} ${problem}`);
/** 400: all that is wrong, at once */
export const importRefused = (problems: readonly string[]) =>
  new AppError('invalid_input', `Nothing was imported: ${problems.join('; ')}`);
/** 409 */
export const importChanged = () =>
  new AppError('move_not_allowed', 'The files have changed since they were shown. Look at them again');

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
