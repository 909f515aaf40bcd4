import type { Command } from 'commander';
import { maxStatisticsColumns } from '../../contract/index.ts';
import { count } from '../../domain/format.ts';
import { columnText } from '../../domain/query/column.ts';
import type { ColumnStatistics } from '../../domain/query/column-statistics.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { table } from '../format.ts';
import { latestOption, assertKnownColumns, columnOption } from '../options/selection-options.ts';

type StatsOptions = DataOption & {
  readonly column?: readonly string[];
  readonly latest?: boolean;
  readonly json?: boolean;
};

const examples = `
Examples:
  $ rowbench runs stats RUN
  $ rowbench runs stats RUN --column input.country output.score
  $ rowbench runs stats SAMPLE --latest
  $ rowbench runs stats RUN --json`;

/** `rowbench runs stats`: what the columns of a run hold. */
export function addStatsCommand(runs: Command, context: CommandContext): void {
  runs
    .command('stats')
    .summary("show statistics of a run's columns")
    .description(
      "Counts the values of each column of a run's rows (input.NAME) and outputs (output.NAME): how many are filled,\n" +
        'empty, null or missing, their types, distinct values, the most frequent ones, and the distribution of numbers.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .option('--column <name...>', 'only these columns, such as input.country or output.score')
    .addOption(latestOption())
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((runId: string, options: StatsOptions) => showStatistics(context, runId, options));
}

async function showStatistics(context: CommandContext, runId: string, options: StatsOptions): Promise<void> {
  const named = options.column?.map(columnOption);
  const { latest } = options;
  const statistics = await withControl(context, options, async (call) => {
    const known = await call('run.columns', { runId, latest });
    const columns = named ?? known;
    assertKnownColumns(columns, known);
    const found: ColumnStatistics[] = [];
    while (found.length < columns.length) {
      const some = columns.slice(found.length, found.length + maxStatisticsColumns);
      const step = await call('run.statistics', { runId, columns: some, latest });
      if (step.isReady) found.push(...step.statistics);
    }
    return found;
  });
  if (options.json === true) return printJson(context, statistics);
  if (statistics.length === 0) context.terminal.err('The run has no columns.\n');
  else await context.terminal.out(table(header, statistics.map(statisticsRow)));
}

const header = ['COLUMN', 'TYPE', 'FILLED', 'EMPTY', 'NULL', 'MISSING', 'DISTINCT', 'VALUES'];

const statisticsRow = (column: ColumnStatistics): string[] => [
  columnText(column.column),
  Object.keys(column.types).join(', '),
  count(column.filled),
  count(column.empty),
  count(column.nulls),
  count(column.missing),
  count(column.distinct),
  [...numbersText(column), ...topText(column), ...largeText(column)].join('; '),
];

function numbersText({ numbers }: ColumnStatistics): string[] {
  if (numbers === undefined) return [];
  const { min, max, mean, median } = numbers;
  return [
    `${shortNumber(min)} to ${shortNumber(max)}, mean ${shortNumber(mean)}, median ${shortNumber(median)}`,
  ];
}

/** Values that occur more than once: a list of unique values says nothing. */
function topText({ top }: ColumnStatistics): string[] {
  const frequent = top.filter(({ rows }) => rows > 1).slice(0, 3);
  return frequent.length === 0
    ? []
    : [
        frequent
          .map(
            ({ type, text, rows }) =>
              `${type === 'text' ? shortText(text) : shortened(text)} × ${count(rows)}`,
          )
          .join(', '),
      ];
}

const largeText = ({ large }: ColumnStatistics): string[] =>
  large === 0 ? [] : [`${count(large)} too large to be counted`];

/** Number for a table: whole numbers as they are, fractions with six digits. */
const shortNumber = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));

const shortened = (text: string): string => (text.length > 24 ? `${text.slice(0, 23)}…` : text);
const shortText = (text: string): string => JSON.stringify(shortened(text));
