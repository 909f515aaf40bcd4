import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { openSources } from '../../app/open-sources.ts';
import { testsFileName, workflowFileName } from '../../domain/workflow/file-names.ts';
import { describeIssue } from '../../domain/workflow/issue.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { checkProfilesFile, checkTestsFile, checkWorkflowFile, type CheckedFile } from '../check-file.ts';
import { profileOption } from '../run-input-options.ts';
import { printJson, type CommandContext } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { findFiles } from '../find-files.ts';
import { counted } from '../../domain/format.ts';
import { printable } from '../format.ts';

type ValidateOptions = { readonly json?: boolean; readonly strict?: boolean; readonly profile?: string };

const examples = `
Examples:
  $ rowbench validate                     (every *.workflow.yaml and *.tests.yaml below this folder)
  $ rowbench validate flows leads.workflow.yaml
  $ rowbench validate --strict --json flows`;

/** `rowbench validate`: every issue of every workflow file, one line each, as editors and terminals link them. */
export function addValidateCommand(program: Command, context: CommandContext): void {
  program
    .command('validate')
    .summary('check workflow files and tests files')
    .description(
      'Checks workflow files, tests files, profiles and what they name beside them. Prints every issue as file:line:column: message. Ends with 1 when there are errors.',
    )
    .argument('[path...]', 'workflow files, tests files, or folders to search (default: this folder)')
    .addOption(profileOption())
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
  const files = (await Promise.all(paths.map((path) => findFiles(path, checkedName)))).flat();
  const sources = openSources();
  const check = (file: string): Promise<CheckedFile> => {
    if (basename(file) === profilesFileName) return checkProfilesFile(file);
    return testsFileName.test(file)
      ? checkTestsFile(file)
      : checkWorkflowFile(file, sources, options.profile);
  };
  const checked: CheckedFile[] = [];
  // One after the other: of a folder of large files only one is in memory.
  for (const file of withProfiles(files)) checked.push(await check(file));
  const issues = checked.flatMap(({ file, issues }) => issues.map((issue) => ({ file, issue })));
  const errors = issues.filter(({ issue }) => issue.severity === 'error').length;
  const isFailed = errors > 0 || checked.length === 0 || (options.strict === true && issues.length > 0);
  if (isFailed) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, { valid: !isFailed, files: checked });
  for (const { file, issue } of issues)
    await context.terminal.out(`${printable(describeIssue(file, issue))}\n`);
  context.terminal.err(summaryText(checked, errors, issues.length - errors));
}

const checkedName = new RegExp(`${workflowFileName.source}|${testsFileName.source}`);

/** The files, each once, and the files of profiles beside them. */
const withProfiles = (files: readonly string[]): ReadonlySet<string> =>
  new Set([
    ...files,
    ...files.map((file) => join(dirname(file), profilesFileName)).filter((file) => existsSync(file)),
  ]);

function summaryText(checked: readonly CheckedFile[], errors: number, warnings: number): string {
  if (checked.length === 0) return 'error: no workflow files found (*.workflow.yaml, .yml or .json)\n';
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const count = (of: CheckedFile['kind'], name: string): readonly string[] => {
    const number = checked.filter(({ kind }) => kind === of).length;
    return number > 0 || of === 'workflow' ? [counted(number, name)] : [];
  };
  const counts = [
    ...count('workflow', 'workflow'),
    ...count('tests', 'tests file'),
    ...count('profiles', 'profiles file'),
  ];
  const what = counts.length < 3 ? counts.join(' and ') : `${counts[0]}, ${counts[1]} and ${counts[2]}`;
  return `${what} checked: ${found.join(' and ') || 'no issues'}\n`;
}
