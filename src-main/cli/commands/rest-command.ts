import type { Command } from 'commander';
import type { SampleView } from '../../contract/index.ts';
import { count, counted, duration } from '../../domain/format.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';

type RestOptions = DataOption & { readonly again?: boolean; readonly json?: boolean };

const examples = `
Examples:
  $ rowbench runs rest SAMPLE
  $ rowbench runs rest SAMPLE --again
  $ rowbench export SAMPLE --latest      (the sample and its rest as one)`;

/** `rowbench runs rest`: runs the rows that a sample left out. */
export function addRestCommand(runs: Command, context: CommandContext): void {
  runs
    .command('rest')
    .summary('run the rows that a sample left out')
    .description(
      'Runs the rows that a sample left out, with the workflow as it is now. Rows keep their numbers, so that the sample\n' +
        'and its rest are compared and exported as one.',
    )
    .argument(
      '<sample>',
      "the sample's id, or that of its rerun, or 4 or more characters of its beginning or end",
    )
    .option('--again', 'run the rest once more if it has been run')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((runId: string, options: RestOptions) => runRest(context, runId, options));
}

async function runRest(context: CommandContext, runId: string, options: RestOptions): Promise<void> {
  const [sample, run] = await withControl(context, options, async (call) => {
    const found = await call('run.sample', { runId });
    const [last] = found?.restRunIds ?? [];
    if (last !== undefined && options.again !== true)
      throw new UsageError(`The rest of this sample has been run: ${last}. Run it once more with --again`);
    return [found, await call('run.rest', { runId, isAgain: options.again === true, by: 'cli' })];
  });
  if (options.json === true) return printJson(context, run);
  context.terminal.err(`${run.runId}: ${counted(run.rows, 'row')}${estimateText(sample?.estimate)}.\n`);
}

/** `, about 3 m 04 s and 12,000 tokens`; empty without an estimate. */
export function estimateText(estimate: SampleView['estimate']): string {
  if (estimate === undefined) return '';
  const { ms, tokens } = estimate;
  const used = tokens === undefined ? '' : ` and ${count(tokens.prompt + tokens.completion)} tokens`;
  return `, about ${duration(ms)}${used}`;
}
