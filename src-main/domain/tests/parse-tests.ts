// From the text of a tests file to its tests, or to everything that is wrong with it: all issues at once, each with
// its line and column, as for workflow files. Never throws on any text.
import { isJsonObject } from '../../base/json-value.ts';
import { chooseMocks } from '../workflow/choose-mocks.ts';
import type { FileDocument } from '../workflow/file-document.ts';
import type { FileProblem } from '../workflow/file-problem.ts';
import { limitIssues, maxIssues, type Issue } from '../workflow/issue.ts';
import { readFile } from '../workflow/read-file.ts';
import { checkPart } from '../workflow/check/schema-problems.ts';
import { formatVersion } from '../workflow/workflow-keys.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { TestCase } from './test-case.ts';
import { testsKeys } from './tests-keys.ts';

export type ParsedTests = {
  /** Absent when there are issues. */
  readonly tests?: readonly TestCase[];
  readonly issues: readonly Issue[];
};

/** Reads YAML or JSON. With the workflow that is tested, its mocks are checked too. */
export function parseTests(text: string, workflow?: Workflow): ParsedTests {
  const { document, issues } = readFile(text);
  if (document === undefined) return { issues: limitIssues(issues) };
  const { tests, problems } = fromJson(document, workflow);
  const all = limitIssues([
    ...issues,
    ...problems.slice(0, maxIssues + 1).map((problem) => document.issueOf(problem)),
  ]);
  return tests === undefined || all.length > 0 ? { issues: all } : { tests, issues: [] };
}

type Result = { readonly tests?: readonly TestCase[]; readonly problems: readonly FileProblem[] };

function fromJson(document: FileDocument, workflow: Workflow | undefined): Result {
  const { data } = document;
  if (!isJsonObject(data)) return refused('Expected a list of tests under the key "tests"', []);
  const version = data['rowbench'];
  if (typeof version === 'number' && version > formatVersion)
    return refused(`The file has format version ${version}: a newer Rowbench is needed`, ['rowbench']);
  const parsed = checkPart(testsKeys, data, []);
  if (!parsed.ok) return { problems: parsed.problems };
  const tests = parsed.value.tests.map((test, index) => ({
    ...test,
    index,
    line: document.positionOf({ path: ['tests', index] }).line,
  }));
  return { tests, problems: [...namesTwice(tests), ...(workflow ? wrongMocks(tests, workflow) : [])] };
}

const refused = (message: string, path: FileProblem['path']): Result => ({ problems: [{ message, path }] });

function namesTwice(tests: readonly TestCase[]): FileProblem[] {
  const lines = new Map<string, number>();
  return tests.flatMap(({ name, line, index }) => {
    const first = lines.get(name);
    lines.set(name, first ?? line);
    if (first === undefined) return [];
    const message = `The name ${JSON.stringify(name)} is already taken by the test in line ${first}`;
    return [{ message, path: ['tests', index, 'name'] }];
  });
}

const wrongMocks = (tests: readonly TestCase[], workflow: Workflow): FileProblem[] =>
  tests.flatMap(({ index, mocks }) =>
    chooseMocks(workflow, mocks).problems.map(({ nodeId, message, isNode }) => ({
      message,
      path: ['tests', index, 'mocks', nodeId],
      atKey: isNode,
    })),
  );
