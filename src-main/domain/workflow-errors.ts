// Error messages about workflows and the files that they name; see `test-errors.ts` for those about tests. The interface
// document fixes the messages marked (interface): they must not change by a letter.
import { AppError } from '../base/app-error.ts';
import { didYouMean } from './closest-name.ts';
import { count } from './format.ts';
import { profilesFileName } from './profiles/profile-names.ts';
import { withOptionKeys, withoutOptions } from './rows/files/read-options.ts';
import { describePosition, type TextPosition } from './rows/text-position.ts';

/** (interface) 404 */
export const workflowNotFound = () => new AppError('workflow_not_found', 'Workflow not found');

/** 422: the workflow is known, but its file does not validate */
export const workflowInvalid = (workflowId: string, problems: readonly string[]) =>
  new AppError(
    'workflow_invalid',
    `Workflow "${workflowId}" cannot run, its file has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}: ${problems.join('; ')}`,
  );

/** 422: variables that neither the file nor a profile gives a value; `line` from 1 */
export const variablesUnset = (
  workflowId: string,
  unset: readonly { readonly name: string; readonly line: number }[],
) =>
  workflowInvalid(
    workflowId,
    unset.map(
      ({ name, line }) =>
        `line ${line}: the variable "${name}" has no value: write a default, or run with a profile that has one`,
    ),
  );

/** 400: a profile that the folder of the workflow does not have */
export const profileUnknown = (name: string, known: readonly string[]) =>
  new AppError(
    'invalid_input',
    known.length === 0
      ? `There is no profile ${JSON.stringify(name)}: no ${profilesFileName} beside the workflow names one`
      : `There is no profile ${JSON.stringify(name)}${didYouMean(name, known)}; there are: ${known.join(', ')}`,
  );

/** 400: a file of profiles with errors */
export const profilesInvalid = (problem: string) =>
  new AppError('invalid_input', `No profile can be used: ${problem}`);

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

/** A rows file that cannot be read. `where`: the position in words, such as a line and a CSV column's name. */
export const rowsInvalid = (position: TextPosition, problem: string, where = describePosition(position)) =>
  new AppError('invalid_input', `${where}: ${problem}`, { textFault: { ...position, problem } });

/** A table that cannot be read, wherever its text is at fault. */
export const tableInvalid = (path: string, problem: string) =>
  new AppError('invalid_input', `${path}: ${problem}`);

/** A recording that outgrows what is read back. */
export const cassetteFull = (maxBytes: number) =>
  new AppError(
    'invalid_input',
    `The cassette would grow over ${Math.floor(maxBytes / 1e6)} MB. Record fewer rows, or smaller answers`,
  );

/** A replay without anything to play. */
export const cassetteMissing = (label: string, hint: string) =>
  new AppError('invalid_input', `There is no cassette ${label}. ${hint}`);

/** 400: an edit that a file cannot hold */
export const editTooLarge = (maxLength: number, maxDepth: number) =>
  new AppError(
    'invalid_input',
    `The file cannot hold this: it has at most ${count(maxLength)} characters and ${maxDepth} levels of lists and objects`,
  );

/** A cassette that cannot be used as it is, and is never overwritten. */
export const cassetteInvalid = (label: string, problem: string) =>
  new AppError('invalid_input', `The cassette ${label} cannot be read: ${problem}`);

/** A cassette beside a workflow whose disk or folder refuses it. */
export const cassetteNotWritten = (path: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `The cassette ${path} could not be written (${problem})`, { cause });

/** A workflow file that cannot be made under that name. */
export const workflowFileInvalid = (fileName: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `The workflow file ${fileName} cannot be created: ${problem}`, { cause });

/** 400: a file of a workflow that could not be written */
export const fileNotSaved = (fileName: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `${fileName} was not saved: ${problem}`, { cause });

/** 400: a file that is not the workflow's own, nor its tests or cassette */
export const fileNotEditable = (fileName: string, workflowId: string) =>
  new AppError('invalid_input', `${fileName} is not a file of the workflow "${workflowId}"`);

/** 400: two windows must not store drafts of one workflow */
export const editedElsewhere = () =>
  new AppError('invalid_input', 'Another window edits this workflow. Choose "Edit here" to take over');

/** 400: changes of a window's texts that do not fit them */
export const changeInvalid = (problem: string) =>
  new AppError('invalid_input', `The text cannot be changed: ${problem}`);

/** 413: a change that makes the texts of a window too long. `texts`: the name of a file, or of all. */
export const textsTooLong = (texts: string, maxCharacters: number) =>
  new AppError(
    'body_too_large',
    `${texts} would have more than ${maxCharacters / 1e6} million characters: shorten the text`,
  );

/** 400: a new id of a workflow that is another workflow's */
export const idTaken = (workflowId: string, file: string) =>
  new AppError('invalid_input', `The id "${workflowId}" is taken by ${file}`);

/** 400: a new workflow's file must have its id */
export const idNotInText = (workflowId: string) =>
  new AppError('invalid_input', `The text does not have the id "${workflowId}"`);

/** 400: a folder that a workflow cannot be created in */
export const folderNotServed = (folder: string) =>
  new AppError('invalid_input', `No workflow can be created in ${folder}`);

/** A template that is none of the examples. */
export const templateUnknown = (template: string, known: readonly string[]) =>
  new AppError('invalid_input', `There is no template "${template}". There are: ${known.join(', ')}`);

/** 400: an imported workflow is known by its folder */
export const importIdFixed = (workflowId: string) =>
  new AppError(
    'invalid_input',
    `The id of an imported workflow stays: this one was imported as "${workflowId}". Import it again with --as ID`,
  );

/** 400: the history keeps a bounded number of texts */
export const savedTextNotFound = () =>
  new AppError('invalid_input', 'This text is not in the history any more');

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
  new AppError('invalid_input', `the test rows in ${path} cannot be read: ${withOptionKeys(cause.message)}`, {
    cause,
  });

/** A run cannot go on without the text that it was accepted with. */
export const workflowSnapshotLost = () =>
  new AppError('workflow_invalid', 'The stored copy of the workflow cannot be read');

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

/** 400: a call for a row that no preview has shown */
export const previewMissing = (row: number) =>
  new AppError('invalid_input', `Preview the draft first: row ${row} has not been previewed`);

/** 400: no call of the node has an answer that could be kept */
export const callNotMade = (nodeId: string, row: number) =>
  new AppError('invalid_input', `The node "${nodeId}" was not called for row ${row}: call it first`);

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
  new AppError('invalid_input', `the table ${path} cannot be read: ${withoutOptions(cause.message)}`, {
    cause,
  });

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

/** A file that an import would take along; `problem` follows its path */
export const fileRefused = (path: string, problem: string, cause?: unknown) =>
  new AppError('invalid_input', `${path} ${problem}`, { cause });

/** 400 */
export const nothingToImport = (path: string, problem: string) =>
  new AppError('invalid_input', `${path} ${problem}`);

/** 400: all that is wrong, at once */
export const importRefused = (problems: readonly string[]) =>
  new AppError('invalid_input', `Nothing was imported: ${problems.join('; ')}`);

/** 400 */
export const importsPublished = () =>
  new AppError(
    'invalid_input',
    'The workflows of a team are not imported but published, all together: rowbench publish FOLDER --server URL',
  );

/** 400 */
export const publishRefused = (problems: readonly string[]) =>
  new AppError('invalid_input', `Nothing was published: ${problems.join('; ')}`);

/** 400 */
export const publishTooLarge = (bytes: number, maxBytes: number) =>
  new AppError(
    'invalid_input',
    `Nothing was published: the files have ${(bytes / 1e6).toFixed(1)} MB. Through a server at most ${maxBytes / 1e6} MB can be published: use --database`,
  );

/** 400 */
export const noTeamToPublishTo = () =>
  new AppError(
    'invalid_input',
    'This server has a data folder and no team: import workflows into it instead of publishing them',
  );

/** 409 */
export const importChanged = () =>
  new AppError('move_not_allowed', 'The files have changed since they were shown. Look at them again');
