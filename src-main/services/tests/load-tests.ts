// A tests file with the workflow beside it, read and checked.
import { basename, dirname, join } from 'node:path';
import { assertFileTrusted, profileOfFile } from '../workflows/named-file.ts';
import type { Profile } from '../../domain/profiles/profile.ts';
import { inProfile } from '../workflows/profile-service.ts';
import { loadWorkflow } from '../workflows/workflow-service.ts';
import type { TestCase } from '../../domain/tests/test-case.ts';
import type { FileReport } from '../../domain/tests/test-report.ts';
import { workflowNamesFor } from '../../domain/workflow/file-names.ts';
import { textOrIssue, type Issue, type TextOrIssue } from '../../domain/workflow/issue.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { parserInProcess, type FileParser } from '../workflows/file-parser.ts';
import { readTextFile } from '../../files/text-file.ts';

export type TestedWorkflow = {
  readonly id: string;
  readonly file: string;
  readonly source: string;
  readonly workflow: Workflow;
  readonly profile?: Profile;
};

export type LoadedTests = {
  readonly file: string;
  readonly text: string;
  /** Empty when there are issues. */
  readonly tests: readonly TestCase[];
  /** Absent when there is none, or it has errors; then there are issues. */
  readonly workflow?: TestedWorkflow;
  readonly issues: FileReport['issues'];
};

type LoadTestsOptions = {
  readonly parser?: FileParser;
  /** Name of a profile; absent: the workflow's own defaults. */
  readonly profile?: string | undefined;
  /** Reads a file; default: from the disk. */
  readonly readText?: (path: string) => Promise<string>;
};

/**
 * Reads one tests file. Throws only when that file itself cannot be read, tests an import that is not trusted, or there is
 * no such profile.
 */
export async function loadTests(
  file: string,
  { parser = parserInProcess, profile: profileName, readText = readTextFile }: LoadTestsOptions = {},
): Promise<LoadedTests> {
  const { text, issue } = await textOrIssue(readText(file));
  if (text === undefined) return { file, text: '', tests: [], issues: [{ file, ...issue }] };
  const tested = await testedWorkflowFile(file, readText);
  if (tested === undefined) {
    const message = `There is no workflow beside this file: expected ${workflowNamesFor(basename(file))[0]}`;
    return { file, text, tests: [], issues: [{ file, severity: 'error', message, line: 1, column: 1 }] };
  }
  if (tested.issue !== undefined)
    return { file, text, tests: [], issues: [{ file: tested.file, ...tested.issue }] };
  const profile = await profileOfFile(tested.file, profileName, parser);
  const loaded = await loadWorkflow({ path: tested.file, location: 'named' }, tested.text, parser);
  const { source, workflow, issues: ofWorkflow } = await inProfile(loaded, profile, parser);
  await assertFileTrusted(tested.file, source, parser);
  const { tests = [], issues } = await parser.tests(text, workflow);
  const all = [...errorsOf(tested.file, ofWorkflow), ...errorsOf(file, issues)];
  if (workflow === undefined || all.length > 0) return { file, text, tests: [], issues: all };
  const { id } = workflow;
  return {
    file,
    text,
    tests,
    workflow: { id, file: tested.file, source, workflow, ...(profile === undefined ? {} : { profile }) },
    issues: [],
  };
}

const errorsOf = (file: string, issues: readonly Issue[]): FileReport['issues'] =>
  issues.filter(({ severity }) => severity === 'error').map((issue) => ({ file, ...issue }));

/** The workflow that a tests file of this name tests. */
export async function testedWorkflowFile(
  file: string,
  readText = readTextFile,
): Promise<(TextOrIssue & { readonly file: string }) | undefined> {
  for (const name of workflowNamesFor(basename(file))) {
    const path = join(dirname(file), name);
    const found = await ifThere(textOrIssue(readText(path)));
    if (found !== undefined) return { file: path, ...found };
  }
  return undefined;
}

/** Undefined where there is no such file. */
export const readIfThere = (path: string): Promise<string | undefined> => ifThere(readTextFile(path));

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
