import { Option, type Command } from 'commander';
import {
  type Call,
  type RemovedRuns,
  type RunDetail,
  type RunView,
  maxCountedChains,
  type ChainCounts,
} from '../../contract/index.ts';
import { connectionUnknown } from '../../domain/hosted-errors.ts';
import { hostedText } from '../../domain/hosted/hosted-text.ts';
import { marksText } from '../../domain/run/run-marks.ts';
import { outcomeText } from '../../domain/run/run-outcome.ts';
import { needLines } from '../failure-lines.ts';
import { describeFailure } from '../../domain/run/row-failure.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';
import { describeNodes } from '../describe-nodes.ts';
import { chainIdOf } from '../../domain/run/chain.ts';
import { count, counted, duration, localTime } from '../../domain/format.ts';
import { whyNotMerged } from '../../domain/run/rerun-kind.ts';
import { differingAnswersText } from '../../domain/cassette/differing-answers.ts';
import { spentBudgetText } from '../../domain/run/spent-budget.ts';
import { printable, table } from '../format.ts';
import { thisMachine } from '../../domain/run/run-filter.ts';
import { addFilterOptions, filterOf, type FilterOptions } from '../options/run-filter-options.ts';
import { addDiffCommand } from './diff-command.ts';
import { addFindCommand } from './find-command.ts';
import { addLabelCommands, labelText } from './label-command.ts';
import { addMoveCommands } from './move-runs-command.ts';
import { addRemoveCommand } from './remove-command.ts';
import { addRowsCommand } from './rows-command.ts';
import { addRestCommand } from './rest-command.ts';
import { addSaveTestCommand } from './save-test-command.ts';
import { addStatsCommand } from './stats-command.ts';
import { addTraceCommand } from './trace-command.ts';
import { chainCountsText } from '../../domain/run/chain-counts-text.ts';

type JsonOption = DataOption & { readonly json?: boolean };
type ListOptions = JsonOption & FilterOptions & { readonly limit: number; readonly on?: string };

const examples = `
Examples:
  $ rowbench runs list --status failed
  $ rowbench runs show RUN
  $ rowbench runs trace RUN 3
  $ rowbench runs rows RUN --where "output.score > 50"
  $ rowbench runs stats RUN
  $ rowbench runs diff RUN OTHER
  $ rowbench runs find ada@example.org
  $ rowbench runs pin RUN
  $ rowbench runs save-test RUN --rows 1-20
  $ rowbench runs rerun RUN --failed
  $ rowbench runs remove RUN
  $ rowbench runs cancel --status queued --workflow score-leads

RUN is a run's id, or 4 or more characters of its beginning or end.`;

/** `rowbench runs`: what runs there are, and the moves along their life. */
export function addRunsCommand(program: Command, context: CommandContext): void {
  const runs = program
    .command('runs')
    .summary('list, show, search, compare, pin, pause, resume, cancel, rerun and remove runs')
    .description('Lists the runs of a data folder and moves them along their life.')
    .addHelpText('after', examples);
  addList(runs, context);
  oneRun(runs, 'show', 'Shows a run and the first of its failed rows.').action(
    (runId: string, options: JsonOption) => showRun(context, runId, options),
  );
  addTraceCommand(runs, context);
  addRowsCommand(runs, context);
  addStatsCommand(runs, context);
  addDiffCommand(runs, context);
  addFindCommand(runs, context);
  addRestCommand(runs, context);
  addSaveTestCommand(runs, context);
  addLabelCommands(runs, context);
  addMoveCommands(runs, context);
  addRemoveCommand(runs, context);
}

const oneRun = (runs: Command, name: string, description: string): Command =>
  runs
    .command(name)
    .description(description)
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption());

function addList(runs: Command, context: CommandContext): void {
  addFilterOptions(runs.command('list').description('Lists runs, the newest first.'))
    .option('--on <name>', `only runs at this hosted service, or ${thisMachine}`)
    .addOption(new Option('--limit <n>', 'how many at most').argParser(limit).default(50))
    .addOption(dataOption())
    .addOption(serverOption())
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
  const { on, limit: max } = options;
  const filter = {
    ...filterOf(options, context.clock.now()),
    limit: max,
    ...(on === undefined ? {} : { on }),
  };
  const [runs, removed, chains] = await withControl(context, options, async (call) => {
    const listed = await call('run.list', filter);
    // A connection that was removed may have runs.
    if (on !== undefined && listed.length === 0) await assertConnection(call, on);
    return [listed, await call('run.removed', {}), await chainCountsOf(call, listed)] as const;
  });
  if (options.json === true)
    return printJson(
      context,
      runs.map((run) => withChain(run, chains)),
    );
  if (runs.length === 0) context.terminal.err('No runs found.\n');
  else
    await context.terminal.out(
      table(
        columns,
        runs.map((run) => runRow(run, chains)),
      ),
    );
  // Beside the table, so that a script which reads it finds runs alone.
  if (removed !== null) context.terminal.err(`${removedRunsText(removed)}\n`);
}

/** Throws `invalid_input` for a name that is neither this machine nor a connection. */
async function assertConnection(call: Call, on: string): Promise<void> {
  const names = (await call('hosted.list', {})).map(({ name }) => name);
  if (on !== thisMachine && !names.includes(on)) throw connectionUnknown(on, names);
}

type Chains = Awaited<ReturnType<typeof chainCountsOf>>;

const withChain = <Run extends RunView>(run: Run, chains: Chains) => {
  const chain = chains.get(chainIdOf(run));
  return chain === undefined ? run : { ...run, chain };
};

/** The number is of all removals so far; the limits are those of the last one. */
function removedRunsText({ runs, lastAt, limits: { days, gigabytes } }: RemovedRuns): string {
  const limits = [
    ...(days === undefined ? [] : [counted(days, 'day')]),
    ...(gigabytes === undefined ? [] : [`${count(gigabytes)} GB`]),
  ];
  const were = runs === 1 ? 'was' : 'were';
  const then = limits.length === 1 ? 'limit then' : 'limits then';
  const suffix = limits.length === 0 ? '' : ` (${then}: ${limits.join(', ')})`;
  return `${counted(runs, 'older run')} ${were} removed by retention, last on ${localTime(lastAt)}${suffix}.`;
}

const columns = [
  'RUN',
  'WORKFLOW',
  'STATUS',
  'ROWS',
  'DONE',
  'FAILED',
  'CHAIN',
  'ACCEPTED',
  'TOOK',
  'BY',
  'MODE',
  'LABELS',
];

const runRow = (run: RunView, chains: Chains): string[] => [
  run.runId,
  run.workflowId,
  outcomeText(run),
  count(run.rows),
  count(run.rowsDone),
  count(run.rowsFailed),
  chainText(run, chains.get(chainIdOf(run))) ?? '',
  localTime(run.acceptedAt),
  durationText(run),
  run.origin,
  marksText(run),
  labelText(run),
];

/** How long it worked: its pauses are left out. */
const durationText = ({ startedAt, finishedAt, pausedMs = 0 }: RunView): string =>
  finishedAt === null ? '' : duration(Date.parse(finishedAt) - Date.parse(startedAt) - pausedMs);

async function showRun(context: CommandContext, runId: string, options: JsonOption): Promise<void> {
  const [run, nodes, chains] = await withControl(context, options, async (call) => {
    const shown = await call('run.show', { runId });
    return [shown, await call('run.nodes', { runId }), await chainCountsOf(call, [shown])] as const;
  });
  if (options.json === true) return printJson(context, { ...withChain(run, chains), nodes: nodes.nodes });
  await context.terminal.out(
    `${describeRun(run, chainText(run, chains.get(chainIdOf(run))))}${describeNodes(nodes)}`,
  );
}

const variablesText = ({ vars }: RunDetail): string | undefined => vars && JSON.stringify(vars);

function originalText({ rerunOf, rerunKind, chainId, isOriginalGone }: RunDetail): string | undefined {
  const notMerged = whyNotMerged({ rerunKind, chainId });
  if (isOriginalGone) return `${rerunOf} (no longer stored)`;
  return notMerged === undefined ? rerunOf : `${rerunOf} (not merged: ${notMerged})`;
}

const differingText = ({ differingRequests }: RunDetail): string | undefined =>
  differingRequests === undefined ? undefined : differingAnswersText(differingRequests);

const readAsText = (readAs: RunDetail['readAs']): string | undefined =>
  readAs && (readAs.text ?? `${readAs.file}: nothing to decide`);

const failureLines = ({ error = '', failures }: RunDetail): string[] => [
  ...failures.map(describeFailure),
  ...needLines([error, ...failures.map(({ message }) => message)]),
];

function describeRun(run: RunDetail, chain: string | undefined): string {
  const fields: (readonly [string, string | undefined])[] = [
    ['run', run.runId],
    ['workflow', run.workflowId],
    ['status', outcomeText(run)],
    ['error', run.error],
    ['rows', `${count(run.rows)}, ${count(run.rowsDone)} done, ${count(run.rowsFailed)} failed`],
    ['chain', chain],
    ['failures', run.failuresProblem],
    ['by', run.origin],
    ['file', run.source],
    ['read as', readAsText(run.readAs)],
    ['sample', run.sample && `${run.sample.choice} of ${counted(run.sample.rows, 'row')}`],
    ['rest of', run.isRest === true ? run.rerunOf : undefined],
    ['rerun of', originalText(run)],
    ['reruns', run.reruns.length === 0 ? undefined : run.reruns.join(', ')],
    ['hosted', hostedText(run) || undefined],
    ['mode', marksText(run) || undefined],
    ['recorded', differingText(run)],
    ['budget', run.spentBudget && spentBudgetText(run.spentBudget)],
    ['profile', run.profile],
    ['variables', variablesText(run)],
    ['scenario', run.scenario],
    ['labels', labelText(run) || undefined],
    ['note', run.labels?.note],
    ['accepted', localTime(run.acceptedAt)],
    ['started', run.status === 'queued' ? undefined : localTime(run.startedAt)],
    ['finished', run.finishedAt === null ? undefined : localTime(run.finishedAt)],
  ];
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(10)}${printable(value)}\n`],
  );
  const failures = failureLines(run).map((line) => `${printable(line)}\n`);
  return [...lines, ...(failures.length > 0 ? ['\n', ...failures] : [])].join('');
}

// Counts of the chains of listed runs. Who calls: the commands that show runs.

/** The counts by the ids of chains; those of damaged chains are missing. */
export async function chainCountsOf(
  call: Call,
  runs: readonly RunView[],
): Promise<ReadonlyMap<string, ChainCounts>> {
  const chainIds = [...new Set(runs.map(chainIdOf))];
  const counts = new Map<string, ChainCounts>();
  for (let from = 0; from < chainIds.length; from += maxCountedChains) {
    const some = chainIds.slice(from, from + maxCountedChains);
    for (const each of await call('chain.counts', { chainIds: some })) counts.set(each.chainId, each);
  }
  return counts;
}

/** Undefined if the chain has no more rows than the run. */
export const chainText = (run: RunView, chain: ChainCounts | undefined): string | undefined =>
  chain === undefined || (chain.attempts === 1 && run.sample === undefined)
    ? undefined
    : chainCountsText(chain);
