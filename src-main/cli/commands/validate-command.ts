import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { openSources } from '../../services/workflows/source-service.ts';
import { testsFileName, workflowFileName } from '../../domain/workflow/file-names.ts';
import { countIssues, describeIssue } from '../../domain/workflow/issue.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { checkFile, type CheckedFile } from '../check-file.ts';
import { profileOption } from '../options/run-input-options.ts';
import { printJson, type CommandContext } from '../context.ts';
import { exitCode, UsageError } from '../exit-code.ts';
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
    .option('--strict', 'let warnings count as errors; notes never do')
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
  const found = await Promise.all(paths.map((path) => findFiles(path, checkedName)));
  const files = found.flat();
  const empty = paths.find((_, index) => found[index]?.length === 0);
  // Where nothing is found at all, the summary says so.
  if (empty !== undefined && files.length > 0)
    throw new UsageError(`${empty} has no workflow files and no tests files`);
  const checking = { sources: openSources(), profileName: options.profile, now: context.clock.now() };
  const checked: CheckedFile[] = [];
  // One after the other: of a folder of large files only one is in memory.
  for (const file of withProfiles(files)) checked.push(await checkFile(file, checking));
  const issues = checked.flatMap(({ file, issues }) => issues.map((issue) => ({ file, issue })));
  const failing = options.strict === true ? ['error', 'warning'] : ['error'];
  const isFailed = checked.length === 0 || issues.some(({ issue }) => failing.includes(issue.severity));
  if (isFailed) context.exitWith(exitCode.failed);
  if (options.json === true) return printJson(context, { valid: !isFailed, files: checked });
  for (const { file, issue } of issues)
    await context.terminal.out(`${printable(describeIssue(file, issue))}\n`);
  context.terminal.err(summaryText(checked));
}

const checkedName = new RegExp(`${workflowFileName.source}|${testsFileName.source}`);

/** The files, each once, and the files of profiles beside them. */
const withProfiles = (files: readonly string[]): ReadonlySet<string> =>
  new Set([
    ...files,
    ...files.map((file) => join(dirname(file), profilesFileName)).filter((file) => existsSync(file)),
  ]);

function summaryText(checked: readonly CheckedFile[]): string {
  if (checked.length === 0) return 'error: no workflow files found (*.workflow.yaml, .yml or .json)\n';
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
  const issues = checked.flatMap((file) => file.issues);
  return `${what} checked: ${countIssues(issues, ' and ') || 'no issues'}\n`;
}
