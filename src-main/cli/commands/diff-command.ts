import { Option, type Command } from 'commander';
import { differencesCsv, maxListedRows, type RunComparisonView } from '../../contract/index.ts';
import { count } from '../../domain/format.ts';
import type { Column } from '../../domain/query/column.ts';
import {
  commonRows,
  differingRows,
  type FieldRule,
  type RowMatching,
} from '../../domain/query/compare-runs.ts';
import {
  comparisonMarkdown,
  comparisonSummary,
  countsText,
  fieldCells,
  moreText,
  rowCells,
} from '../../domain/query/comparison-text.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { table } from '../format.ts';
import { assertKnownColumns, columnOption } from '../options/selection-options.ts';
import { assertWritable, writeOutputFile } from '../write-output-file.ts';

type DiffOptions = DataOption & {
  readonly by?: RowMatching;
  readonly ignore?: readonly string[];
  readonly ignoreCase?: readonly string[];
  readonly tolerance?: readonly string[];
  readonly limit: number;
  readonly failOn?: 'changed' | 'failing';
  readonly markdown?: boolean;
  readonly out?: string;
  readonly json?: boolean;
};

const examples = `
Examples:
  $ rowbench runs diff RUN OTHER
  $ rowbench runs diff RUN OTHER --by input.email --ignore time --tolerance score=0.01
  $ rowbench runs diff FIX~1 FIX                          what a fix changed: the rows of its chain up to attempt 1
  $ rowbench runs diff RUN OTHER --fail-on failing        for CI: exit code 1 where a row fails anew
  $ rowbench runs diff RUN OTHER --markdown > diff.md     for a pull request
  $ rowbench runs diff RUN OTHER --out differences.csv    all differences, one line per changed field`;

/** `rowbench runs diff`: what differs between the outputs of two runs. */
export function addDiffCommand(runs: Command, context: CommandContext): void {
  runs
    .command('diff')
    .summary('compare the outputs of two runs')
    .description(
      'Compares the outputs of two runs row by row. Rows are matched by their numbers where one run repeats the other, and\n' +
        'by position otherwise; --by chooses another way. Rows that only one run has are counted, and no difference.\n' +
        'RUN~2 means the newest results of the chain of a run up to its attempt 2.',
    )
    .argument(
      '<run>',
      "the run's id, or 4 or more characters of its beginning or end; with ~N, its chain up to attempt N",
    )
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
      new Option(
        '--fail-on <what>',
        'exit code 1 where any row changed or is in one run only, or where a row fails anew, and where no row could be compared',
      ).choices(['changed', 'failing']),
    )
    .addOption(new Option('--markdown', 'print Markdown, for a pull request').conflicts('json'))
    .option('--out <file>', 'also write all differences to this CSV file')
    .addOption(dataOption())
    .addOption(serverOption())
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
  const { out, limit } = options;
  if (out !== undefined) await assertWritable(out);
  const input = { firstRunId, secondRunId, matching: options.by, rules: rulesOf(options) };
  const comparison = await withControl(context, options, async (call) => {
    if (typeof input.matching === 'object' || input.rules.length > 0)
      checkNames(context, input, [
        await call('run.columns', columnsOfSide(firstRunId)),
        await call('run.columns', columnsOfSide(secondRunId)),
      ]);
    const found = await call('run.compare', { ...input, limit });
    const csv = differencesCsv((page) => call('run.comparePage', page), input);
    if (out !== undefined) await writeOutputFile(out, csv);
    return found;
  });
  if (options.failOn !== undefined && !hasCommonRow(comparison)) {
    context.terminal.err('error: no row is in both runs with a result: nothing was compared\n');
    context.exitWith(exitCode.failed);
  }
  if (fails(comparison, options.failOn)) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, comparison);
  await context.terminal.out(
    options.markdown === true ? comparisonMarkdown(comparison) : plainText(comparison),
  );
}

/** `RUN~2` has columns of its chain. */
const columnsOfSide = (side: string) => ({ runId: side.replace(/~\d+$/, ''), latest: side.includes('~') });

/** Throws a UsageError for an unknown column. An unknown field is reported alone: runs may have it some day. */
function checkNames(
  { terminal }: CommandContext,
  { matching, rules }: { readonly matching: RowMatching | undefined; readonly rules: readonly FieldRule[] },
  ofRuns: readonly (readonly Column[])[],
): void {
  if (typeof matching === 'object') for (const known of ofRuns) assertKnownColumns([matching], known);
  const outputs = ofRuns.flat().filter(({ of }) => of === 'output');
  for (const { name } of outputs.length === 0 ? [] : rules)
    if (!outputs.some((field) => field.name === name))
      terminal.err(`No output of these runs has a field "${name}"\n`);
}

const hasCommonRow = ({ counts }: RunComparisonView): boolean => commonRows(counts) - counts.notCompared > 0;

function fails({ counts }: RunComparisonView, failOn: DiffOptions['failOn']): boolean {
  if (failOn === undefined) return false;
  if (failOn === 'failing') return counts.newlyFailing > 0;
  return differingRows(counts) + counts.onlyInFirst + counts.onlyInSecond > 0;
}

function plainText(comparison: RunComparisonView): string {
  const { fields, rows } = comparison;
  return [
    `${comparisonSummary(comparison)}\n${countsText(comparison)}\n`,
    ...(fields.length === 0 ? [] : ['\n', table(['FIELD', 'CHANGED IN'], fields.map(fieldCells))]),
    ...(rows.length === 0 ? [] : ['\n', table(['ROW', 'RESULT', 'FIELDS'], rows.map(rowCells))]),
    moreText(comparison),
  ].join('');
}
