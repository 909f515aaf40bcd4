import type { Command } from 'commander';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { describeTrace } from '../describe-nodes.ts';
import { exitCode, UsageError } from '../exit-code.ts';

type TraceOptions = DataOption & { readonly json?: boolean; readonly again?: boolean };

/** `rowbench runs trace`: one row's way through the nodes. */
export function addTraceCommand(runs: Command, context: CommandContext): void {
  runs
    .command('trace')
    .summary("show one row's way through the nodes")
    .description(
      'Shows how each node ended in one row, what it gave, what its code logged and which calls it made. Kept are the\n' +
        'first 200 rows and every failed one; of the first 10,000 and of slow ones only how their nodes ended.',
    )
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .argument('<row>', 'number of the row, from 1', rowNumber)
    .option(
      '--again',
      'run the row once more and show all of it; its calls are made again, nothing is stored',
    )
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((runId: string, row: number, options: TraceOptions) =>
      traceRow(context, { runId, row }, options),
    );
}

/** Throws a UsageError. */
export function rowNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new UsageError(`A row is named by its number, from 1, not "${text}"`);
  }
  return value;
}

async function traceRow(
  context: CommandContext,
  named: { readonly runId: string; readonly row: number },
  options: TraceOptions,
): Promise<void> {
  const { terminal } = context;
  const again = commandFor(context, `runs trace ${named.runId} ${named.row} --again`, options);
  const trace = await withControl(context, options, async (call) =>
    options.again === true ? call('run.traceRow', named) : call('run.trace', named),
  );
  if (trace === null) {
    context.exitWith(exitCode.failed);
    terminal.err(`error: no trace of row ${named.row} is kept. To run it once more: ${again}\n`);
    return;
  }
  if (options.json === true) return printJson(context, trace);
  await terminal.out(describeTrace(trace));
  if ('callsMadeAgain' in trace && trace.callsMadeAgain)
    terminal.err('Its calls were made again, with the same Idempotency-Key.\n');
  if (!trace.hasValues)
    terminal.err(`Values and logs of row ${named.row} are not kept. To see them: ${again}\n`);
}
