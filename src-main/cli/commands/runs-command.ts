import { Option, type Command } from 'commander';
import { AppError } from '../../base/app-error.ts';
import type { RunDetail, RunView } from '../../contract/index.ts';
import { workflowFileUnknown } from '../../domain/errors.ts';
import { describeFailure } from '../../domain/run/row-failure.ts';
import { runStatuses, type RunStatus } from '../../domain/run/run-status.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, type DataOption } from '../data-option.ts';
import { UsageError } from '../exit-code.ts';
import { count, counted, duration, localTime, printable, table } from '../format.ts';

type JsonOption = DataOption & { readonly json?: boolean };
type ListOptions = JsonOption & {
  readonly status?: RunStatus;
  readonly workflow?: string;
  readonly limit: number;
};
type RerunOptions = JsonOption & { readonly failed?: boolean; readonly workflows?: readonly string[] };

const examples = `
Examples:
  $ rowbench runs list --status failed
  $ rowbench runs show RUN
  $ rowbench runs rerun RUN --failed`;

const moves = [
  ['pause', 'Pauses a run: it is "pausing" until what its nodes are doing has ended, and then stands still.'],
  ['resume', 'Lets a paused run go on.'],
  ['cancel', 'Cancels a run at once; the rows in flight are interrupted.'],
] as const;

/** `rowbench runs`: what runs there are, and the moves along their life. */
export function addRunsCommand(program: Command, context: CommandContext): void {
  const runs = program
    .command('runs')
    .summary('list, show, pause, resume, cancel and rerun runs')
    .description('Lists the runs of a data folder and moves them along their life.')
    .addHelpText('after', examples);
  addList(runs, context);
  oneRun(runs, 'show', 'Shows a run and the first of its failed rows.').action(
    (runId: string, options: JsonOption) => showRun(context, runId, options),
  );
  for (const [move, description] of moves) {
    oneRun(runs, move, description).action((runId: string, options: JsonOption) =>
      moveRun(context, options, { name: `run.${move}`, runId }),
    );
  }
  oneRun(
    runs,
    'rerun',
    'Starts a new run over the rows of an old one, with the workflow as it is now. Its rows keep their numbers.',
  )
    .option('--failed', 'only the rows that failed or were not reached')
    .option('--workflows <dir...>', 'folders with workflow files, where no server runs')
    .action((runId: string, options: RerunOptions) => rerunRun(context, runId, options));
}

const oneRun = (runs: Command, name: string, description: string): Command =>
  runs
    .command(name)
    .description(description)
    .argument('<run>', 'id of the run')
    .addOption(dataOption())
    .addOption(jsonOption());

function addList(runs: Command, context: CommandContext): void {
  runs
    .command('list')
    .description('Lists runs, the newest first.')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(runStatuses))
    .option('--workflow <id>', 'only runs of this workflow')
    .addOption(new Option('--limit <n>', 'how many at most').argParser(limit).default(50))
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((options: ListOptions) => listRuns(context, options));
}

function limit(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 10_000) {
    throw new UsageError(`--limit must be a whole number from 1 to 10,000, not "${text}"`);
  }
  return value;
}

async function listRuns(context: CommandContext, options: ListOptions): Promise<void> {
  const filter = {
    limit: options.limit,
    ...(options.status === undefined ? {} : { status: options.status }),
    ...(options.workflow === undefined ? {} : { workflowId: options.workflow }),
  };
  const runs = await withControl(context, options, (call) => call('run.list', filter));
  if (options.json === true) return printJson(context, runs);
  if (runs.length === 0) return context.terminal.err('No runs found.\n');
  await context.terminal.out(table(columns, runs.map(runRow)));
}

const columns = ['RUN', 'WORKFLOW', 'STATUS', 'ROWS', 'DONE', 'FAILED', 'ACCEPTED', 'TOOK', 'BY'];

const runRow = (run: RunView): string[] => [
  run.runId,
  run.workflowId,
  run.status,
  count(run.rows),
  count(run.rowsDone),
  count(run.rowsFailed),
  localTime(run.acceptedAt),
  run.finishedAt === null ? '' : duration(Date.parse(run.finishedAt) - Date.parse(run.startedAt)),
  run.origin,
];

async function showRun(context: CommandContext, runId: string, options: JsonOption): Promise<void> {
  const run = await withControl(context, options, (call) => call('run.show', { runId }));
  if (options.json === true) return printJson(context, run);
  await context.terminal.out(describeRun(run));
}

function describeRun(run: RunDetail): string {
  const facts: (readonly [string, string | undefined])[] = [
    ['run', run.runId],
    ['workflow', run.workflowId],
    ['status', run.status],
    ['error', run.error],
    ['rows', `${count(run.rows)}, ${count(run.rowsDone)} done, ${count(run.rowsFailed)} failed`],
    ['by', run.origin],
    ['rerun of', run.rerunOf],
    ['accepted', localTime(run.acceptedAt)],
    ['started', run.status === 'queued' ? undefined : localTime(run.startedAt)],
    ['finished', run.finishedAt === null ? undefined : localTime(run.finishedAt)],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(10)}${printable(value)}\n`],
  );
  const failures = run.failures.map((failure) => `${printable(describeFailure(failure))}\n`);
  return [...lines, ...(failures.length > 0 ? ['\n', ...failures] : [])].join('');
}

type Move = { readonly name: 'run.pause' | 'run.resume' | 'run.cancel'; readonly runId: string };

async function moveRun(context: CommandContext, options: JsonOption, { name, runId }: Move): Promise<void> {
  const run = await withControl(context, options, (call) => call(name, { runId }));
  if (options.json === true) return printJson(context, run);
  context.terminal.err(`Run ${run.runId} is ${run.status}.\n`);
}

async function rerunRun(context: CommandContext, runId: string, options: RerunOptions): Promise<void> {
  const rows = options.failed === true ? 'failed' : 'all';
  const run = await withControl(context, options, async (call, { remote }) => {
    try {
      return await call('run.rerun', { runId, rows });
    } catch (error) {
      if (remote || !(error instanceof AppError) || error.code !== 'workflow_not_found') throw error;
      throw workflowFileUnknown((await call('run.show', { runId })).workflowId);
    }
  });
  if (options.json === true) return printJson(context, run);
  await context.terminal.out(`${run.runId}\n`);
  context.terminal.err(`Run ${run.runId} is ${run.status}: ${counted(run.rows, 'row')} of ${runId}.\n`);
}
