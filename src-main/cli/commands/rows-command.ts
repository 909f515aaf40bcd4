import { Option, type Command } from 'commander';
import {
  maxTableRows,
  shortId,
  type Call,
  type Condition,
  type RowSelection,
  type SelectedRow,
} from '../../contract/index.ts';
import { count, counted } from '../../domain/format.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';
import { table } from '../format.ts';
import {
  addWhereOption,
  latestOption,
  sortOption,
  assertKnownColumns,
  selectedColumns,
} from '../options/selection-options.ts';

type RowsOptions = DataOption & {
  readonly where?: readonly Condition[];
  readonly failed?: boolean;
  readonly sort?: RowSelection['sort'];
  readonly latest?: boolean;
  readonly limit: number;
  readonly json?: boolean;
};

/** Maximum rows that one command shows: an export has more. */
const maxRows = 10_000;

const examples = `
Examples:
  $ rowbench runs rows RUN --where "output.score > 50" --sort output.score:desc
  $ rowbench runs rows RUN --where 'input.country = "DE"' --where "input.email is not empty"
  $ rowbench runs rows RUN --failed --json
  $ rowbench runs rows SAMPLE --latest --sort output.score:desc

A VALUE is JSON where it can be read as JSON, else a text: = 50 finds the number, = "50" the text.`;

/** `rowbench runs rows`: the rows of a run with what came of them. */
export function addRowsCommand(runs: Command, context: CommandContext): void {
  const command = runs
    .command('rows')
    .summary('show the rows of a run, filtered and sorted')
    .description("Shows a run's rows with their outputs, or why they failed. Values are cut to fit.")
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end");
  addWhereOption(command)
    .option('--failed', 'only rows that failed')
    .addOption(sortOption())
    .addOption(latestOption())
    .addOption(new Option('--limit <n>', 'how many rows to show at most').argParser(limitOf).default(20))
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((runId: string, options: RowsOptions) => showRows(context, runId, options));
}

function limitOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= maxRows) return value;
  throw new UsageError(`--limit must be a whole number from 1 to ${count(maxRows)}, not "${text}"`);
}

async function showRows(context: CommandContext, runId: string, options: RowsOptions): Promise<void> {
  const { where = [], failed = false, sort, latest, limit } = options;
  const onlyFailed: readonly Condition[] = failed ? [{ of: 'state', states: ['failed'] }] : [];
  const selection = { conditions: [...onlyFailed, ...where], sort, latest };
  const { rows, total, leftOut } = await withControl(context, options, async (call) => {
    const columns = selectedColumns(selection);
    if (columns.length > 0) assertKnownColumns(columns, await call('run.columns', { runId, latest }));
    return readRows(call, { runId, selection, limit });
  });
  if (options.json === true) return printJson(context, rows);
  if (rows.length > 0) await context.terminal.out(tableOf(rows));
  const shown =
    rows.length < total ? `${count(rows.length)} of ${counted(total, 'row')}` : counted(total, 'row');
  const large = leftOut === 0 ? '' : `; ${counted(leftOut, 'row')} too large to be looked into`;
  context.terminal.err(`${shown}${large}\n`);
}

type RowsRequest = { readonly runId: string; readonly selection: RowSelection; readonly limit: number };

async function readRows(call: Call, { runId, selection, limit }: RowsRequest) {
  const rows: SelectedRow[] = [];
  let asOf: number | undefined;
  for (;;) {
    const page = await call('run.table', {
      runId,
      selection,
      from: rows.length + 1,
      count: Math.min(maxTableRows, limit - rows.length),
      asOf,
    });
    if (!page.isReady) continue;
    asOf = page.there;
    rows.push(...page.rows);
    if (rows.length >= limit || page.rows.length === 0) return { ...page, rows };
  }
}

function tableOf(rows: readonly SelectedRow[]): string {
  const names = (of: 'input' | 'output'): readonly string[] => [
    ...new Set(rows.flatMap((row) => row[of].map(({ name }) => name))),
  ];
  const columns = [
    ...names('input').map((name) => ({ of: 'input', name }) as const),
    ...names('output').map((name) => ({ of: 'output', name }) as const),
  ];
  const hasFailures = rows.some(({ failure }) => failure !== undefined);
  const hasRuns = rows.some(({ runId }) => runId !== undefined);
  return table(
    [
      'ROW',
      ...(hasRuns ? ['RUN'] : []),
      'STATE',
      ...columns.map(({ of, name }) => `${of}.${name}`),
      ...(hasFailures ? ['FAILURE'] : []),
    ],
    rows.map((row) => [
      String(row.row),
      ...(row.runId === undefined ? [] : [shortId(row.runId)]),
      row.state ?? 'not run',
      ...columns.map(({ of, name }) => shortened(row[of].find((field) => field.name === name)?.text ?? '')),
      ...(row.failure === undefined ? [] : [shortened(`${row.failure.nodeId}: ${row.failure.message}`)]),
    ]),
  );
}

const maxCellLength = 40;
const shortened = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
