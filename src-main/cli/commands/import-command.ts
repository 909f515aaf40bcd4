import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ImportPreview, PreviewedWorkflow, WorkflowView } from '../../contract/index.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { commandFor, dataOption, type DataOption } from '../options/data-option.ts';
import { describeReach } from '../describe-workflow.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { counted } from '../../domain/format.ts';
import { printable } from '../format.ts';

type ImportOptions = DataOption & {
  readonly as?: string;
  readonly replace?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

const examples = `
Examples:
  $ rowbench import ~/Downloads/leads.workflow.yaml
  $ rowbench import ./team-flows --yes
  $ rowbench import leads.workflow.yaml --as leads-2`;

/** `rowbench import`: takes workflows of others into the data folder, once the user has seen what they could do. */
export function addImportCommand(program: Command, context: CommandContext): void {
  program
    .command('import')
    .summary('take workflows of others into the data folder')
    .description(
      'Copies a workflow (or all workflows of a folder) with its tests, rows and tables into the data folder, after\n' +
        'showing whom it may call and all of its code. At a terminal it asks whether to trust it; otherwise it is\n' +
        'imported untrusted, and does not run before "rowbench trust". Nothing runs during an import.',
    )
    .argument('<path>', 'workflow file, or folder with workflow files')
    .option('--yes', 'trust what is imported, without asking')
    .option('--as <id>', 'import it under this id', workflowIdOf)
    .option('--replace', 'put it in the place of an earlier import of the same id')
    .addOption(dataOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((path: string, options: ImportOptions) => importCommand(context, path, options));
}

function workflowIdOf(text: string): string {
  if (workflowIdPattern.test(text)) return text;
  throw new UsageError(`--as must be 1 to 64 letters, digits, "_" and "-", not "${text}"`);
}

async function importCommand(context: CommandContext, path: string, options: ImportOptions): Promise<void> {
  const { terminal, exitWith } = context;
  if (!existsSync(path)) throw new UsageError(`${path}: no such file or folder`);
  const importOptions = {
    path: resolve(path),
    replaces: options.replace === true,
    ...(options.as === undefined ? {} : { as: options.as }),
  };
  const imported = await withControl(context, { ...options, makesFolder: true }, async (call) => {
    const preview = await call('workflow.inspect', importOptions);
    terminal.err(describePreview(preview));
    if (preview.problems.length > 0) return undefined;
    const answer = await isTrusted(context, preview, options);
    if (answer === 'no') return undefined;
    return call('workflow.import', {
      ...importOptions,
      ...(answer === 'yes' ? { trusted: preview.digest } : {}),
    });
  });
  if (imported === undefined) {
    terminal.err('Nothing was imported.\n');
    return exitWith(exitCode.failed);
  }
  if (options.json === true) await printJson(context, imported);
  for (const workflow of imported) terminal.err(describeImported(context, workflow, options));
}

async function isTrusted(
  { terminal }: CommandContext,
  { workflows }: ImportPreview,
  { yes }: ImportOptions,
): Promise<'yes' | 'no' | 'later'> {
  if (yes === true) return 'yes';
  if (terminal.ask === undefined) return 'later';
  const what = workflows.length === 1 ? '' : ` these ${workflows.length} workflows`;
  return (await confirm(terminal.ask, `Trust and import${what}?`)) ? 'yes' : 'no';
}

const describePreview = ({ workflows, problems }: ImportPreview): string =>
  problems.length > 0
    ? problems.map((problem) => `error: ${printable(problem)}\n`).join('')
    : workflows.map(describeWorkflow).join('');

function describeWorkflow({ id, name, file, nodes, files, warnings, reach }: PreviewedWorkflow): string {
  const lines = [
    `${id}${name === id ? '' : `: ${name}`} (${file}, ${counted(nodes, 'node')})`,
    ...(files.length === 0 ? [] : [`  with ${files.join(', ')}`]),
    ...warnings.map((warning) => `  ${warning}`),
  ];
  return lines.map((line) => `${printable(line)}\n`).join('') + describeReach(reach);
}

function describeImported(
  context: CommandContext,
  { id, trust }: WorkflowView,
  options: ImportOptions,
): string {
  if (trust === 'trusted') return `Imported ${id}, trusted.\n`;
  return `Imported ${id}, not trusted: it runs once you have trusted it with: ${commandFor(context, `trust ${id}`, options)}\n`;
}
