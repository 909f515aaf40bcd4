import { Option, type Command } from 'commander';
import { maxListedRows, type RunComparisonView } from '../../contract/index.ts';
import { count, counted } from '../../domain/format.ts';
import { columnText } from '../../domain/query/column.ts';
import {
  differingRows,
  pairOutcomes,
  type ChangedField,
  type ComparedRow,
  type FieldRule,
  type PairOutcome,
  type RowMatching,
} from '../../domain/query/compare-runs.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, type DataOption } from '../data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { printable, table } from '../format.ts';
import { columnOption } from './stats-command.ts';

type DiffOptions = DataOption & {
  readonly by?: RowMatching;
  readonly ignore?: readonly string[];
  readonly ignoreCase?: readonly string[];
  readonly tolerance?: readonly string[];
  readonly limit: number;
  readonly failOn?: 'changed' | 'failing';
  readonly markdown?: boolean;
  readonly json?: boolean;
};

const examples = `
Examples:
  $ rowbench runs diff RUN OTHER
  $ rowbench runs diff RUN OTHER --by input.email --ignore time --tolerance score=0.01
  $ rowbench runs diff RUN OTHER --fail-on failing        for CI: exit code 1 where a row fails anew
  $ rowbench runs diff RUN OTHER --markdown > diff.md     for a pull request`;

/** `rowbench runs diff`: what differs between the outputs of two runs. */
export function addDiffCommand(runs: Command, context: CommandContext): void {
  runs
    .command('diff')
    .summary('compare the outputs of two runs')
    .description(
      'Compares the outputs of two runs row by row. Rows are matched by their numbers where one run repeats the other, and\n' +
        'by position otherwise; --by chooses another way.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .argument('<other>', 'the run that it is compared with, named in the same way')
    .addOption(
      new Option('--by <way>', 'number, position, or a column such as input.email').argParser(matchingOf),
    )
    .option('--ignore <field...>', 'fields of the output that are not compared')
    .option('--ignore-case <field...>', 'fields whose texts are equal without regard to case')
    .option('--tolerance <field=number...>', 'fields whose numbers may differ by so much')
    .addOption(
      new Option('--limit <n>', 'how many differing rows to list at most').argParser(limitOf).default(20),
    )
    .addOption(
      new Option('--fail-on <what>', 'exit code 1 where any row changed, or where a row fails anew').choices([
        'changed',
        'failing',
      ]),
    )
    .addOption(new Option('--markdown', 'print Markdown, for a pull request').conflicts('json'))
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((run: string, other: string, options: DiffOptions) =>
      showDifferences(context, [run, other], options),
    );
}

const matchingOf = (text: string): RowMatching =>
  text === 'number' || text === 'position' ? text : columnOption(text);

function limitOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= maxListedRows) return value;
  throw new UsageError(`--limit must be a whole number from 0 to ${count(maxListedRows)}, not "${text}"`);
}

function rulesOf({ ignore = [], ignoreCase = [], tolerance = [] }: DiffOptions): FieldRule[] {
  return [
    ...tolerance.map(toleranceRule),
    ...ignoreCase.map((name) => ({ name, rule: 'ignoreCase' }) as const),
    ...ignore.map((name) => ({ name, rule: 'ignore' }) as const),
  ];
}

function toleranceRule(text: string): FieldRule {
  const equals = text.lastIndexOf('=');
  const tolerance = Number(text.slice(equals + 1));
  if (equals < 1 || text.slice(equals + 1).trim() === '' || !(tolerance >= 0 && tolerance < Infinity))
    throw new UsageError(`--tolerance takes FIELD=NUMBER, such as score=0.01, not "${text}"`);
  return { name: text.slice(0, equals), rule: 'tolerance', tolerance };
}

async function showDifferences(
  context: CommandContext,
  [firstRunId, secondRunId]: readonly [string, string],
  options: DiffOptions,
): Promise<void> {
  const rules = rulesOf(options);
  const comparison = await withControl(context, options, (call) =>
    call('run.compare', { firstRunId, secondRunId, matching: options.by, rules, limit: options.limit }),
  );
  if (fails(comparison, options.failOn)) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, comparison);
  await context.terminal.out(options.markdown === true ? markdown(comparison) : plainText(comparison));
}

function fails({ counts }: RunComparisonView, failOn: DiffOptions['failOn']): boolean {
  if (failOn === undefined) return false;
  return failOn === 'failing' ? counts.newlyFailing > 0 : differingRows(counts) > 0;
}

const outcomeLabels: Record<PairOutcome, string> = {
  same: 'same',
  changed: 'changed',
  newlyFailing: 'newly failing',
  fixed: 'fixed',
  bothFailed: 'failed in both',
  notCompared: 'not compared',
  onlyInFirst: 'only in the first run',
  onlyInSecond: 'only in the second run',
};

function plainText(comparison: RunComparisonView): string {
  const { fields, rows } = comparison;
  return [
    `${summary(comparison)}\n${countsText(comparison)}\n`,
    ...(fields.length === 0 ? [] : ['\n', table(['FIELD', 'CHANGED IN'], fields.map(fieldRow))]),
    ...(rows.length === 0 ? [] : ['\n', table(['ROW', 'RESULT', 'FIELDS'], rows.map(rowCells))]),
    moreText(comparison),
  ].join('');
}

/** A summary for a pull request, with at most as many rows as were asked for. */
function markdown(comparison: RunComparisonView): string {
  const { fields, rows } = comparison;
  return [
    `### ${differingRows(comparison.counts) === 0 ? 'No differences' : 'Differences'} between two runs\n\n`,
    `${markdownText(summary(comparison))}\n\n${countsText(comparison)}\n`,
    ...(fields.length === 0 ? [] : ['\n', markdownTable(['Field', 'Changed in'], fields.map(fieldRow))]),
    ...(rows.length === 0 ? [] : ['\n', markdownTable(['Row', 'Result', 'Fields'], rows.map(rowCells))]),
    moreText(comparison),
  ].join('');
}

function summary({
  firstRunId,
  secondRunId,
  matching,
  isSameWorkflow,
  repeatedKeys,
}: RunComparisonView): string {
  const by =
    typeof matching === 'string'
      ? `row ${matching}`.replace('row position', 'position')
      : columnText(matching);
  return [
    `${firstRunId} and ${secondRunId}, matched by ${by}.`,
    ...(isSameWorkflow ? [] : ['The workflow was changed between them.']),
    ...(repeatedKeys === 0 ? [] : [`${counted(repeatedKeys, 'row')} share their value with an earlier one.`]),
  ].join(' ');
}

const countsText = ({ counts }: RunComparisonView): string =>
  pairOutcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${count(counts[outcome])} ${outcomeLabels[outcome]}`)
    .join(', ') || 'Neither run has a row';

const fieldRow = ({ name, rows }: RunComparisonView['fields'][number]): string[] => [
  name,
  counted(rows, 'row'),
];

function moreText({ counts, rows }: RunComparisonView): string {
  const left = differingRows(counts) - rows.length;
  return left <= 0
    ? ''
    : `\n${counted(left, 'more row')} differ. --limit lists more, --json prints them whole.\n`;
}

const rowCells = ({ outcome, firstNumber, secondNumber, fields = [] }: ComparedRow): string[] => [
  firstNumber === undefined || secondNumber === undefined || firstNumber === secondNumber
    ? String(firstNumber ?? secondNumber)
    : `${firstNumber} / ${secondNumber}`,
  outcomeLabels[outcome],
  fields.map(fieldText).join('; '),
];

function fieldText({ name, before, after }: ChangedField): string {
  const text = (value: ChangedField['before']): string =>
    value === undefined ? 'absent' : shortText(JSON.stringify(value));
  const difference =
    typeof before === 'number' && typeof after === 'number' ? ` (${signed(after - before)})` : '';
  return `${name}: ${text(before)} → ${text(after)}${difference}`;
}

const signed = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${Number(difference.toPrecision(6))}`;

const shortText = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const markdownTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows.map((cells) => cells.map(markdownText))]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');

/**
 * Text of others: it neither ends a cell nor becomes HTML, a link, a mention or an image. Some sites search the finished page
 * for mentions, issues and addresses, so a zero-width space divides these.
 */
const markdownText = (text: string): string =>
  printable(text)
    .replaceAll(/[\\`*_[\]#!|<>@&~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/&#(?:35|64);|:(?=\/\/)|www(?=\.)/gi, '$&&#8203;');
