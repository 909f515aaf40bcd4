// Checks one file for `rowbench validate`: its own issues, and missing files beside it. Nothing runs.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parserInProcess } from '../services/file-parser.ts';
import type { SourceService } from '../services/source-service.ts';
import { parseTests } from '../domain/tests/parse-tests.ts';
import { workflowNamesFor } from '../domain/workflow/file-names.ts';
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
  readonly kind: 'workflow' | 'tests';
  /** The id of a workflow without errors; null for any other file. */
  readonly id: string | null;
  readonly issues: readonly Issue[];
};

export async function checkWorkflowFile(file: string, sources: SourceService): Promise<CheckedFile> {
  const source = await readText(file);
  const { workflow, issues } = parseWorkflow(source);
  if (workflow === undefined) return { file, kind: 'workflow', id: null, issues };
  const { id } = workflow;
  // What a run cannot do without, the sources speak of.
  const named = filesOfWorkflow(workflow).filter(({ isNeeded }) => !isNeeded);
  const rows = await parserInProcess.namedFiles(source, named);
  const dependencyIssues = [
    ...(await missingIn(file, rows)),
    ...(await sources.check({ id, file, source, workflow })),
  ];
  return { file, kind: 'workflow', id, issues: [...issues, ...dependencyIssues] };
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
