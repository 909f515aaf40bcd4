import type { Command } from 'commander';
import { readStoredRun, type OpenedRun } from '../../app/read-stored-run.ts';
import { runNotCompleted } from '../../domain/run-errors.ts';
import type { OutputFormat } from '../../domain/rows/output-writer.ts';
import { assertThere } from '../control-command.ts';
import { dataDirOf, dataOption, type DataOption } from '../data-option.ts';
import type { CommandContext } from '../context.ts';
import { counted } from '../../domain/format.ts';
import { formatOf, formatOption, type OutputOptions } from '../format-option.ts';
import { outputText } from '../../services/output-text.ts';
import { plainLog } from '../plain-log.ts';
import { assertWritable, writeOutputFile } from '../write-output-file.ts';

type ExportOptions = DataOption & OutputOptions & { readonly partial?: boolean };

const examples = `
Examples:
  $ rowbench export RUN --out outputs.csv
  $ rowbench export RUN --format ndjson | head
  $ rowbench export RUN --partial --out so-far.json`;

/** `rowbench export RUN`: a stored run's outputs as a file. Reads the data folder, so a server may be running. */
export function addExportCommand(program: Command, context: CommandContext): void {
  program
    .command('export')
    .summary("write a stored run's outputs as JSON, NDJSON or CSV")
    .description(
      'Writes the outputs of a completed run to standard output, or with --out to a file. Works while a server runs.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .addOption(formatOption())
    .option('--out <file>', 'write to this file, whole or not at all')
    .option('--partial', 'take what there is of a run that is not completed')
    .addOption(dataOption())
    .addHelpText('after', examples)
    .action((runId: string, options: ExportOptions) => exportCommand(context, runId, options));
}

async function exportCommand(context: CommandContext, runId: string, options: ExportOptions): Promise<void> {
  const { terminal, clock, workerScript } = context;
  const format = formatOf(options);
  if (options.out !== undefined) await assertWritable(options.out);
  const dataDir = dataDirOf(context, options);
  await assertThere(context, options);
  const stored = await readStoredRun(dataDir, runId, { workerScript, clock, log: plainLog(terminal) });
  try {
    await writeOutputs(context, stored, { ...options, format });
  } finally {
    await stored.close();
  }
}

async function writeOutputs(
  { terminal }: CommandContext,
  stored: OpenedRun,
  options: ExportOptions & { readonly format: OutputFormat },
): Promise<void> {
  const { run } = stored;
  if (run.status !== 'completed' && options.partial !== true) {
    throw runNotCompleted(run.status, run.status === 'failed' ? run.error : undefined);
  }
  const text = outputText(stored.outputs(), options.format);
  if (options.out === undefined) for await (const piece of text) await terminal.out(piece, 'data');
  else await writeOutputFile(options.out, text);
  terminal.err(describeExport(stored, options.out));
}

function describeExport({ run, counts }: OpenedRun, out: string | undefined): string {
  const where = out === undefined ? '' : ` written to ${out}`;
  const missing = run.rows - counts.rowsDone;
  const gap = missing > 0 ? `; ${counted(missing, 'row')} of this ${run.status} run without output` : '';
  return `${counted(counts.rowsDone, 'output')}${where}${gap}\n`;
}
