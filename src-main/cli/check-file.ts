// Checks one file for `rowbench validate`: its own issues, and missing files beside it. Nothing runs.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { profileOfFile } from '../services/workflows/named-file.ts';
import { parseProfiles } from '../domain/profiles/parse-profiles.ts';
import { readFile } from '../domain/workflow/read-file.ts';
import { inProfile } from '../services/workflows/profile-service.ts';
import { loadWorkflow } from '../services/workflows/workflow-service.ts';
import { parserInProcess } from '../services/workflows/file-parser.ts';
import type { SourceService } from '../services/workflows/source-service.ts';
import { newestRecordMs } from '../domain/hosted/recorded-answers.ts';
import { isRecordsFile } from '../domain/hosted/recorded-files.ts';
import { parseTests } from '../domain/tests/parse-tests.ts';
import { profilesFileName } from '../domain/profiles/profile-names.ts';
import { testsFileName, workflowFileName, workflowNamesFor } from '../domain/workflow/file-names.ts';
import { textOrIssue, type Issue } from '../domain/workflow/issue.ts';
import {
  filesOfTests,
  filesOfWorkflow,
  missingFile,
  type NamedFile,
} from '../domain/workflow/named-files.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import { writtenVariables } from '../domain/workflow/variables.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import { readText } from './read-text.ts';

export type CheckedFile = {
  readonly file: string;
  readonly kind: 'workflow' | 'tests' | 'profiles';
  /** The id of a workflow without errors; null for any other file. */
  readonly id: string | null;
  readonly issues: readonly Issue[];
};

/** A file with its text. */
type FileToCheck = { readonly file: string; readonly text: string };

/** The kind of a file, by its name. */
const kindOf = (file: string): CheckedFile['kind'] => {
  if (basename(file) === profilesFileName) return 'profiles';
  return testsFileName.test(file) ? 'tests' : 'workflow';
};

type CheckOptions = {
  readonly sources: SourceService;
  /** Absent: a workflow is checked with its own defaults. */
  readonly profileName: string | undefined;
  /** Time of the check, in ms. */
  readonly now: number;
};

export async function checkFile(file: string, options: CheckOptions): Promise<CheckedFile> {
  const kind = kindOf(file);
  const { text, issue } = await textOrIssue(readText(file));
  if (text === undefined) return { file, kind, id: null, issues: [issue] };
  const checked = { file, text };
  switch (kind) {
    case 'profiles':
      return checkProfilesFile(checked);
    case 'tests':
      return checkTestsFile(checked);
    case 'workflow':
      return checkWorkflowFile(checked, options);
  }
}

async function checkWorkflowFile(
  { file, text }: FileToCheck,
  { sources, profileName, now }: CheckOptions,
): Promise<CheckedFile> {
  const profile = await profileOfFile(file, profileName, parserInProcess);
  const loaded = await loadWorkflow({ path: file, location: 'named' }, text, parserInProcess);
  const { source, workflow, issues } = await inProfile(loaded, profile, parserInProcess);
  if (workflow === undefined) return { file, kind: 'workflow', id: null, issues };
  const { id } = workflow;
  // What a run cannot do without, the sources speak of.
  const named = filesOfWorkflow(workflow).filter(({ isNeeded }) => !isNeeded);
  const rows = await parserInProcess.namedFiles(source, named);
  const dependencyIssues = [
    ...(await missingIn(file, rows)),
    ...(await sources.check({ id, file, source, workflow }, { profile })),
    ...(await oldRecordsIn(file, workflow, now)),
    ...(profileName === undefined ? [] : unsetIn(workflow, profileName)),
  ];
  return { file, kind: 'workflow', id, issues: [...issues, ...dependencyIssues] };
}

/** Age from which recorded answers of a hosted service may not be those that it gives now, in days. */
const maxRecordDays = 30;

async function oldRecordsIn(file: string, { nodes }: Workflow, now: number): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const { config, line } of nodes) {
    const table = 'table' in config ? config.table : undefined;
    if (typeof table !== 'string' || !isRecordsFile(table)) continue;
    const { text = '' } = await textOrIssue(readText(join(dirname(file), table)));
    const days = Math.floor((now - (newestRecordMs(text) ?? now)) / 86_400_000);
    if (days <= maxRecordDays) continue;
    const message = `${table} was recorded ${days} days ago: the service may answer otherwise now. Record again`;
    issues.push({ severity: 'warning', message, line, column: 1 });
  }
  return issues;
}

/** Variables that a run with the profile would lack. */
const unsetIn = ({ vars }: Workflow, profileName: string): readonly Issue[] =>
  vars
    .filter(({ value }) => value === null)
    .map(({ name, line }) => ({
      severity: 'error',
      message: `The variable "${name}" has no value, neither here nor in the profile "${profileName}"`,
      line,
      column: 1,
    }));

/** The names of its variables are checked too, with all workflows of the folder. */
async function checkProfilesFile({ file, text }: FileToCheck): Promise<CheckedFile> {
  const names = await readdir(dirname(file));
  const known: string[] = [];
  for (const name of names.filter((each) => workflowFileName.test(each))) {
    const other = await textOrIssue(readText(join(dirname(file), name)));
    const { document } = readFile(other.text ?? '');
    known.push(...Object.keys(writtenVariables(document?.data) ?? {}));
  }
  const { issues } = parseProfiles(text, known);
  return { file, kind: 'profiles', id: null, issues };
}

/** Its mocks are checked too where the workflow beside it has no errors of its own. */
async function checkTestsFile({ file, text }: FileToCheck): Promise<CheckedFile> {
  const { tests = [], issues } = parseTests(text, await workflowOfTests(file));
  const dependencyIssues = await missingIn(file, await parserInProcess.namedFiles(text, filesOfTests(tests)));
  return { file, kind: 'tests', id: null, issues: [...issues, ...dependencyIssues] };
}

async function workflowOfTests(file: string): Promise<Workflow | undefined> {
  for (const name of workflowNamesFor(basename(file))) {
    const path = join(dirname(file), name);
    if (!(await isFile(path))) continue;
    const { text = '' } = await textOrIssue(readText(path));
    return parseWorkflow(text).workflow;
  }
  return undefined;
}

async function missingIn(file: string, named: readonly NamedFile[]): Promise<Issue[]> {
  const missing = await Promise.all(
    named.map(async (each) => ((await isFile(join(dirname(file), each.path))) ? [] : [each])),
  );
  return missing.flat().map((each) => ({
    severity: each.isNeeded ? 'error' : 'warning',
    message: missingFile(each, 'is not there'),
    line: each.line,
    column: each.column,
  }));
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isFile() === true;
