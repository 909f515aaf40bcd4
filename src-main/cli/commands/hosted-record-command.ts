// `rowbench hosted record`: answers of a hosted service as a workflow file that answers in its place.
import type { Command } from 'commander';
import { recordedText } from '../../domain/hosted/hosted-text.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, type DataOption } from '../options/data-option.ts';

type RecordOptions = DataOption & {
  readonly runs?: readonly string[];
  readonly on?: string;
  readonly acceptOrder?: boolean;
  readonly workflows?: readonly string[];
  readonly json?: boolean;
};

const help = `
Writes WORKFLOW.recorded.ndjson beside the workflow. A workflow that has no nodes here gets five nodes that answer from it;
of a workflow with nodes of its own only the nodes to paste are printed. A row that was not recorded fails. Outputs may have
data of customers: the file is as private as the runs are.

Examples:
  $ rowbench hosted record wf_8123
  $ rowbench hosted record wf_8123 --runs 01J9 7QZK
  $ rowbench run wf_8123.workflow.yaml --rows leads.csv      (offline)`;

export function addRecordCommand(hosted: Command, context: CommandContext): void {
  hosted
    .command('record')
    .summary('record the answers of completed runs, to work offline')
    .description(
      'Writes the answers of completed runs at a hosted service into a file that answers in its place.',
    )
    .argument('<workflow>', 'id of the workflow')
    .option('--runs <run...>', 'record these runs (default: all completed ones at a hosted service)')
    .option('--on <name>', 'only runs at this hosted service')
    .option(
      '--accept-order',
      'also record outputs that were matched to rows by their order, which is not proven',
    )
    .option('--workflows <dir...>', 'folders with workflow files, where no server runs')
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText('after', help)
    .action((workflowId: string, options: RecordOptions) => recordAnswers(context, workflowId, options));
}

async function recordAnswers(
  context: CommandContext,
  workflowId: string,
  options: RecordOptions,
): Promise<void> {
  const { runs: runIds, on: connection, acceptOrder: acceptsOrder } = options;
  const choice = {
    workflowId,
    ...(runIds === undefined ? {} : { runIds: [...runIds] }),
    ...(connection === undefined ? {} : { connection }),
    ...(acceptsOrder === undefined ? {} : { acceptsOrder }),
  };
  const recorded = await withControl(context, options, (call) => call('hosted.record', choice));
  if (options.json === true) return printJson(context, recorded);
  const { nodes } = recorded;
  const run = commandFor(
    context,
    `hosted run ${workflowId} --on ${recorded.connection} --rows FILE`,
    options,
  );
  const advice = `A row that was not recorded fails. To record more rows: ${run}, then record again.`;
  for (const line of [...recordedText(recorded), advice]) context.terminal.err(`${line}\n`);
  if (nodes === undefined) return;
  context.terminal.err(
    'The workflow has nodes of its own, and was not changed. Nodes that answer from the records:\n',
  );
  await context.terminal.out(nodes);
}
