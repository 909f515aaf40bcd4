import { readdir } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';
import type { Command } from 'commander';
import { openLiveCalls, type LiveCalls } from '../../services/tests/open-live-calls.ts';
import { TestBench } from '../../services/tests/test-bench.ts';
import { TestCalls, type RecordedCassette, offlineCassettes } from '../../services/tests/test-calls.ts';
import { junitReport } from '../../domain/tests/junit-report.ts';
import { environmentSecrets } from '../../domain/secrets/secret.ts';
import { differingAnswersText } from '../../domain/cassette/differing-answers.ts';
import { countTests } from '../../domain/tests/test-report.ts';
import { belongsTo, testsFileName, workflowFileName } from '../../domain/workflow/file-names.ts';
import { isoTime } from '../../base/clock.ts';
import { printJson, type CommandContext } from '../context.ts';
import { dataDirOf } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { findFiles } from '../find-files.ts';
import { counted } from '../../domain/format.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import {
  profileOption,
  allowNetworkOption,
  proxyOption,
  type NetworkOption,
} from '../options/run-input-options.ts';
import { plainLog } from '../terminal/plain-log.ts';
import { describeFile, reportView, summary } from '../tests/describe-report.ts';
import { loadTests, type LoadedTests } from '../../services/tests/load-tests.ts';
import { reportOf, runTests, type DoneFile } from '../../services/tests/run-tests.ts';
import { asUpdated, updateFiles } from '../../services/tests/update-files.ts';
import { watchTests } from '../tests/watch-tests.ts';
import { assertWritable, writeText } from '../write-output-file.ts';

type TestOptions = NetworkOption & {
  readonly filter?: string;
  readonly junit?: string;
  readonly json?: boolean;
  readonly update?: boolean;
  readonly watch?: boolean;
  readonly record?: boolean;
  readonly profile?: string;
};

const examples = `
Examples:
  $ rowbench test                        (every *.tests.yaml, .yml and .json below this folder)
  $ rowbench test flows --filter "hot lead"
  $ rowbench test --junit results.xml
  $ rowbench test leads.workflow.yaml     (the tests beside that workflow)
  $ rowbench test leads.tests.yaml --update
  $ rowbench test flows --watch
  $ rowbench test flows --record        (once, to make the cassettes that tests name)`;

/** `rowbench test`: runs what stands in tests files beside workflows, offline, and shows what is not as expected. */
export function addTestCommand(program: Command, context: CommandContext): void {
  program
    .command('test')
    .summary('run the tests beside workflow files')
    .description(
      'Runs the tests in *.tests.yaml files, each over the workflow of the same name beside it. Delays and pauses\n' +
        'take no time, unless a test asks for the real clock. Ends with 1 when a test fails, and when nothing was tested or,\n' +
        'with --record, a call got no answer or nothing was recorded.',
    )
    .argument('[path...]', 'tests files, or folders to search (default: this folder)')
    .option('--filter <text>', 'run only tests with this text in their name or file')
    .option('--junit <file>', 'write the results as JUnit XML too')
    .option('--update', 'let failed tests expect what came: rewrites their files, comments kept')
    .option('--record', 'make the calls of tests that name a cassette, and keep the answers in it')
    .addOption(profileOption())
    .addOption(allowNetworkOption())
    .addOption(proxyOption())
    .option('--watch', 'run tests again when their files change, until Ctrl-C')
    .option('--json', 'print the results as JSON')
    .addHelpText('after', examples)
    .action((paths: string[], options: TestOptions) =>
      testCommand(context, paths.length === 0 ? ['.'] : paths, options),
    );
}

async function testCommand(
  context: CommandContext,
  paths: readonly string[],
  options: TestOptions,
): Promise<void> {
  if (options.watch === true && options.json === true)
    throw new UsageError('--watch has no end at which --json could be printed');
  if (options.watch === true && options.record === true)
    throw new UsageError('--record makes calls once; --watch would make them with every change');
  if (options.junit !== undefined) await assertWritable(options.junit);
  const bench = new TestBench(context.workerScript);
  const live = options.record === true ? await liveCalls(context, options) : undefined;
  const { clock } = context;
  try {
    await untilInterrupted(async (signal) => {
      const round = { options, live, parts: { bench, clock, signal, wants: wantsTest(options.filter) } };
      const find = (): Promise<string[]> => findTests(paths);
      const run = (files: readonly string[]): Promise<LoadedTests[]> => testOnce(context, files, round);
      if (options.watch !== true) return run(await find());
      await watchTests({ clock, signal, find, run, behind: (workflow) => bench.filesBehind(workflow) });
      context.exitWith(exitCode.ok);
    });
  } finally {
    await bench.close();
    await live?.close();
  }
}

const liveCalls = (context: CommandContext, { allowNetwork, proxy }: TestOptions): Promise<LiveCalls> =>
  openLiveCalls({
    secretsFrom: dataDirOf(context, {}),
    extraSecrets: environmentSecrets(context.terminal.env),
    allowNetwork,
    usesProxy: proxy,
    clock: context.clock,
    log: plainLog(context.terminal),
  });

/**
 * The tests files below the paths, and those that belong to a workflow file, each once. Throws a UsageError for a file that
 * is neither, and for one of several folders that has none.
 */
async function findTests(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const files = await findFiles(path, testsFileName);
      return workflowFileName.test(path) && files.includes(path) ? testsOfWorkflow(path) : files;
    }),
  );
  // Where nothing is found at all, the report says so.
  const empty = paths.find((_, index) => found[index]?.length === 0);
  if (empty !== undefined && found.flat().length > 0)
    throw new UsageError(`${empty} has no tests files (*.tests.yaml, .yml or .json)`);
  const files = [...new Set(found.flat().map((file) => normalize(file)))];
  const other = files.find((file) => !testsFileName.test(file));
  if (other !== undefined)
    throw new UsageError(
      `${other} is not a tests file: name a *.tests.yaml, .yml or .json, or a workflow file`,
    );
  return files;
}

/** Throws a UsageError for a workflow without tests. */
async function testsOfWorkflow(workflowFile: string): Promise<string[]> {
  const folder = dirname(workflowFile);
  const names = await readdir(folder);
  const tests = names.filter(
    (name) => testsFileName.test(name) && belongsTo(name, basename(workflowFile), names),
  );
  if (tests.length > 0) return tests.sort().map((name) => join(folder, name));
  const expected = basename(workflowFile).replace('.workflow.', '.tests.');
  throw new UsageError(`${workflowFile} has no tests yet: they belong in ${join(folder, expected)}`);
}

const wantsTest = (filter: string | undefined): TestsToRun['wants'] => {
  const text = filter?.toLowerCase() ?? '';
  return (file, { name }) => name.toLowerCase().includes(text) || file.toLowerCase().includes(text);
};

type TestsToRun = Parameters<typeof runTests>[1];

type Round = {
  readonly options: TestOptions;
  readonly live: LiveCalls | undefined;
  readonly parts: Omit<TestsToRun, 'calls'>;
};

async function testOnce(
  context: CommandContext,
  files: readonly string[],
  { options, live, parts }: Round,
): Promise<LoadedTests[]> {
  const from = context.clock.monotonic();
  const startedAt = isoTime(context.clock);
  const { clock } = context;
  const openCassette = offlineCassettes(dataDirOf(context, {}), clock);
  const calls = new TestCalls({ clock, live: live?.upstreamOf, openCassette });
  const tests = await Promise.all(files.map((file) => loadTests(file, { profile: options.profile })));
  const running = runTests(tests, { ...parts, calls, keepsOutputs: options.update === true });
  await Promise.allSettled([running]);
  const recorded = await calls.close();
  const ran = await running;
  const updated = options.update === true ? await updateFiles(ran) : [];
  const done = updated.length === 0 ? ran : ran.map(asUpdated);
  await report(context, done, { options, startedAt, ms: context.clock.monotonic() - from });
  for (const file of updated) context.terminal.err(`updated ${file}\n`);
  reportRecorded(context, recorded, options);
  return ran.map(({ loaded }) => loaded);
}

/** Says what is in the cassettes now; a test cannot be played from one without answers. */
function reportRecorded(
  context: CommandContext,
  recorded: readonly RecordedCassette[],
  { record = false }: TestOptions,
): void {
  const { terminal } = context;
  for (const { path, calls, isEmpty, differingRequests } of recorded) {
    const file = relative('.', path);
    if (isEmpty) terminal.err(`error: no call got an answer: nothing was recorded in ${file}\n`);
    else terminal.err(calls === 0 ? `nothing new was recorded in ${file}\n` : `recorded ${file}\n`);
    if (differingRequests > 0) terminal.err(`${differingAnswersText(differingRequests)}\n`);
  }
  const hasNone = record && recorded.length === 0;
  if (hasNone) terminal.err('error: no test that ran names a cassette: nothing was recorded\n');
  if (hasNone || recorded.some(({ isEmpty }) => isEmpty)) context.exitWith(exitCode.failed);
}

async function report(
  context: CommandContext,
  files: readonly DoneFile[],
  { options, startedAt, ms }: { options: TestOptions; startedAt: string; ms: number },
): Promise<void> {
  const { terminal } = context;
  const reports = files.map(reportOf);
  const { passed, failed } = countTests(reports);
  const isNothingPicked = options.filter !== undefined && files.length > 0 && passed + failed === 0;
  if (isNothingPicked) context.exitWith(exitCode.usage);
  else if (failed > 0 || passed === 0) context.exitWith(exitCode.failed);
  if (options.junit !== undefined) {
    const times = new Map(files.flatMap(({ done }) => done.map(({ result, ms }) => [result, ms] as const)));
    await writeText(
      options.junit,
      junitReport(reports, { msOf: (result) => times.get(result) ?? 0, startedAt }),
    );
  }
  if (options.json === true) return printJson(context, reportView(reports));
  for (const each of reports) await terminal.out(describeFile(each));
  terminal.err(passed + failed === 0 ? nothingFound(files.length, options) : summary(reports, ms));
}

const nothingFound = (files: number, { filter }: TestOptions): string =>
  files === 0
    ? 'error: no tests files found (*.tests.yaml, .yml or .json)\n'
    : `error: no test in ${counted(files, 'file')} has ${JSON.stringify(filter ?? '')} in its name\n`;
