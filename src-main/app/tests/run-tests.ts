// Runs loaded tests over one pool of row workers, a few at a time, and compares results with expectations.
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import { invariant } from '../../base/invariant.ts';
import { fixedSeed } from '../../executor/fixed-seed.ts';
import type { BenchTest, TestBench } from '../test-bench.ts';
import type { TestCalls } from '../test-calls.ts';
import { compareOutcome, type Difference, type TestOutcome } from '../../domain/tests/compare-outcome.ts';
import { ownExpectation, type LoadedExpectation, type TestCase } from '../../domain/tests/test-case.ts';
import { resultOf, type FileReport, type TestResult } from '../../domain/tests/test-report.ts';
import type { DraftTexts } from '../../files/read-rows.ts';
import { readInlineOrFileRows } from '../input-rows.ts';
import { checkRules } from './check-rules.ts';
import { readExpectedRows } from './expected-rows.ts';
import type { LoadedTests, TestedWorkflow } from './load-tests.ts';

export type DoneTest = {
  readonly test: TestCase;
  readonly result: TestResult;
  /** Absent for a test that could not be run. */
  readonly outcome?: TestOutcome;
  readonly ms: number;
};

export type DoneFile = { readonly loaded: LoadedTests; readonly done: readonly DoneTest[] };

export type RunTestsDeps = {
  readonly bench: TestBench;
  readonly calls: TestCalls;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** True if the caller selected the test. */
  readonly wants: (file: string, test: TestCase) => boolean;
  /** Called after each test. */
  readonly onDone?: (done: DoneTest) => void;
  /** Maximum tests at once; default: as many as there are processors. */
  readonly maxAtOnce?: number;
  readonly drafts?: DraftTexts;
};

/** In the order of files and tests, whichever ended first. Throws the signal's reason when it is aborted. */
export async function runTests(files: readonly LoadedTests[], parts: RunTestsDeps): Promise<DoneFile[]> {
  const selected = files.flatMap(({ file, tests, workflow }) =>
    workflow === undefined
      ? []
      : tests.flatMap((test) => (parts.wants(file, test) ? [{ file, test, workflow }] : [])),
  );
  const done = new Map<TestCase, DoneTest>();
  const queue = groupsOf(selected);
  const work = async (): Promise<void> => {
    for (let group = queue.shift(); group !== undefined; group = queue.shift())
      for (const selectedTest of group) {
        const doneTest = await runTest(selectedTest, parts);
        done.set(selectedTest.test, doneTest);
        parts.onDone?.(doneTest);
      }
  };
  await Promise.all(Array.from({ length: parts.maxAtOnce ?? availableParallelism() }, work));
  return files.map((loaded) => ({ loaded, done: loaded.tests.flatMap((test) => done.get(test) ?? []) }));
}

/** Tests of one workflow with the same mocks take turns: they share a row worker, whose start costs more than they do. */
function groupsOf(tests: readonly SelectedTest[]): SelectedTest[][] {
  const groups = new Map<string, SelectedTest[]>();
  for (const selectedTest of tests) {
    const key = JSON.stringify([selectedTest.file, selectedTest.test.mocks]);
    groups.set(key, [...(groups.get(key) ?? []), selectedTest]);
  }
  return [...groups.values()];
}

type SelectedTest = { readonly file: string; readonly test: TestCase; readonly workflow: TestedWorkflow };

async function runTest(selectedTest: SelectedTest, deps: RunTestsDeps): Promise<DoneTest> {
  const { clock, signal } = deps;
  const { test } = selectedTest;
  const from = clock.monotonic();
  try {
    const ran = await (test.repeat === undefined ? runOnce : runRepeatedly)(
      await preparedTest(selectedTest, deps),
      deps,
    );
    return {
      test,
      result: resultOf(test, ran.differences),
      // What came of one of several runs is nothing that a test could expect.
      ...(test.repeat === undefined ? { outcome: ran.outcome } : {}),
      ms: clock.monotonic() - from,
    };
  } catch (error) {
    if (signal.aborted || !isOfTheTest(error)) throw error;
    const { name, line } = test;
    return {
      test,
      result: { name, line, status: 'broken', error: error.message },
      ms: clock.monotonic() - from,
    };
  }
}

type PreparedTest = {
  readonly benchTest: BenchTest & { readonly test: TestCase };
  readonly expect: LoadedExpectation;
};
type RanTest = { readonly outcome: TestOutcome; readonly differences: readonly Difference[] };

async function preparedTest(
  selectedTest: SelectedTest,
  { bench, calls, signal, drafts }: RunTestsDeps,
): Promise<PreparedTest> {
  const rows = await readTestRowLines(selectedTest, { workerScript: bench.workerScript, signal, drafts });
  return { benchTest: { ...selectedTest, calls, rows }, expect: await readExpectation(selectedTest, drafts) };
}

async function runOnce(
  { benchTest, expect }: PreparedTest,
  { bench, signal }: Pick<RunTestsDeps, 'bench' | 'signal'>,
): Promise<RanTest> {
  const outcome = await bench.run(benchTest, signal);
  const differences = compareOutcome(expect, outcome);
  if (outcome.status === 'failed') return { outcome, differences };
  const ran = { benchTest, outputs: outcome.outputs };
  return { outcome, differences: [...differences, ...(await checkRules(expect, ran, { bench, signal }))] };
}

/** Runs the test with a seed for each time; while its calls are recorded, once. */
async function runRepeatedly(prepared: PreparedTest, deps: RunTestsDeps): Promise<RanTest> {
  const { benchTest } = prepared;
  const { times, passRate } = benchTest.test.repeat ?? { times: 1, passRate: 1 };
  if (deps.calls.reachesOut(benchTest.test)) return runOnce(prepared, deps);
  const all: RanTest[] = [];
  for (let time = 0; time < times; time += 1) {
    const seed = { ...fixedSeed, random: fixedSeed.random + time };
    all.push(await runOnce({ ...prepared, benchTest: { ...benchTest, seed } }, deps));
  }
  const failed = all.filter(({ differences }) => differences.length > 0);
  const passed = times - failed.length;
  const [first] = failed;
  const outcome = first?.outcome ?? all[0]?.outcome;
  invariant(outcome !== undefined, 'a test runs at least twice');
  if (first === undefined || passed / times >= passRate) return { outcome, differences: [] };
  const rate: Difference = {
    what: 'repeat',
    path: [],
    rule: `${Math.round(passRate * 100)} % of ${times} runs pass`,
    found: `${passed} of ${times} passed; the first that failed:`,
  };
  return { outcome, differences: [rate, ...first.differences] };
}

/** Throws `invalid_input` for a file of expected rows that is not there or holds something else. */
async function readExpectation(
  { file, test }: SelectedTest,
  drafts: DraftTexts | undefined,
): Promise<LoadedExpectation> {
  const { rows } = test.expect;
  if (typeof rows !== 'string') return ownExpectation(test.expect);
  return {
    ...ownExpectation(test.expect),
    rows: await readExpectedRows(resolve(dirname(file), rows), drafts),
  };
}

/** The rows of a test, as lines. Throws `invalid_input` for a file that is not there or holds something else. */
export async function readTestRowLines(
  { file, test, workflow }: SelectedTest,
  options: {
    readonly workerScript: string;
    readonly signal: AbortSignal;
    readonly drafts?: DraftTexts | undefined;
  },
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const source = { workflow: workflow.workflow, file, rows: test.rows, ...options };
  for await (const bytes of readInlineOrFileRows(source)) chunks.push(bytes);
  return Buffer.concat(chunks);
}

/** A rows file that is missing or wrong. Everything else is not the test's fault and ends the command. */
const isOfTheTest = (error: unknown): error is Error =>
  error instanceof AppError || (error instanceof Error && 'code' in error && error.code === 'ENOENT');

export const reportOf = ({ loaded, done }: DoneFile): FileReport => ({
  file: loaded.file,
  issues: loaded.issues,
  results: done.map(({ result }) => result),
});
