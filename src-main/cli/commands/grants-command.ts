import { Argument, type Command } from 'commander';
import type { WorkflowView } from '../../contract/index.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { table } from '../format.ts';
import { foldersOption, networkText } from './workflows-command.ts';

type Options = DataOption & { readonly json?: boolean; readonly workflows?: readonly string[] };

const examples = `
Classes: public (the internet), lan (the local network), loopback (this machine). Without a grant: public alone.

Examples:
  $ rowbench grants list
  $ rowbench grants allow score-leads loopback
  $ rowbench grants deny score-leads public`;

const changes = [
  ['allow', 'Lets the calls of a workflow reach further kinds of addresses.'],
  ['deny', 'Takes kinds of addresses away from the calls of a workflow.'],
] as const;

/** `rowbench grants`: which networks the calls of each workflow may reach. */
export function addGrantsCommand(program: Command, context: CommandContext): void {
  const grants = program
    .command('grants')
    .summary('list and change the networks that workflows may call')
    .description('Lists and changes which kinds of addresses the calls of each workflow may reach.')
    .addHelpText('after', examples);
  grants
    .command('list')
    .description('Lists the workflows with the classes that they are granted.')
    .addOption(foldersOption())
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((options: Options) => listGrants(context, options));
  for (const [verb, description] of changes) {
    grants
      .command(verb)
      .description(description)
      .argument('<workflow>', 'id of the workflow')
      .addArgument(new Argument('<class...>', 'kinds of addresses').choices(addressClasses))
      .addOption(foldersOption())
      .addOption(dataOption())
      .addOption(serverOption())
      .addOption(jsonOption())
      .action((workflowId: string, classes: AddressClass[], options: Options) =>
        changeGrant(context, { workflowId, [verb]: classes }, options),
      );
  }
}

async function listGrants(context: CommandContext, options: Options): Promise<void> {
  const workflows = await withControl(context, options, (call) => call('workflow.list', {}));
  if (options.json === true) return printJson(context, workflows.map(grantView));
  if (workflows.length === 0) return context.terminal.err('No workflows found.\n');
  const rows = workflows.map((workflow) => [workflow.id, networkText(workflow)]);
  await context.terminal.out(table(['WORKFLOW', 'NETWORK'], rows));
}

const grantView = ({ id, network }: WorkflowView) => ({ workflowId: id, network });

type Change = { workflowId: string; allow?: AddressClass[]; deny?: AddressClass[] };

async function changeGrant(context: CommandContext, change: Change, options: Options): Promise<void> {
  const workflow = await withControl(context, options, (call) => call('workflow.grant', change));
  if (options.json === true) return printJson(context, grantView(workflow));
  context.terminal.err(`Calls of ${workflow.id} may reach: ${networkText(workflow)}.\n`);
}
