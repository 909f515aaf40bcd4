// `rowbench runs pause|resume|cancel|rerun`: one run by its id, or all that fit.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../base/app-error.ts';
import type { BulkResult, BulkVerb, Call, RunView } from '../../contract/index.ts';
import { thisMachine, type RunFilter } from '../../domain/run/run-filter.ts';
import { workflowFileUnknown } from '../../domain/workflow-errors.ts';
import { whyNotMerged } from '../../domain/run/rerun-kind.ts';
import { canMove, isFinal } from '../../domain/run/run-status.ts';
import type { ColumnTypes } from '../../domain/rows/typed-cell.ts';
import { parseReadOptions } from '../../domain/rows/files/read-options.ts';
import type { ReadReport } from '../../domain/rows/files/read-remarks.ts';
import type { ReadAs } from '../../domain/run/read-as.ts';
import type { EditedRows } from '../../domain/run/row-numbers.ts';
import { storedReading } from '../../domain/run/stored-reading.ts';
import { rowsNamed } from '../../services/rowsets/input-rows.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { count, counted } from '../../domain/format.ts';
import { printable } from '../format.ts';
import {
  addReadFlags,
  assertNoReadFlags,
  readingText,
  readOptionsOf,
  type ReadFlags,
} from '../options/read-flags.ts';
import { addFilterOptions, filterOf, type FilterOptions } from '../options/run-filter-options.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';

type MoveOptions = DataOption &
  ChoiceOptions &
  EditedRowsOptions & {
    readonly json?: boolean;
    readonly failed?: boolean;
    readonly from?: string;
    readonly on?: string;
    readonly workflows?: readonly string[];
  };

const moves = [
  [
    'pause',
    'Pauses runs: each is "pausing" until what its nodes are doing has ended, and then stands still.',
  ],
  ['resume', 'Lets paused runs go on.'],
  ['cancel', 'Cancels runs at once; the rows in flight are interrupted.'],
] as const;

export function addMoveCommands(runs: Command, context: CommandContext): void {
  for (const [verb, description] of moves) {
    someRuns(runs, verb, description).action((ids: string[], options: MoveOptions) =>
      moveCommand(context, { verb, ids, options }),
    );
  }
  const rerun = someRuns(
    runs,
    'rerun',
    'Starts new runs over the rows of old ones, with the workflows as they are now. Rows keep their numbers.',
  )
    .option('--failed', 'only the rows that failed, are unfinished or were not reached')
    .option(
      '--from <node>',
      'begin with this node: values of nodes before it are reused where they were kept',
    )
    .option(
      '--rows <file>',
      "rows in place of the run's own, as .json, .ndjson, .csv, .tsv or .xlsx; - reads standard input",
    )
    .option(
      '--numbers <list>',
      'the numbers of those rows in the run, such as 3,7-9; without them, --latest does not merge the rows',
    )
    .option(
      '--on <name>',
      `where it runs: a connection to a hosted service, or ${thisMachine} (default: where the run was)`,
    )
    .option('--workflows <dir...>', 'folders with workflow files, where no server runs');
  addReadFlags(rerun).action((ids: string[], options: MoveOptions) =>
    moveCommand(context, { verb: 'rerun', ids, options }),
  );
}

const someRuns = (runs: Command, name: string, description: string): Command =>
  addFilterOptions(
    runs
      .command(name)
      .description(description)
      .argument('[run...]', "runs by their ids, or by 4 or more characters of an id's beginning or end"),
  )
    .option('--yes', 'do not ask, however many runs fit')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption());

type Move = { readonly verb: BulkVerb; readonly ids: readonly string[]; readonly options: MoveOptions };

function moveCommand(context: CommandContext, move: Move): Promise<void> {
  const { ids, options } = move;
  const [runId] = ids;
  return withControl(context, options, async (call, { remote }) => {
    const isFiltered = Object.keys(filterOf(options, context.clock.now())).length > 0;
    if (runId === undefined || ids.length > 1 || isFiltered) return moveMany(context, call, move);
    try {
      await moveOne(context, call, { ...move, runId });
    } catch (error) {
      if (remote || !(error instanceof AppError) || error.code !== 'workflow_not_found') throw error;
      throw workflowFileUnknown((await call('run.show', { runId })).workflowId);
    }
  });
}

const rowsOf = ({ failed }: MoveOptions): 'all' | 'failed' => (failed === true ? 'failed' : 'all');

async function moveOne(
  context: CommandContext,
  call: Call,
  { verb, runId, options }: Move & { readonly runId: string },
): Promise<void> {
  const { terminal } = context;
  if (verb !== 'rerun') {
    const run = await call(`run.${verb}`, { runId });
    if (options.json === true) return printJson(context, run);
    return terminal.err(`Run ${run.runId} is ${run.status}.\n`);
  }
  const rows = (await editedRows(options, () => rowsForRun(context, call, runId))) ?? rowsOf(options);
  const from = options.from === undefined ? {} : { from: options.from };
  const on = options.on === undefined ? {} : { on: options.on };
  const run = await call('run.rerun', { runId, rows, ...from, ...on, by: 'cli' });
  const readAs = typeof rows === 'object' ? rows.readAs : undefined;
  if (options.json === true) return printJson(context, { ...run, ...(readAs && { readAs }) });
  await terminal.out(`${run.runId}\n`);
  terminal.err(
    `Run ${run.runId} is ${run.status}: ${counted(run.rows, 'row')} of ${run.rerunOf ?? runId}.\n`,
  );
  const notMerged = whyNotMerged(run);
  if (notMerged !== undefined) terminal.err(`--latest does not merge it with that run: ${notMerged}.\n`);
  if (run.from !== undefined) terminal.err(`${describeReuse(run.from, run.rows)}\n`);
}

/** Small enough that a page of reruns, which copy rows, is answered in time. */
const pageSize = { pause: 1000, resume: 1000, cancel: 1000, rerun: 20 } as const;

async function moveMany(context: CommandContext, call: Call, { verb, ids, options }: Move): Promise<void> {
  const wording = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
  if (
    options.rows !== undefined ||
    options.numbers !== undefined ||
    [options.from, options.on].some((option) => option !== undefined)
  )
    throw new UsageError('--rows, --from and --on go with one run: name it');
  const suits = suitsVerb(verb, rowsOf(options));
  assertNoReadFlags(readOptionsOf(options));
  const chosen = await chooseRuns(context, call, { named: ids, options, verb: wording, suits });
  if (chosen === undefined) {
    context.terminal.err('Nothing was changed.\n');
    return context.exitWith(exitCode.failed);
  }
  const results = await inPages(call, chosen, { verb, rows: rowsOf(options) });
  // A run that fitted and ended meanwhile is no failure; one that was named and cannot be moved is.
  if (ids.length > 0 && results.some(({ outcome }) => outcome === 'refused'))
    context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, { results });
  for (const { newRunId } of results) if (newRunId !== undefined) await context.terminal.out(`${newRunId}\n`);
  context.terminal.err(describeResults(results, verb));
}

function describeReuse(from: { readonly rows: number }, rows: number): string {
  if (from.rows === 0) return 'No values are reused: all rows run whole.';
  const others = from.rows < rows ? '; the others run whole' : '';
  return `Values of earlier nodes are reused in ${count(from.rows)} of ${counted(rows, 'row')}${others}.`;
}

function suitsVerb(verb: BulkVerb, rows: 'all' | 'failed'): (run: RunView) => boolean {
  if (verb !== 'rerun') return ({ status }) => canMove(status, verb);
  return ({ status, rows: all, rowsDone }) => isFinal(status) && (rows === 'all' || rowsDone < all);
}

async function inPages(
  call: Call,
  { ids, filter }: Chosen,
  order: { readonly verb: BulkVerb; readonly rows: 'all' | 'failed' },
): Promise<BulkResult[]> {
  // Listed newest first; repeated in the order in which they came.
  const inOrder = order.verb === 'rerun' || order.verb === 'resume' ? [...ids].reverse() : ids;
  const size = pageSize[order.verb];
  const results: BulkResult[] = [];
  for (let start = 0; start < ids.length; start += size) {
    const runIds = inOrder.slice(start, start + size);
    const answer = await call('run.bulk', { ...order, filter: { ...filter, runIds }, by: 'cli' });
    results.push(...answer.results);
  }
  return results;
}

function describeResults(results: readonly BulkResult[], verb: BulkVerb): string {
  if (results.length === 0) return 'No runs fit.\n';
  const moved = results.filter(({ outcome }) => outcome === 'moved');
  const statuses = [...new Set(moved.map(({ status }) => status))].join(' or ');
  const what = verb === 'rerun' ? 'repeated' : `now ${statuses}`;
  const lines = moved.length === 0 ? [] : [`${counted(moved.length, 'run')} ${what}.`];
  for (const { runId, outcome, status, reason } of results) {
    if (outcome === 'left') lines.push(`Run ${runId} is ${status ?? 'gone'} and was left alone.`);
    if (outcome === 'refused') lines.push(`Run ${runId}: ${printable(reason ?? 'refused')}.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/**
 * Selects the runs for a verb: named runs, or those that match a filter. More than one run that the user has not named
 * is moved only after a yes.
 */
type ChoiceOptions = FilterOptions & { readonly yes?: boolean };

type Choice = {
  /** As they were named. */
  readonly named: readonly string[];
  readonly options: ChoiceOptions;
  /** As in "Cancel 3 runs?". */
  readonly verb: string;
  /** True if the action applies to the run in its current status. */
  readonly suits: (run: RunView) => boolean;
};

/** As many as the server lists. */
const maxListedRuns = 10_000;

type Chosen = { readonly ids: readonly string[]; readonly filter: RunFilter };

/** Undefined after a no. Throws a UsageError when the command selects no runs, or when no user can be asked. */
async function chooseRuns(context: CommandContext, call: Call, choice: Choice): Promise<Chosen | undefined> {
  const { named, options } = choice;
  const filter = filterOf(options, context.clock.now());
  const isFiltered = Object.keys(filter).length > 0;
  if (named.length > 0 && isFiltered) throw new UsageError('Name runs or say which fit, not both');
  if (named.length > 0) return { ids: named, filter };
  if (!isFiltered) throw new UsageError('Name a run, or say which runs with --status, --workflow or --since');
  const found = (await call('run.list', { ...filter, limit: maxListedRuns })).filter(choice.suits);
  const ids = found.map(({ runId }) => runId);
  if (ids.length > 1 && options.yes !== true && !(await isAgreed(context, choice.verb, found)))
    return undefined;
  return { ids, filter };
}

function isAgreed(
  { terminal }: CommandContext,
  verb: string,
  runs: readonly RunView[],
): boolean | Promise<boolean> {
  const workflows = [...new Set(runs.map(({ workflowId }) => workflowId))];
  const where = workflows.length === 1 ? `of ${workflows.join('')}` : `of ${workflows.length} workflows`;
  if (terminal.ask === undefined)
    throw new UsageError(`${runs.length} runs ${where} fit: add --yes to ${verb.toLowerCase()} them all`);
  return confirm(terminal.ask, `${verb} ${runs.length} runs ${where}?`);
}

/** `--rows FILE --numbers 3,7-9`: rows in place of those of the run that is repeated. */
type EditedRowsOptions = ReadFlags & {
  readonly rows?: string;
  readonly numbers?: string;
};

type ReadFileRows = {
  /** Types of the fields of the workflow's input node. */
  readonly types: ColumnTypes;
  /** How the file was read that the run has its rows of. */
  readonly readAs: ReadAs | undefined;
  readonly workerScript: string;
  readonly onRead: (text: string) => void;
};

async function rowsForRun(
  { workerScript, terminal }: CommandContext,
  call: Call,
  runId: string,
): Promise<ReadFileRows> {
  const { readAs, workflowId } = await call('run.show', { runId });
  const { fields } = await call('rows.entry', { workflowId });
  return {
    types: new Map(fields.map(({ name, type }) => [name, type])),
    readAs,
    workerScript,
    onRead: (text) => terminal.err(text),
  };
}

/**
 * Undefined without `--rows`. The file of the run is read as it was then, unless options say otherwise. Throws
 * `invalid_input` for a file that cannot be read as rows.
 * @param rowsOfRun called only if there is a file
 */
export async function editedRows(
  { rows, numbers, ...flags }: EditedRowsOptions,
  rowsOfRun: () => Promise<ReadFileRows>,
): Promise<EditedRows | undefined> {
  const fromFlags = readOptionsOf(flags);
  if (rows === undefined) {
    if (numbers !== undefined) throw new UsageError('--numbers says which rows those of --rows FILE are');
    assertNoReadFlags(fromFlags);
    return undefined;
  }
  const { types, readAs: before, workerScript, onRead } = await rowsOfRun();
  const file = basename(rows);
  const read = { ...(before?.file === file ? parseReadOptions(before.options) : {}), ...fromFlags };
  let readAs: ReadAs | undefined;
  const onReport = (report: ReadReport): void => {
    onRead(readingText(rows, report));
    readAs = storedReading(file, report);
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of rowsNamed(rows, types, { workerScript, read, onReport })) pieces.push(piece);
  const lines = Buffer.concat(pieces).toString('utf8');
  return {
    lines,
    ...(numbers === undefined ? {} : { numbers: numbersOf(numbers) }),
    ...(readAs === undefined ? {} : { readAs }),
  };
}

/** No list of numbers on a command line is longer. */
const maxNumbers = 100_000;

/** `3,7-9` is 3, 7, 8 and 9. Throws a UsageError that names the option. */
export function numbersOf(text: string, option = '--numbers'): number[] {
  const numbers: number[] = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^\s*(\d{1,7})(?:-(\d{1,7}))?\s*$/.exec(part) ?? [];
    const isRising = Number(first) <= Number(last);
    if (!isRising || Number(last) - Number(first) + numbers.length >= maxNumbers)
      throw new UsageError(`${option} must be row numbers such as 3,7-9, not "${text}"`);
    for (let number = Number(first); number <= Number(last); number += 1) numbers.push(number);
  }
  return numbers;
}
