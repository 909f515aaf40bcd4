import { relative } from 'node:path';
import type { Command } from 'commander';
import type { RunFixtureView } from '../../contract/index.ts';
import { isCounted } from '../../domain/tests/test-of-run.ts';
import { countTests, type FileReport } from '../../domain/tests/test-report.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import { numbersOf } from './move-runs-command.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { counted } from '../../domain/format.ts';
import { plainText } from '../terminal/terminal.ts';
import type { SavedTest } from '../../services/tests/save-test.ts';
import { AppError } from '../../base/app-error.ts';

type SaveOptions = DataOption & {
  readonly rows?: string;
  readonly name?: string;
  readonly out?: string;
  readonly workflows?: readonly string[];
  readonly json?: boolean;
};

/** `rowbench runs save-test`: a test that expects what came of a run. */
export function addSaveTestCommand(runs: Command, context: CommandContext): void {
  runs
    .command('save-test')
    .summary('make a test of a run that has ended')
    .description(
      "Writes a test into the tests file beside the workflow: the run's rows and mocks, and what came of them. Up to\n" +
        '20 small rows stand in the file itself, more of them (1,000 at most) in files beside it. Then runs it once.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .option('--rows <list>', 'numbers of the rows, such as 1-20,25 (default: all)')
    .option('--name <name>', "the test's name (default: made of the rows and the run)")
    .option('--out <file>', 'another tests file, beside the same workflow or a copy of it')
    .option('--workflows <dir...>', 'folders with workflow files, where no server runs')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((runId: string, options: SaveOptions) => saveTestCommand(context, runId, options));
}

async function saveTestCommand(context: CommandContext, runId: string, options: SaveOptions): Promise<void> {
  const { name, out } = options;
  if (name !== undefined && (name.trim() === '' || name.length > 200))
    throw new UsageError('--name must have 1 to 200 characters');
  // The other commands for runs do not load the parsers of files.
  const { offlineCassettes } = await import('../../services/tests/test-calls.ts');
  const { saveTest } = await import('../../services/tests/save-test.ts');
  const { tryTest } = await import('../tests/try-test.ts');
  const rows = options.rows === undefined ? undefined : risingOnce(numbersOf(options.rows, '--rows'));
  const fixture = await withControl(context, options, (call) => call('run.fixture', { runId, rows }));
  const openCassette = offlineCassettes(dataDirOf(context, options), context.clock);
  const saved = await saveTest({ fixture, name, out, openCassette }).catch(asUsage);
  const report =
    saved.missingCassette === undefined ? await tryTest(context, saved, openCassette) : undefined;
  const passes = report === undefined ? null : countTests([report]).failed === 0;
  if (passes === false) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, { ...saved, passes });
  await printSaved(context, { fixture, saved, report, passes });
}

/** A name or file that does not fit is a wrong call. */
function asUsage(error: unknown): never {
  throw error instanceof AppError && error.code === 'invalid_input' ? new UsageError(error.message) : error;
}

const risingOnce = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

type SavedTestReport = {
  readonly fixture: RunFixtureView;
  readonly saved: SavedTest;
  readonly report: FileReport | undefined;
  readonly passes: boolean | null;
};

async function printSaved(
  { terminal, command }: CommandContext,
  { fixture, saved, report, passes }: SavedTestReport,
): Promise<void> {
  const { name, files, missingCassette } = saved;
  const file = relative('.', saved.file);
  terminal.err(`Saved ${JSON.stringify(name)} (${counted(saved.rows, 'row')}) in ${file}\n`);
  for (const path of files) terminal.err(`  with ${relative('.', path)}\n`);
  if (!isCounted(fixture.rows))
    terminal.err(
      'In the test these rows are numbered from 1: what goes by the number of a row may differ from the run.\n',
    );
  if (!fixture.isFileAsRun) terminal.err('The workflow has changed since the run.\n');
  const filter = `${command} test ${file} --filter ${JSON.stringify(name)}`;
  if (missingCassette !== undefined)
    terminal.err(
      `It makes calls, and there is no ${missingCassette} yet. To make the calls once and keep the answers:\n  ${filter} --record\n`,
    );
  if (passes === true) terminal.err('It passes.\n');
  if (passes !== false || report === undefined) return;
  const { describeFile } = await import('../tests/describe-report.ts');
  terminal.err(plainText(describeFile({ ...report, file })));
  terminal.err(
    `It does not pass: tests have a seed and a date of their own, so chance and time give other values than in the run.\n` +
      `To let it expect what comes in a test:\n  ${filter} --update\n`,
  );
}
