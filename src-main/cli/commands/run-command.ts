import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { AppError } from '../../base/app-error.ts';
import { profileOfFile } from '../../services/workflows/named-file.ts';
import { runWorkflowFile, type RunFileResult } from '../../app/run-file.ts';
import { environmentSecrets } from '../../domain/secrets/secret.ts';
import type { RunMode } from '../../domain/run/run-mode.ts';
import { outcomeText } from '../../domain/run/run-outcome.ts';
import { cassetteMissing, mocksInvalid } from '../../domain/workflow-errors.ts';
import { chooseMocks, mocksOf } from '../../domain/workflow/choose-mocks.ts';
import { describeIssue, textOrIssue } from '../../domain/workflow/issue.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import type { ReadReport } from '../../domain/rows/files/read-remarks.ts';
import type { SampleChoice } from '../../domain/rows/row-sample.ts';
import { parserInProcess } from '../../services/workflows/file-parser.ts';
import type { RunInputs } from '../../services/runs/new-run.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { dataDirOf, type DataOption } from '../options/data-option.ts';
import { describeTrace } from '../describe-nodes.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { differingAnswersText } from '../../domain/cassette/differing-answers.ts';
import { count, counted, duration } from '../../domain/format.ts';
import { failureLines, needLines } from '../failure-lines.ts';
import { printable } from '../format.ts';
import { inputRows } from '../../services/rowsets/input-rows.ts';
import { outputFormats } from '../../domain/rows/export/output-writer.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import {
  addRunInputOptions,
  cassettePath,
  runInputsOf,
  sampleOption,
  restText,
  allowNetworkOption,
  proxyOption,
  type NetworkOption,
} from '../options/run-input-options.ts';
import {
  addReadFlags,
  readingField,
  readingText,
  readOptionsOf,
  type ReadFlags,
} from '../options/read-flags.ts';
import { outputText } from '../../services/results/output-text.ts';
import { plainLog } from '../terminal/plain-log.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { readText } from '../read-text.ts';
import { printJson, type CommandContext } from '../context.ts';
import { assertWritable, formatOf, writeRunOutputs, type OutputOptions } from '../write-output-file.ts';
import { rowNumber } from './trace-command.ts';

/** A run's options, and how its file was read, which is printed with the result. */
type ReportOptions = RunOptions & ReturnType<typeof readingField>;

type RunOptions = OutputOptions &
  ReadFlags &
  Parameters<typeof runInputsOf>[0] &
  NetworkOption &
  DataOption & {
    readonly rows?: string;
    readonly json?: boolean;
    readonly trace?: number;
    readonly sample?: SampleChoice;
    readonly rest?: boolean;
    readonly failOnSkipped?: boolean;
  };

const examples = `
Examples:
  $ rowbench run leads.workflow.yaml --rows leads.csv
  $ rowbench run leads.workflow.yaml --rows leads.xlsx --sheet "New leads"
  $ rowbench run leads.workflow.yaml --rows leads.ndjson --out scored.csv
  $ rowbench run leads.workflow.yaml --rows export.csv --delimiter ";" --header 3 --decimal ,
  $ cat leads.json | rowbench run leads.workflow.yaml --rows - --format ndjson
  $ rowbench run leads.workflow.yaml --rows leads.csv --sample random:20
  $ rowbench run leads.workflow.yaml        (with the input node's test rows)
  $ rowbench run leads.workflow.yaml --record     (once), then --replay  (offline)
  $ rowbench run leads.workflow.yaml --fill       (calls only for what is not recorded yet)`;

/** `rowbench run FILE`: one run of one workflow file, without a server and without a trace on the disk. */
export function addRunCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .summary('run one workflow file over rows, without a server')
    .description(
      'Runs one workflow file over rows, without a server. Outputs go to standard output, or with --out to a file;\n' +
        'progress goes to standard error. Ends with 1 when the run fails or all its rows failed; single rows that\n' +
        '"onRowError: skip" leaves out do not fail it, unless --fail-on-skipped is given.',
    )
    .argument('<file>', 'workflow file (.yaml or .json)')
    .option('--rows <file>', 'rows as .json, .ndjson, .jsonl, .csv, .tsv or .xlsx; - reads standard input')
    .option('--out <file>', 'write the outputs to this file, whole or not at all')
    .addOption(formatOption())
    .addOption(sampleOption())
    .option('--rest', 'with --sample: run the rows that the sample leaves out');
  addReadFlags(addRunInputOptions(command))
    .addOption(allowNetworkOption())
    .addOption(proxyOption())
    .option('--data <dir>', 'data folder that secrets are taken from (default: as for every other command)')
    .option(
      '--json',
      'print the result as one JSON object: status, counts, failures and, without --out, outputs',
    )
    .option('--fail-on-skipped', 'end with 1 too when rows were skipped because they failed')
    .option('--trace <row>', 'show the way of this row through the nodes too', rowNumber)
    .addHelpText('after', examples)
    .action((file: string, options: RunOptions) => runCommand(context, file, options));
}

async function runCommand(context: CommandContext, file: string, options: RunOptions): Promise<void> {
  if (options.out !== undefined) await assertWritable(options.out);
  formatOf(options);
  if (options.rest === true && options.sample === undefined)
    throw new UsageError('--rest needs the --sample whose other rows it runs');
  const profile = await profileOfFile(file, options.profile, parserInProcess);
  const inputs = { ...runInputsOf(options), ...(profile === undefined ? {} : { profile }) };
  const cassette = cassettePath(options, file);
  if (cassette !== undefined) await assertUsable(context, cassette, inputs.mode);
  const workflow = await validWorkflow(context, file);
  if (workflow === undefined) return context.exitWith(exitCode.failed);
  assertMocks(workflow, inputs);
  const read = readOptionsOf(options);
  const rowsName = options.rows ?? 'test rows';
  let reading: ReadReport | undefined;
  const bar = new ProgressBar(context.terminal, context.clock);
  const result = await untilInterrupted((signal) =>
    runWorkflowFile({
      file,
      rows: () =>
        inputRows({
          workflow,
          file: resolve(file),
          rows: options.rows,
          read,
          onReport: (report) => (reading = report),
          workerScript: context.workerScript,
          signal,
        }),
      readAs: () => readingField(rowsName, reading).readAs,
      workerScript: context.workerScript,
      inputs,
      ...(options.sample === undefined
        ? {}
        : { sample: { choice: options.sample, isRest: options.rest === true } }),
      ...(cassette === undefined ? {} : { cassette }),
      secretsFrom: dataDirOf(context, options),
      extraSecrets: environmentSecrets(context.terminal.env),
      allowNetwork: options.allowNetwork ?? [],
      usesProxy: options.proxy,
      log: plainLog(context.terminal),
      onProgress: ({ rowsDone, rowsFailed }, total) => bar.update(rowsDone + rowsFailed, total),
      signal,
    }).finally(() => bar.clear()),
  );
  context.terminal.err(readingText(rowsName, reading));
  for (const note of result.notes) context.terminal.err(`${printable(describeIssue(file, note))}\n`);
  try {
    await report(context, result, { ...options, ...readingField(rowsName, reading) });
    if (cassette !== undefined) context.terminal.err(cassetteSummary(result, cassette));
  } finally {
    await result.close();
  }
}

/** Throws a UsageError if the cassette cannot be written, or if a replay finds neither the file nor what a crash left beside it. */
async function assertUsable(
  { command }: CommandContext,
  cassette: string,
  mode: RunMode | undefined,
): Promise<void> {
  if (mode !== 'replay') return assertWritable(cassette);
  if (existsSync(cassette) || existsSync(`${cassette}.recording`)) return;
  throw new UsageError(
    cassetteMissing(basename(cassette), `"${command} run FILE --record" makes it`).message,
  );
}

/** Throws a UsageError for mocks that the workflow does not have. */
function assertMocks(workflow: Workflow, inputs: RunInputs): void {
  const { problems } = chooseMocks(workflow, mocksOf(workflow, inputs));
  if (problems.length > 0) throw new UsageError(mocksInvalid(workflow.id, problems).message);
}

/** The file's workflow; undefined after its errors have been printed. */
async function validWorkflow({ terminal }: CommandContext, file: string): Promise<Workflow | undefined> {
  const { text, issue } = await textOrIssue(readText(file));
  const { workflow, issues } = text === undefined ? { issues: [issue] } : parseWorkflow(text);
  const errors = issues.filter((issue) => issue.severity === 'error');
  for (const issue of errors) terminal.err(`${printable(describeIssue(file, issue))}\n`);
  return errors.length > 0 ? undefined : workflow;
}

async function report(context: CommandContext, result: RunFileResult, options: ReportOptions): Promise<void> {
  const { run } = result;
  if (run.status !== 'completed') {
    context.exitWith(run.status === 'cancelled' ? exitCode.interrupted : exitCode.failed);
  } else {
    const { rowsDone, rowsFailed } = run.counts;
    const isFailed = rowsFailed > 0 && (rowsDone === 0 || options.failOnSkipped === true);
    if (isFailed) context.exitWith(exitCode.failed);
    if (options.out !== undefined) await writeRunOutputs(context.terminal, () => result.outputs(), options);
  }
  if (options.json === true) await printResult(context, result, options);
  else await printSummary(context, result, options);
}

async function printSummary(
  context: CommandContext,
  result: RunFileResult,
  options: RunOptions,
): Promise<void> {
  const { terminal } = context;
  if (result.run.status === 'completed' && options.out === undefined)
    await writeRunOutputs(terminal, () => result.outputs(), options);
  if (options.trace !== undefined) terminal.err(describeTrace(await result.trace(options.trace)));
  terminal.err(`${summary(result, options.out)}${restText(result)}`);
}

/** Text about the use of the cassette; empty for a replay, and for a run that did not end. */
function cassetteSummary(
  { run, calls, recordedCalls, differingRequests }: RunFileResult,
  cassette: string,
): string {
  if (run.mode === 'fill')
    return `${cassette} answered ${counted(calls.played, 'call')}. ${calls.answered === 0 ? 'No service answered a call' : `Services answered ${count(calls.answered)}, and it has those answers now`}\n`;
  if (recordedCalls === undefined) return '';
  if (recordedCalls === 0)
    return `The run got no answers from other services: nothing was recorded in ${cassette}\n`;
  const differing = differingRequests === 0 ? '' : `${differingAnswersText(differingRequests)}\n`;
  return `Answers to calls are recorded in ${cassette}\n${differing}`;
}

function summary({ run, failures, sharedNothing }: RunFileResult, out: string | undefined): string {
  if (run.status === 'failed')
    return [`Failed: ${run.error}`, ...needLines([run.error])].map((line) => `${printable(line)}\n`).join('');
  if (run.status !== 'completed') return 'Cancelled\n';
  const ms = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
  const { rowsDone, rowsFailed } = run.counts;
  const where = out === undefined ? '' : `, written to ${out}`;
  const lines = [
    `${outcomeText({ status: run.status, ...run.counts })}: ${counted(rowsDone, 'row')} in ${duration(ms)}${where}`,
  ];
  if (sharedNothing !== undefined) lines.push(sharedNothing);
  if (rowsFailed > 0)
    lines.push(`${counted(rowsFailed, 'row')} failed and ${rowsFailed === 1 ? 'has' : 'have'} no output:`);
  lines.push(...failureLines(failures, rowsFailed).map((line) => `  ${printable(line)}`));
  return `${lines.join('\n')}\n`;
}

async function printResult(
  context: CommandContext,
  result: RunFileResult,
  options: ReportOptions,
): Promise<void> {
  const { run, failures, notes } = result;
  const { answered, played } = result.calls;
  if (run.finishedAt === null) throw new AppError('data_unreadable', 'The run has not ended');
  const head = {
    status: run.status,
    workflowId: run.workflowId,
    ...(run.profile === undefined ? {} : { profile: run.profile.name }),
    ...(run.vars === undefined ? {} : { vars: run.vars }),
    rows: run.rows,
    rowsDone: run.counts.rowsDone,
    rowsFailed: run.counts.rowsFailed,
    ...sampleField(result),
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    ...(run.status === 'failed' ? { error: run.error } : {}),
    ...(answered + played === 0 ? {} : { calls: result.calls }),
    failures,
    ...(options.readAs === undefined ? {} : { readAs: options.readAs }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(options.trace === undefined ? {} : { trace: await result.trace(options.trace) }),
  };
  if (run.status !== 'completed' || options.out !== undefined) return printJson(context, head);
  // The outputs may be larger than memory: they are let through, not held.
  await context.terminal.out(`${JSON.stringify(head).slice(0, -1)},"outputs":`, 'data');
  for await (const text of outputText(() => result.outputs(), 'json'))
    await context.terminal.out(text, 'data');
  await context.terminal.out('}\n', 'data');
}

/** The rows that a sample leaves out; nothing for other runs. */
function sampleField({ sample }: RunFileResult) {
  if (sample === undefined) return {};
  const { choice, restRows, estimate } = sample;
  return { sample: { choice, restRows, ...(estimate === undefined ? {} : { estimate }) } };
}

const formatOption = (): Option =>
  new Option('--format <format>', 'format of the outputs (default: by --out, else json)').choices(
    outputFormats,
  );
