// `rowbench hosted run`, `attach` and `resend`: runs at hosted services.
import { Option, type Command } from 'commander';
import { sleep } from '../../base/sleep.ts';
import { readStoredRun } from '../../app/read-stored-run.ts';
import type { Call, RunDetail, RunView } from '../../contract/index.ts';
import { hostedText } from '../../domain/hosted/hosted-text.ts';
import { counted } from '../../domain/format.ts';
import { outputFormats } from '../../domain/rows/export/output-writer.ts';
import { sampleText, type SampleChoice } from '../../domain/rows/row-sample.ts';
import { outcomeText } from '../../domain/run/run-outcome.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { failureLines } from '../failure-lines.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { exitCode } from '../exit-code.ts';
import { printable } from '../format.ts';
import { commandFor, dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import { addReadFlags, type ReadFlags } from '../options/read-flags.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import { sampleOption } from '../options/run-input-options.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { plainLog } from '../terminal/plain-log.ts';
import {
  assertWritable,
  formatOf,
  writeRunOutputs,
  writeText,
  type OutputOptions,
} from '../write-output-file.ts';
import { editedRows } from './move-runs-command.ts';

type Options = DataOption & { readonly json?: boolean };
type RunOptions = Options &
  OutputOptions &
  ReadFlags & {
    readonly on: string;
    readonly rows: string;
    readonly workflows?: readonly string[];
    readonly wait: boolean;
    readonly sample?: SampleChoice;
  };
type FetchOptions = Options & { readonly out: string };
type ResendOptions = Options & { readonly yes?: boolean };

/** Time between two looks at the record of a run, in ms; no call is made for it. */
const lookMs = 500;

const runHelp = `
The workflow has a file here, whose id is that of the workflow at the service. One run costs 1 call that starts it, about 6
status calls a minute and 1 call for the outputs. Ctrl-C ends the waiting, not the run.

Examples:
  $ rowbench hosted run wf_8123 --on prod --rows leads.csv
  $ rowbench hosted run wf_8123 --on prod --rows leads.csv --out scored.csv
  $ rowbench runs diff HOSTED LOCAL`;

export function addHostedRunCommands(hosted: Command, context: CommandContext): void {
  const run = hosted
    .command('run')
    .summary('run rows at a hosted service, and print the outputs')
    .description(
      'Sends rows to a hosted service, waits for the run, and prints the outputs in the order of the rows.',
    )
    .argument('<workflow>', 'id of the workflow, here and at the service')
    .requiredOption('--on <name>', 'connection to the service')
    .requiredOption(
      '--rows <file>',
      'rows as .json, .ndjson, .jsonl, .csv, .tsv or .xlsx; - reads standard input',
    )
    .option('--out <file>', 'write the outputs to this file, whole or not at all')
    .addOption(
      new Option('--format <format>', 'format of the outputs (default: by --out, else json)').choices(
        outputFormats,
      ),
    )
    .addOption(sampleOption())
    .option('--no-wait', 'do not wait for the run; a server has to run for it')
    .option('--workflows <dir...>', 'folders with workflow files, where no server runs');
  addReadFlags(run)
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText('after', runHelp)
    .action((workflowId: string, options: RunOptions) => runThere(context, workflowId, options));
  oneRun(hosted, 'attach')
    .description('For an unknown outcome: follows the run that you found at the service.')
    .argument('<id>', "the run's id there, from the service's own page")
    .action((runId: string, idAtService: string, options: Options) =>
      resolve(context, options, (call) => call('hosted.attach', { runId, idAtService })),
    );
  oneRun(hosted, 'fetch')
    .description(
      'Asks for the outputs of a completed run once more, and writes the answer as the service gives it.',
    )
    .requiredOption('--out <file>', 'write the answer to this file, whole or not at all')
    .action((runId: string, options: FetchOptions) => fetchAnswer(context, runId, options));
  oneRun(hosted, 'resend')
    .description('For an unknown outcome: sends the rows once more. It may be billed twice.')
    .option('--yes', 'do not ask')
    .action((runId: string, options: ResendOptions) => resend(context, runId, options));
}

const oneRun = (hosted: Command, name: string): Command =>
  hosted
    .command(name)
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .addOption(dataOption())
    .addOption(jsonOption());

async function runThere(context: CommandContext, workflowId: string, options: RunOptions): Promise<void> {
  const { terminal } = context;
  if (options.out !== undefined) await assertWritable(options.out);
  formatOf(options);
  await withControl(context, { ...options, sendsHosted: true }, async (call, { remote }) => {
    const rows = await editedRows(options, async () => ({
      types: new Map(
        (await call('workflow.show', { workflowId })).fields.map(({ name, type }) => [name, type]),
      ),
      readAs: undefined,
      workerScript: context.workerScript,
      onRead: (text) => terminal.err(text),
    }));
    const { lines = '', readAs } = rows ?? {};
    const { runId } = await call('hosted.run', {
      workflowId,
      connection: options.on,
      lines,
      by: 'cli',
      ...(options.sample === undefined ? {} : { sample: sampleText(options.sample) }),
      ...(readAs === undefined ? {} : { readAs }),
    });
    terminal.err(`Run ${runId} goes to ${options.on}.\n`);
    if (!options.wait && remote) return options.json === true ? printJson(context, { runId }) : undefined;
    const later = remote ? 'The server follows it.' : 'The next "rowbench serve" follows it.';
    const onStop = (): void => terminal.err(`Run ${runId} goes on at ${options.on}. ${later}\n`);
    await reportRun(context, await untilAtRest(context, call, { runId, onStop }), options);
  });
}

/** Waits until nothing happens with the run by itself any more, and says what changes. */
function untilAtRest(
  { terminal, clock }: CommandContext,
  call: Call,
  { runId, onStop }: { readonly runId: string; readonly onStop: () => void },
): Promise<RunDetail> {
  return untilInterrupted(async (signal) => {
    let said = '';
    signal.addEventListener('abort', onStop, { once: true });
    for (;;) {
      const run = await call('run.show', { runId });
      const text = hostedText(run);
      if (text !== said) terminal.err(`${printable(text)}\n`);
      said = text;
      if (isFinal(run.status) || run.hosted?.isUnknown === true) return run;
      await sleep(clock, lookMs, signal);
    }
  });
}

async function reportRun(context: CommandContext, run: RunDetail, options: RunOptions): Promise<void> {
  const { terminal, clock, workerScript } = context;
  const { runId, status, rowsDone, rowsFailed } = run;
  if (status !== 'completed' || (rowsFailed > 0 && rowsDone === 0)) context.exitWith(exitCode.failed);
  if (options.json === true) await printJson(context, run);
  if (run.hosted?.isUnknown === true) return terminal.err(unknownText(context, run, options));
  if (status !== 'completed') return;
  if (options.json !== true || options.out !== undefined) {
    const log = plainLog(terminal);
    const stored = await readStoredRun(dataDirOf(context, options), runId, { workerScript, clock, log });
    try {
      await writeRunOutputs(terminal, () => stored.outputs(), options);
    } finally {
      await stored.close();
    }
  }
  const where = options.out === undefined ? '' : `, written to ${options.out}`;
  const failures = failureLines(run.failures, rowsFailed).map((line) => `  ${printable(line)}\n`);
  terminal.err(`${outcomeText(run)}: ${counted(rowsDone, 'row')}${where}\n${failures.join('')}`);
}

function unknownText(context: CommandContext, { runId, hosted }: RunView, options: Options): string {
  const command = (words: string): string => commandFor(context, words, options);
  return `It is not known whether ${hosted?.connection} has the rows. Nothing is sent again by itself. Look there first, then:
  ${command(`hosted attach ${runId} ID`)}   follow the run that is there
  ${command(`hosted resend ${runId}`)}   send the rows once more
  ${command(`runs cancel ${runId}`)}   let go of it
`;
}

async function fetchAnswer(context: CommandContext, runId: string, options: FetchOptions): Promise<void> {
  const { out, json } = options;
  await assertWritable(out);
  const fetched = await withControl(context, options, (call) => call('hosted.fetch', { runId }));
  await writeText(out, fetched.text);
  if (json === true) return printJson(context, { runId: fetched.runId, file: out });
  context.terminal.err(`The answer for ${fetched.runId} is in ${out}\n`);
}

async function resend(context: CommandContext, runId: string, options: ResendOptions): Promise<void> {
  const { terminal } = context;
  await resolve(context, options, async (call) => {
    const { hosted } = await call('run.show', { runId });
    const question = `${hosted?.connection} may have the rows already, and bill them twice. Send them once more?`;
    const isAgreed =
      options.yes === true || (terminal.ask !== undefined && (await confirm(terminal.ask, question)));
    // No question about a run that is refused.
    if (isAgreed || hosted?.isUnknown !== true) return call('hosted.resend', { runId });
    terminal.err('Nothing was sent. To send without a question: --yes\n');
    context.exitWith(exitCode.failed);
    return undefined;
  });
}

/** Resolves an unknown outcome; without a server, the command also follows the run. */
async function resolve(
  context: CommandContext,
  options: Options,
  act: (call: Call) => Promise<RunView | undefined>,
): Promise<void> {
  await withControl(context, { ...options, sendsHosted: true }, async (call, { remote }) => {
    const resolved = await act(call);
    if (resolved === undefined) return;
    const { runId } = resolved;
    const onStop = (): void => context.terminal.err('The next "rowbench serve" follows it.\n');
    const run = remote
      ? await call('run.show', { runId })
      : await untilAtRest(context, call, { runId, onStop });
    if (options.json === true) return printJson(context, run);
    if (remote) context.terminal.err(`${printable(hostedText(run))}\n`);
  });
}
