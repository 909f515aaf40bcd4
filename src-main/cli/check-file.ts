// Checks one file for `rowbench validate`: its own issues, and missing files beside it. Nothing runs.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJsonObject } from '../base/json-value.ts';
import { profileOfFile } from '../app/profile-of-file.ts';
import { parseProfiles } from '../domain/profiles/parse-profiles.ts';
import { readFile } from '../domain/workflow/read-file.ts';
import { inProfile } from '../services/profile-service.ts';
import { loadWorkflow } from '../services/workflow-service.ts';
import { parserInProcess } from '../services/file-parser.ts';
import type { SourceService } from '../services/source-service.ts';
import { parseTests } from '../domain/tests/parse-tests.ts';
import { workflowFileName, workflowNamesFor } from '../domain/workflow/file-names.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import {
  filesOfTests,
  filesOfWorkflow,
  missingFile,
  type NamedFile,
} from '../domain/workflow/named-files.ts';
import { parseWorkflow } from '../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import { readText } from './read-text.ts';

export type CheckedFile = {
  readonly file: string;
  readonly kind: 'workflow' | 'tests' | 'profiles';
  /** The id of a workflow without errors; null for any other file. */
  readonly id: string | null;
  readonly issues: readonly Issue[];
};

/** @param profileName absent: the file is checked with its own defaults */
export async function checkWorkflowFile(
  file: string,
  sources: SourceService,
  profileName: string | undefined,
): Promise<CheckedFile> {
  const profile = await profileOfFile(file, profileName, parserInProcess);
  const loaded = await loadWorkflow({ path: file, location: 'named' }, await readText(file), parserInProcess);
  const { source, workflow, issues } = await inProfile(loaded, profile, parserInProcess);
  if (workflow === undefined) return { file, kind: 'workflow', id: null, issues };
  const { id } = workflow;
  // What a run cannot do without, the sources speak of.
  const named = filesOfWorkflow(workflow).filter(({ isNeeded }) => !isNeeded);
  const rows = await parserInProcess.namedFiles(source, named);
  const dependencyIssues = [
    ...(await missingIn(file, rows)),
    ...(await sources.check({ id, file, source, workflow }, profile)),
    ...(profileName === undefined ? [] : unsetIn(workflow, profileName)),
  ];
  return { file, kind: 'workflow', id, issues: [...issues, ...dependencyIssues] };
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
export async function checkProfilesFile(file: string): Promise<CheckedFile> {
  const names = await readdir(dirname(file));
  const known: string[] = [];
  for (const name of names.filter((each) => workflowFileName.test(each))) {
    const data = readFile(await readText(join(dirname(file), name))).document?.data;
    const vars = isJsonObject(data) ? data['vars'] : undefined;
    if (isJsonObject(vars)) known.push(...Object.keys(vars));
  }
  const { issues } = parseProfiles(await readText(file), known);
  return { file, kind: 'profiles', id: null, issues };
}

/** Its mocks are checked too where the workflow beside it has no errors of its own. */
export async function checkTestsFile(file: string): Promise<CheckedFile> {
  const text = await readText(file);
  const { tests = [], issues } = parseTests(text, await workflowOfTests(file));
  const dependencyIssues = await missingIn(file, await parserInProcess.namedFiles(text, filesOfTests(tests)));
  return { file, kind: 'tests', id: null, issues: [...issues, ...dependencyIssues] };
}

async function workflowOfTests(file: string): Promise<Workflow | undefined> {
  for (const name of workflowNamesFor(basename(file))) {
    const path = join(dirname(file), name);
    if (await isFile(path)) return parseWorkflow(await readText(path)).workflow;
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
