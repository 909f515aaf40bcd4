// Writes a test made of a run into a tests file beside its workflow, and runs it once.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TestBench } from '../../app/test-bench.ts';
import { TestCalls } from '../../app/test-calls.ts';
import type { RunFixtureView } from '../../contract/index.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { workflowFileUnknown } from '../../domain/workflow-errors.ts';
import { addTest, type NewTest } from '../../domain/tests/add-test.ts';
import { parseTests } from '../../domain/tests/parse-tests.ts';
import {
  fileStem,
  fitsInside,
  nameOfTest,
  describeRowNumbers as rowsInWords,
  testOfRun,
  type EndedRun,
} from '../../domain/tests/test-of-run.ts';
import { mocksOf } from '../../domain/workflow/choose-mocks.ts';
import { testsFileName } from '../../domain/workflow/file-names.ts';
import { parseWorkflow } from '../../domain/workflow/parse-workflow.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../exit-code.ts';
import { untilInterrupted } from '../interrupt.ts';
import { cassetteName } from '../run-input-options.ts';
import { assertWritable, writeText } from '../write-output-file.ts';
import { rowsPerLine } from '../../app/tests/expected-rows.ts';
import { loadTests, readIfThere, testedWorkflowFile } from '../../app/tests/load-tests.ts';
import { reportOf, runTests } from '../../app/tests/run-tests.ts';
import type { FileReport } from '../../domain/tests/test-report.ts';

export type SaveTestOptions = {
  readonly fixture: RunFixtureView;
  readonly name: string | undefined;
  /** The tests file; without it the one beside the workflow's file. */
  readonly out: string | undefined;
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

/** Throws a UsageError for what does not fit the tests file, `workflow_not_found` where its place is not known. */
export async function saveTest({ fixture, name: wished, out }: SaveTestOptions): Promise<SavedTest> {
  const file = out ?? (await testsFileFor(fixture));
  const { workflow, cassette } = await testedBy(file, fixture);
  await assertWritable(file);
  const text = await readIfThere(file);
  const taken = namesIn(file, text, workflow);
  const run = endedRun(fixture, workflow);
  if (wished !== undefined && taken.has(wished))
    throw new UsageError(
      `${file} has a test of the name ${JSON.stringify(wished)} already: give another --name`,
    );
  const name = wished ?? nameOfTest(run, (other) => taken.has(other));
  const test = testOfRun(run, { name, cassette: fixture.reachesOut ? cassette : undefined });
  const { inFile, files } = fitsInside(run) ? { inFile: test, files: [] } : await filesFor(file, test);
  const note = `From run ${run.runId}, ${rowsInWords(run.rows.map(({ row }) => row))}.`;
  for (const [path, content] of files) await writeText(path, content);
  await writeText(file, addTest(text, inFile, note));
  const missing = test.cassette !== undefined && !(await isThere(join(dirname(file), test.cassette)));
  return {
    file,
    name,
    rows: run.rows.length,
    files: files.map(([path]) => path),
    ...(missing && test.cassette !== undefined ? { missingCassette: test.cassette } : {}),
  };
}

/** The tests file that is there beside the workflow's file, else the usual one. */
async function testsFileFor({ file, workflowId }: RunFixtureView): Promise<string> {
  if (file === undefined) throw workflowFileUnknown(workflowId);
  const stem = file.replace(/(\.workflow)?\.(ya?ml|json)$/, '');
  const names = ['yaml', 'yml', 'json'].map((ending) => `${stem}.tests.${ending}`);
  for (const name of names) if (await isThere(name)) return name;
  return `${stem}.tests.yaml`;
}

async function testedBy(
  file: string,
  { workflowId }: RunFixtureView,
): Promise<{ readonly workflow: Workflow; readonly cassette: string }> {
  if (!testsFileName.test(file))
    throw new UsageError(`${file} is no tests file: *.tests.yaml, .yml or .json`);
  const tested = await testedWorkflowFile(file);
  const { workflow } = tested === undefined ? {} : parseWorkflow(tested.text);
  if (tested === undefined || workflow?.id !== workflowId) {
    const found =
      tested === undefined ? 'there is no workflow of its name beside it' : `${tested.file} is not it`;
    throw new UsageError(`${file} cannot hold tests of the workflow "${workflowId}": ${found}`);
  }
  return { workflow, cassette: cassetteName(tested.file) };
}

/** Throws a UsageError for a tests file with errors: nothing is written into it. */
function namesIn(file: string, text: string | undefined, workflow: Workflow): ReadonlySet<string> {
  if (text === undefined) return new Set();
  const { tests } = parseTests(text, workflow);
  if (tests === undefined)
    throw new UsageError(`${file} has errors, which "rowbench validate" shows: mend it first`);
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
  const found = await Promise.all(names.map((name) => isThere(join(folder, name))));
  return found.includes(true);
}

const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** Runs the test alone, offline as ever. */
export async function tryTest(
  { workerScript, clock }: CommandContext,
  { file, name }: SavedTest,
): Promise<FileReport | undefined> {
  const bench = new TestBench(workerScript);
  try {
    let report: FileReport | undefined;
    await untilInterrupted(async (signal) => {
      const parts = { bench, calls: new TestCalls({ clock }), clock, signal };
      const wants = (_: string, test: { readonly name: string }): boolean => test.name === name;
      const [done] = await runTests([await loadTests(file)], { ...parts, wants });
      report = done && reportOf(done);
    });
    return report;
  } finally {
    await bench.close();
  }
}
