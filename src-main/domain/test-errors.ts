// Error messages about tests of workflows.
import { AppError } from '../base/app-error.ts';
import { count } from './format.ts';

/** 400: a run that cannot become a test of that file */
export const testNotSaved = (message: string, cause?: unknown) =>
  new AppError('invalid_input', message, { cause });

/** A test whose workflow asked for an answer that nothing offline has. */
export const testReachesOut = (node: string, row: number, message: string) =>
  new AppError('invalid_input', `Node "${node}" on row ${row} would reach the network: ${message}`);

/** A call that got no answer while a test was recorded. */
export const callNotRecorded = (node: string, row: number, message: string) =>
  new AppError(
    'invalid_input',
    `Node "${node}" on row ${row} got no answer that could be recorded: ${message}`,
  );

/** A test whose rules would hold too many values in memory. */
export const countedValuesExceeded = (max: number) =>
  new AppError(
    'invalid_input',
    `The "unique" rules of a test compare at most ${count(max)} different values: use fewer rows or rules`,
  );

/** A test with more rows or outputs than are held in memory. */
export const testTooLarge = (what: string, maxBytes: number) =>
  new AppError(
    'invalid_input',
    `The ${what} of a test may have at most ${maxBytes / 1e6} MB: use fewer rows`,
  );

/** A test whose rules have too much code for a row worker. */
export const rulesTooLarge = (reason: string) =>
  new AppError('invalid_input', `The rules of the test cannot be checked: ${reason}`);

/** 400: tests that ran too long while the user of the app waited */
export const testsTooLong = (seconds: number) =>
  new AppError(
    'invalid_input',
    `The tests did not end within ${seconds} seconds. Give them fewer rows or the virtual clock`,
  );

/** 400: a test that is to be recorded */
export const testHasNoCassette = (name: string) =>
  new AppError(
    'invalid_input',
    `The test "${name}" names no cassette: add "cassette: NAME.cassette.json" to it, then record it`,
  );

/** A test of a draft that a page names. */
export const draftTestMissing = (file: string, line: number) =>
  new AppError(
    'invalid_input',
    `There is no test in line ${line} of ${file} now, or the workflow has errors`,
  );

/** 503 */
export const testsStopped = () =>
  new AppError('store_degraded', 'The tests were stopped: Rowbench is ending');

/** A file that a test names for its outputs. */
export const expectedRowsInvalid = (file: string) =>
  new AppError('invalid_input', `${file} is no list of outputs: objects in JSON, null for a row without one`);
