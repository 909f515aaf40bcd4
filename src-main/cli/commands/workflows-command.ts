import { Option, type Command } from 'commander';
import type { ProfileView, WorkflowDetail, WorkflowView } from '../../contract/index.ts';
import { describeIssue } from '../../domain/workflow/issue.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { describeReach } from '../describe-workflow.ts';
import { count, counted } from '../../domain/format.ts';
import { countIssues } from '../../domain/workflow/issue.ts';
import { printable, table } from '../format.ts';
import { assertWritable, writeText } from '../write-output-file.ts';

type Options = DataOption & { readonly json?: boolean; readonly workflows?: readonly string[] };
type CassetteOptions = Omit<Options, 'json'> & { readonly out?: string };

const examples = `
Examples:
  $ rowbench workflows list
  $ rowbench workflows show score-leads
  $ rowbench workflows cassette score-leads --out flows/score-leads.cassette.json --server https://rowbench.example.org`;

/** `rowbench workflows`: which there are, whether they can run, and what they could do. */
export function addWorkflowsCommand(program: Command, context: CommandContext): void {
  const workflows = program
    .command('workflows')
    .summary('list and show workflows')
    .description('Lists the workflows of a data folder (with a server: those that it serves) and shows them.')
    .addHelpText('after', examples);
  workflows
    .command('list')
    .description('Lists workflows: file, number of nodes, trust, granted networks, issues.')
    .addOption(foldersOption())
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((options: Options) => listWorkflows(context, options));
  workflows
    .command('show')
    .description('Shows a workflow with its issues, whom it may call and all of its code.')
    .argument('<workflow>', 'id of the workflow')
    .addOption(foldersOption())
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .action((id: string, options: Options) => showWorkflow(context, id, options));
  workflows
    .command('cassette')
    .description(
      'Writes the recorded answers of a workflow to standard output, or with --out to a file, for tests and replays offline.',
    )
    .argument('<workflow>', 'id of the workflow')
    .option('--out <file>', 'write to this file, whole or not at all')
    .addOption(foldersOption())
    .addOption(dataOption())
    .addOption(serverOption())
    .action((id: string, options: CassetteOptions) => writeCassette(context, id, options));
}

/** For where no server runs, which has its own. */
export const foldersOption = (): Option =>
  new Option('--workflows <dir...>', 'folders with workflow files, where no server runs');

async function listWorkflows(context: CommandContext, options: Options): Promise<void> {
  const workflows = await withControl(context, options, (call) => call('workflow.list', {}));
  if (options.json === true) return printJson(context, workflows);
  if (workflows.length === 0) return context.terminal.err('No workflows found.\n');
  await context.terminal.out(table(columns, workflows.map(workflowRow)));
}

const columns = ['ID', 'NAME', 'NODES', 'TRUST', 'NETWORK', 'ISSUES', 'FILE'];

const workflowRow = (workflow: WorkflowView): string[] => [
  workflow.id,
  workflow.name,
  count(workflow.nodes),
  workflow.trust,
  networkText(workflow),
  issuesText(workflow),
  workflow.file,
];

export const networkText = ({ network }: Pick<WorkflowView, 'network'>): string =>
  network.join(', ') || 'none';

const issuesText = ({ issues }: WorkflowView): string => countIssues(issues, ', ') || 'none';

async function showWorkflow(context: CommandContext, workflowId: string, options: Options): Promise<void> {
  const detail = await withControl(context, options, (call) => call('workflow.show', { workflowId }));
  if (options.json === true) return printJson(context, detail);
  await context.terminal.out(describeDetail(detail));
}

async function writeCassette(
  context: CommandContext,
  workflowId: string,
  { out, ...options }: CassetteOptions,
): Promise<void> {
  if (out !== undefined) await assertWritable(out);
  const cassette = await withControl(context, options, (call) => call('workflow.cassette', { workflowId }));
  if (out === undefined) return context.terminal.out(cassette.text, 'data');
  await writeText(out, cassette.text);
  context.terminal.err(`${counted(cassette.entries, 'recorded request')} written to ${out}\n`);
}

const describeProfile = ({ name, reaches, isTrusted }: ProfileView): string =>
  printable(
    `  with the profile ${name}${isTrusted ? '' : ', not trusted yet'}: ${reaches.length === 0 ? 'nothing more' : reaches.join(', ')}`,
  ) + '\n';

/** Everything about a workflow that a person should know before trusting it. */
export function describeDetail(detail: WorkflowDetail): string {
  const { id, name, file, nodes, trust, further, issues, reach, profiles } = detail;
  const fields: readonly (readonly [string, string])[] = [
    ['name', name],
    ['file', file],
    ['nodes', count(nodes)],
    [
      'trust',
      further.length === 0
        ? trust
        : `${trust}; since it was trusted it reaches further: ${further.join(', ')}`,
    ],
    ['network', networkText(detail)],
  ];
  return [
    `${id}\n`,
    ...fields.map(([name, value]) => `  ${name.padEnd(9)}${printable(value)}\n`),
    ...issues.map((issue) => `  ${printable(describeIssue(file, issue))}\n`),
    ...(reach === undefined ? [] : [describeReach(reach)]),
    ...profiles.map(describeProfile),
  ].join('');
}
