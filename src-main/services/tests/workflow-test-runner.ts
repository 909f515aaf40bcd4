// Runs the tests beside a workflow for the user who has its page open: the same engine as `rowbench test`, offline. One
// test run executes at a time, with row workers of its own that end with it.
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { Mutex } from '../../base/mutex.ts';
import type {
  RunFixtureView,
  SavedTestView,
  TestedFileView,
  TestResultView,
  TestsFileView,
  TestsRunView,
  WorkflowTests,
} from '../../domain/tests/test-views.ts';
import { testsStopped, testsTooLong } from '../../domain/test-errors.ts';
import type { Difference } from '../../domain/tests/compare-outcome.ts';
import { describeDifferences, type ReportLine } from '../../domain/tests/describe-differences.ts';
import { textOrIssue } from '../../domain/workflow/issue.ts';
import { countTests, type TestResult } from '../../domain/tests/test-report.ts';
import { callNeedOf } from '../../domain/upstream/call-needs.ts';
import { belongsTo, testsFileName } from '../../domain/workflow/file-names.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';
import { namesIn, readTextFile } from '../../files/text-file.ts';
import { TestBench } from './test-bench.ts';
import { TestCalls, type TestCallsDeps } from './test-calls.ts';
import { loadTests } from './load-tests.ts';
import type { SaveTestOptions } from './save-test.ts';
import { reportOf, runTests, type DoneFile, type DoneTest } from './run-tests.ts';

type RunnerDeps = {
  readonly workerScript: string;
  readonly parser: FileParser;
  readonly clock: Clock;
  readonly openCassette: TestCallsDeps['openCassette'];
};
/** Without a file those of all files, without a name all of them, without a profile with the defaults of the workflow's file. */
type TestSelection = { readonly file?: string; readonly test?: string; readonly profile?: string };

/** A person waits for them; a test that needs longer belongs on a command line. */
export const longestTestsMs = 120_000;

export class WorkflowTestRunner {
  readonly #parts: RunnerDeps;
  readonly #closing = new AbortController();
  readonly #mutex = new Mutex();

  constructor(parts: RunnerDeps) {
    this.#parts = parts;
  }

  /** The tests files beside the workflow, with their tests; nothing runs. */
  async list(loaded: LoadedWorkflow): Promise<WorkflowTests> {
    return {
      files: await Promise.all((await testsFilesOf(loaded.file)).map((file) => this.#look(file, loaded))),
    };
  }

  /**
   * Runs them as the files are now. Throws `workflow_untrusted` for an import that is not trusted, `invalid_input`
   * when they take too long and for a profile that is not there.
   */
  run(loaded: LoadedWorkflow, selection: TestSelection): Promise<TestsRunView> {
    return this.#mutex.run(() => this.#runNow(loaded, selection));
  }

  /** Writes a test of a run beside its workflow, and runs it if its calls have recorded answers. */
  save(
    fixture: RunFixtureView,
    choice: Pick<SaveTestOptions, 'fields'> & { readonly name?: string | undefined } = {},
  ): Promise<SavedTestView> {
    return this.#mutex.run(async () => {
      const { openCassette } = this.#parts;
      // The start of a server does not load the parsers.
      const { saveTest } = await import('./save-test.ts');
      const saved = await saveTest({ fixture, name: undefined, ...choice, out: undefined, openCassette });
      const { file, name, rows, missingCassette } = saved;
      const view = { file, name, rows };
      if (missingCassette !== undefined) return { ...view, missingCassette };
      const ran = await this.#runFiles([file], { test: name });
      const result = ran.files[0]?.results[0];
      return result === undefined ? view : { ...view, result };
    });
  }

  /** Ends what runs. */
  async close(): Promise<void> {
    this.#closing.abort(testsStopped());
    await this.#mutex.settled();
  }

  async #look(file: string, { workflow }: LoadedWorkflow): Promise<TestsFileView> {
    const { text, issue } = await textOrIssue(readTextFile(file));
    const { tests = [], issues } =
      text === undefined ? { issues: [issue] } : await this.#parts.parser.tests(text, workflow);
    return { file, name: basename(file), issues, tests: tests.map(({ name, line }) => ({ name, line })) };
  }

  async #runNow(
    { file: workflowFile }: LoadedWorkflow,
    { file, ...choice }: TestSelection,
  ): Promise<TestsRunView> {
    const files = await testsFilesOf(workflowFile);
    return this.#runFiles(
      files.filter((each) => file === undefined || each === file),
      choice,
    );
  }

  async #runFiles(
    files: readonly string[],
    { test, profile }: Omit<TestSelection, 'file'>,
  ): Promise<TestsRunView> {
    this.#closing.signal.throwIfAborted();
    const { clock, workerScript, parser, openCassette } = this.#parts;
    const tooLong = new AbortController();
    const cancel = clock.setTimer(longestTestsMs, () => tooLong.abort(testsTooLong(longestTestsMs / 1000)));
    const signal = AbortSignal.any([this.#closing.signal, tooLong.signal]);
    const from = clock.monotonic();
    const bench = new TestBench(workerScript, parser);
    try {
      const calls = new TestCalls({ clock, openCassette });
      const wants = (_: string, { name }: { name: string }): boolean => test === undefined || name === test;
      const parts = { bench, calls, clock, signal, wants };
      const loaded = await Promise.all(files.map((each) => loadTests(each, { parser, profile })));
      const ran = await runTests(loaded, parts);
      const counts = countTests(ran.map(reportOf));
      const views = ran.map((file) => testedView(file, maxDifferencesOf(counts.failed)));
      return { files: views, ...counts, ms: clock.monotonic() - from };
    } finally {
      cancel();
      await bench.close();
    }
  }
}

async function testsFilesOf(workflowFile: string): Promise<readonly string[]> {
  const folder = dirname(workflowFile);
  return testsFilesAmong(await namesIn(folder), basename(workflowFile)).map((name) => join(folder, name));
}

/** Those of the names that are tests files of the workflow. */
export const testsFilesAmong = (names: readonly string[], workflowName: string): readonly string[] =>
  names.filter((name) => testsFileName.test(name) && belongsTo(name, workflowName, names)).sort();

const testedView = (
  { loaded: { file, issues }, done }: DoneFile,
  maxDifferences: number,
): TestedFileView => ({
  file,
  name: basename(file),
  issues,
  results: done.map((each) => resultView(each, maxDifferences)),
});

/** Maximum differences that a page shows of each test: fewer where many tests failed, so that the answer stays small. */
export function maxDifferencesOf(failedTests: number): number {
  if (failedTests > 2_000) return 1;
  return failedTests > 200 ? 3 : 20;
}

export function resultView({ test, result, scores, ms }: DoneTest, maxDifferences: number): TestResultView {
  const { name, line, status } = result;
  const row = differingRow(result);
  const lines = linesOf(result, { maxDifferences, addsPart: Array.isArray(test.expect.rows) });
  const needsRecording = status === 'broken' && callNeedOf(result.error)?.kind === 'recording';
  return {
    name,
    line,
    status,
    ms,
    lines,
    ...(row === undefined ? {} : { row }),
    ...(scores === undefined ? {} : { scores }),
    ...(needsRecording ? { needsRecording: true } : {}),
    ...(status === 'failed' && result.differences.some(isUpdatable) ? { isUpdatable: true } : {}),
  };
}

/** True if another expectation in place of the one of the test ends the difference. */
const isUpdatable = ({ what }: Difference): boolean => what !== 'fields' && what !== 'repeat';

/** The first row that is not as expected, from 1. */
function differingRow(result: TestResult): number | undefined {
  if (result.status !== 'failed') return undefined;
  const index = result.differences.map(({ path }) => path[0]).find((step) => typeof step === 'number');
  return index === undefined ? undefined : index + 1;
}

function linesOf(
  result: TestResult,
  options: { readonly maxDifferences: number; readonly addsPart: boolean },
): readonly ReportLine[] {
  if (result.status === 'failed')
    return describeDifferences(result.differences, { more: result.more, ...options });
  return result.status === 'broken' ? [{ sign: '', text: result.error, depth: 0 }] : [];
}
