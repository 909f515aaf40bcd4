import type { Command } from 'commander';
import { readStoredRun } from '../../app/read-stored-run.ts';
import { runNotCompleted } from '../../domain/run-errors.ts';
import type { Condition, RowSelection } from '../../domain/query/row-selection.ts';
import { savedLines } from '../../domain/rows/export/explode-row.ts';
import type { ExportOptions } from '../../domain/rows/export/export-options.ts';
import { isOutputFormat, type OutputFormat } from '../../domain/rows/export/output-writer.ts';
import { assertThere } from '../control-command.ts';
import { dataDirOf, dataOption, type DataOption } from '../options/data-option.ts';
import type { CommandContext } from '../context.ts';
import { counted } from '../../domain/format.ts';
import { addExportOptions, exportOptionsOf, type ExportCommandOptions } from '../options/export-options.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { outputText } from '../../services/results/output-text.ts';
import { plainLog } from '../terminal/plain-log.ts';
import {
  addWhereOption,
  sortOption,
  assertKnownColumns,
  selectedColumns,
} from '../options/selection-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { assertWritable, writeOutputFile } from '../write-output-file.ts';

type CommandOptions = DataOption &
  ExportCommandOptions & {
    readonly partial?: boolean;
    readonly where?: readonly Condition[];
    readonly sort?: RowSelection['sort'];
  };

const examples = `
Examples:
  $ rowbench export RUN --out outputs.csv
  $ rowbench export RUN --out contacts.xlsx --input --failed --latest
  $ rowbench export RUN --out to-fix.csv --failed --column row input.email failed.message
  $ rowbench export RUN --out for-excel.csv --delimiter semicolon --bom
  $ rowbench export RUN --out hot.csv --where "output.score > 50" --sort output.score:desc
  $ rowbench export RUN --out order-lines.csv --explode lines
  $ rowbench export RUN --format ndjson | head
  $ rowbench export RUN --partial --out so-far.json`;

/** `rowbench export RUN`: a stored run's results as a file. Reads the data folder, so a server may be running. */
export function addExportCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('export')
    .summary("write a stored run's results as JSON, NDJSON, CSV or an Excel workbook")
    .description(
      'Writes the outputs of a completed run to standard output, or with --out to a file. Works while a server runs.\n' +
        'With --input, --failed, --latest or --explode, the first column is the number of the row.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end");
  addWhereOption(addExportOptions(command))
    .addOption(sortOption())
    .option('--partial', 'take what there is of a run that is not completed')
    .addOption(dataOption())
    .addHelpText('after', examples)
    .action((runId: string, options: CommandOptions) => exportCommand(context, runId, options));
}

async function exportCommand(context: CommandContext, runId: string, options: CommandOptions): Promise<void> {
  const { terminal, clock, workerScript } = context;
  const { where = [], sort } = options;
  const exported = exportOptionsOf(options);
  if (options.out !== undefined) await assertWritable(options.out);
  const dataDir = dataDirOf(context, options);
  await assertThere(context, options);
  const stored = await readStoredRun(dataDir, runId, { workerScript, clock, log: plainLog(terminal) });
  try {
    const { run } = stored;
    if (run.status !== 'completed' && options.partial !== true)
      throw runNotCompleted(run.status, run.status === 'failed' ? run.error : undefined);
    const selection = { conditions: where, sort };
    const columns = selectedColumns(selection);
    if (columns.length > 0) assertKnownColumns(columns, await stored.columns(exported.latest === true));
    await writeResults(context, stored, {
      exported,
      selection,
      out: options.out,
    });
  } finally {
    await stored.close();
  }
}

type StoredOutputs = Awaited<ReturnType<typeof readStoredRun>>;

type Destination = {
  readonly exported: ExportOptions;
  readonly selection: RowSelection;
  readonly out: string | undefined;
};

async function writeResults(
  context: CommandContext,
  stored: StoredOutputs,
  { exported, selection, out }: Destination,
): Promise<void> {
  const { terminal } = context;
  const isAll = selection.conditions.length === 0 && selection.sort === undefined;
  const format = isAll ? plainFormat(exported) : undefined;
  if (format !== undefined) {
    await writePieces(
      context,
      outputText(() => stored.outputs(), format),
      out,
    );
    terminal.err(describeOutputs(stored, out));
    return;
  }
  let saved = '';
  const bar = new ProgressBar(terminal, context.clock);
  await untilInterrupted(async (signal) => {
    const pieces = stored.exported({
      options: exported,
      selection,
      signal,
      onProgress: ({ done, total, lines }) => {
        bar.update(done, total);
        saved =
          exported.explode === undefined || lines === undefined
            ? `${counted(done, 'row')}${out === undefined ? '' : ` written to ${out}`}`
            : `${savedLines(lines, done)}${out === undefined ? '' : ` to ${out}`}`;
      },
    });
    await writePieces(context, pieces, out);
  }).finally(() => bar.clear());
  terminal.err(`${saved}\n`);
}

/** The format of a file that holds outputs alone; undefined if other options are set. */
function plainFormat({ format, ...others }: ExportOptions): OutputFormat | undefined {
  return isOutputFormat(format) && Object.keys(others).length === 0 ? format : undefined;
}

async function writePieces(
  { terminal }: CommandContext,
  pieces: AsyncIterable<string | Uint8Array>,
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) return writeOutputFile(out, pieces);
  for await (const piece of pieces)
    await terminal.out(typeof piece === 'string' ? piece : Buffer.from(piece).toString(), 'data');
}

function describeOutputs({ run, counts }: StoredOutputs, out: string | undefined): string {
  const where = out === undefined ? '' : ` written to ${out}`;
  const missing = run.rows - counts.rowsDone;
  const gap = missing > 0 ? `; ${counted(missing, 'row')} of this ${run.status} run without output` : '';
  return `${counted(counts.rowsDone, 'output')}${where}${gap}\n`;
}
