import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { openSources } from '../../app/open-sources.ts';
import { workflowFileName } from '../../domain/workflow/file-names.ts';
import { describeIssue, type Issue } from '../../domain/workflow/issue.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import { printJson, type CommandContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { findFiles } from '../find-files.ts';
import { counted, printable } from '../format.ts';

type ValidateOptions = { readonly json?: boolean; readonly strict?: boolean };
type Checked = { readonly file: string; readonly id: string | null; readonly issues: readonly Issue[] };

const examples = `
Examples:
  $ rowbench validate                     (every *.workflow.yaml, .yml and .json below this folder)
  $ rowbench validate flows leads.workflow.yaml
  $ rowbench validate --strict --json flows`;

/** `rowbench validate`: every issue of every workflow file, one line each, as editors and terminals link them. */
export function addValidateCommand(program: Command, context: CommandContext): void {
  program
    .command('validate')
    .summary('check workflow files')
    .description(
      'Checks workflow files and prints every issue as file:line:column: message. Ends with 1 when there are errors.',
    )
    .argument('[path...]', 'workflow files, or folders to search (default: this folder)')
    .option('--strict', 'let warnings count as errors')
    .option('--json', 'print the issues as JSON')
    .addHelpText('after', examples)
    .action((paths: string[], options: ValidateOptions) =>
      validateCommand(context, paths.length === 0 ? ['.'] : paths, options),
    );
}

async function validateCommand(
  context: CommandContext,
  paths: readonly string[],
  options: ValidateOptions,
): Promise<void> {
  const files = (await Promise.all(paths.map((path) => findFiles(path, workflowFileName)))).flat();
  const sources = openSources();
  const checked = await Promise.all([...new Set(files)].map((file) => check(file, sources)));
  const issues = checked.flatMap(({ file, issues }) => issues.map((issue) => ({ file, issue })));
  const errors = issues.filter(({ issue }) => issue.severity === 'error').length;
  const isFailed = errors > 0 || checked.length === 0 || (options.strict === true && issues.length > 0);
  if (isFailed) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, { valid: !isFailed, files: checked });
  for (const { file, issue } of issues)
    await context.terminal.out(`${printable(describeIssue(file, issue))}\n`);
  context.terminal.err(verdict(checked.length, errors, issues.length - errors));
}

function verdict(files: number, errors: number, warnings: number): string {
  if (files === 0) return 'error: no workflow files found (*.workflow.yaml, .yml or .json)\n';
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${counted(files, 'workflow')} checked: ${found.join(' and ') || 'no issues'}\n`;
}

async function check(file: string, sources: ReturnType<typeof openSources>): Promise<Checked> {
  const source = await readFile(file, 'utf8');
  const { workflow, issues } = parseWorkflow(source);
  if (workflow === undefined) return { file, id: null, issues };
  const { id } = workflow;
  return { file, id, issues: [...issues, ...(await sources.check({ id, file, source, workflow }))] };
}
