// Writes a test made of a run into a tests file beside its workflow. Who calls: the app's button, and
// `rowbench runs save-test`.
import { basename, dirname, join, resolve } from 'node:path';
import type { RunFixtureView } from '../../domain/tests/test-views.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { testNotSaved } from '../../domain/test-errors.ts';
import { workflowFileUnknown } from '../../domain/workflow-errors.ts';
import { addTest, type NewTest } from '../../domain/tests/add-test.ts';
import type { ExpectedFields } from '../../domain/tests/expected-fields.ts';
import { parseTests } from '../../domain/tests/parse-tests.ts';
import {
  fileStem,
  freeTestName,
  nameOfTest,
  describeRowNumbers as rowsInWords,
} from '../../domain/tests/name-test.ts';
import { fitsInside, testOfRun, type EndedRun } from '../../domain/tests/test-of-run.ts';
import { mocksOf } from '../../domain/workflow/choose-mocks.ts';
import { cassetteNameFor, testsFileName } from '../../domain/workflow/file-names.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import { diskReason } from '../../files/read-bytes.ts';
import { isFileThere, writeTextFile, writtenPath } from '../../files/text-file.ts';
import type { TestCallsDeps } from './test-calls.ts';
import { rowsPerLine } from './expected-rows.ts';
import { readIfThere, testedWorkflowFile } from './load-tests.ts';

export type SaveTestOptions = {
  readonly fixture: RunFixtureView;
  readonly name: string | undefined;
  /** Fields of the outputs that the test checks; undefined: all, with their values. */
  readonly fields?: ExpectedFields | undefined;
  /** The tests file; without it the one beside the workflow's file. */
  readonly out: string | undefined;
  readonly openCassette: TestCallsDeps['openCassette'];
};

export type SavedTest = {
  readonly file: string;
  readonly name: string;
  readonly rows: number;
  /** Written beside the tests file, for what is too large to stand in it. */
  readonly files: readonly string[];
  /** A cassette that the test names, and that is not there yet: so it cannot be run. */
  readonly missingCassette?: string;
};

/** Throws `invalid_input` for what does not fit the tests file, `workflow_not_found` if no file of the workflow is known. */
export async function saveTest({
  fixture,
  name: wished,
  fields,
  out,
  openCassette,
}: SaveTestOptions): Promise<SavedTest> {
  const file = out ?? (await testsFileFor(fixture));
  const { workflow, workflowFile } = await testedBy(file, fixture);
  const text = await readIfThere(file);
  const taken = namesIn(file, text, workflow);
  const run = endedRun(fixture, workflow);
  if (wished !== undefined && taken.has(wished))
    throw testNotSaved(
      `${file} has a test of the name ${JSON.stringify(wished)} already: give it another name`,
    );
  const name = wished ?? freeTestName(nameOfTest(run), taken);
  const test = testOfRun(run, {
    name,
    cassette: fixture.reachesOut ? cassetteNameFor(basename(workflowFile)) : undefined,
    fields,
  });
  const { inFile, files } = fitsInside(run) ? { inFile: test, files: [] } : await filesFor(file, test);
  const note = `From run ${run.runId}, ${rowsInWords(run.rows.map(({ row }) => row))}.`;
  const withTest = addTest(text, inFile, note);
  const written = await writtenPath(file);
  const writtenFiles = await Promise.all(
    files.map(async ([path, content]) => [await writtenPath(path), content] as const),
  );
  try {
    for (const [path, content] of writtenFiles) await writeTextFile(path, content);
    await writeTextFile(written, withTest);
  } catch (error) {
    throw testNotSaved(`${file} cannot be written: ${diskReason(error)}`, error);
  }
  const cassette = await openCassette(workflow.id, resolve(workflowFile));
  const isMissing = test.cassette !== undefined && (await cassette.read()) === undefined;
  return {
    file,
    name,
    rows: run.rows.length,
    files: files.map(([path]) => path),
    ...(isMissing ? { missingCassette: test.cassette } : {}),
  };
}

/** The tests file that is there beside the workflow's file, else the usual one. */
async function testsFileFor({ file, workflowId }: RunFixtureView): Promise<string> {
  if (file === undefined) throw workflowFileUnknown(workflowId);
  const stem = file.replace(/(\.workflow)?\.(ya?ml|json)$/, '');
  const names = ['yaml', 'yml', 'json'].map((ending) => `${stem}.tests.${ending}`);
  for (const name of names) if (await isFileThere(name)) return name;
  return `${stem}.tests.yaml`;
}

async function testedBy(
  file: string,
  { workflowId }: RunFixtureView,
): Promise<{ readonly workflow: Workflow; readonly workflowFile: string }> {
  if (!testsFileName.test(file)) throw testNotSaved(`${file} is no tests file: *.tests.yaml, .yml or .json`);
  const tested = await testedWorkflowFile(file);
  const { workflow } = parseWorkflow(tested?.text ?? '');
  if (tested === undefined || workflow?.id !== workflowId) {
    const found =
      tested === undefined ? 'there is no workflow of its name beside it' : `${tested.file} is not it`;
    throw testNotSaved(`${file} cannot hold tests of the workflow "${workflowId}": ${found}`);
  }
  return { workflow, workflowFile: tested.file };
}

/** Throws `invalid_input` for a tests file with errors: nothing is written into it. */
function namesIn(file: string, text: string | undefined, workflow: Workflow): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const { tests } = parseTests(text, workflow);
  if (tests === undefined)
    throw testNotSaved(`${file} has errors, which "rowbench validate" shows: fix them first`);
  return new Set(tests.map(({ name }) => name));
}

function endedRun({ rows, mocks, mode, ...fixture }: RunFixtureView, workflow: Workflow): EndedRun {
  return {
    ...fixture,
    mocks: mocksOf(workflow, { mocks, mode }),
    // A row is an object, and so is an output: the server accepts and makes no others.
    rows: rows.map(({ row, input, output }) => ({
      row,
      input: JSON.parse(input) as JsonObject,
      output: output === undefined ? null : (JSON.parse(output) as JsonObject),
    })),
  };
}

type NewFile = readonly [path: string, text: string];

/** Rows and outputs in files of names that nothing has. */
async function filesFor(
  testsFile: string,
  test: NewTest,
): Promise<{ readonly inFile: NewTest; readonly files: readonly NewFile[] }> {
  const folder = dirname(testsFile);
  const first = `${basename(testsFile).replace(testsFileName, '')}.${fileStem(test.name)}`;
  const namesOf = (stem: string) => ({ rows: `${stem}.rows.json`, expected: `${stem}.expected.json` });
  let names = namesOf(first);
  for (let again = 2; await anyIsThere(folder, Object.values(names)); again += 1)
    names = namesOf(`${first}-${again}`);
  const { rows: outputs } = test.expect;
  return {
    inFile: {
      ...test,
      rows: names.rows,
      expect: { ...test.expect, ...(outputs === undefined ? {} : { rows: names.expected }) },
    },
    files: [
      ...listFile(join(folder, names.rows), test.rows),
      ...listFile(join(folder, names.expected), outputs),
    ],
  };
}

const listFile = (
  path: string,
  list: readonly (JsonObject | null)[] | string | undefined,
): readonly NewFile[] => (typeof list === 'object' ? [[path, rowsPerLine(list)]] : []);

async function anyIsThere(folder: string, names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map((name) => isFileThere(join(folder, name))));
  return found.includes(true);
}
