// Runs loaded tests over one pool of row workers, a few at a time, and compares results with expectations.
import { availableParallelism } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import { invariant } from '../../base/invariant.ts';
import { fixedSeed } from '../../executor/plan.ts';
import type { BenchTest, TestBench } from './test-bench.ts';
import type { TestCalls } from './test-calls.ts';
import { count } from '../../domain/format.ts';
import { describeFailure } from '../../domain/run/row-failure.ts';
import { compareEnd, type Difference } from '../../domain/tests/compare-outcome.ts';
import type { RowNodes } from '../../domain/tests/compare-trace.ts';
import { maxErrorLength } from '../../domain/tests/field-rules.ts';
import { joinDifferences, type ListedDifferences, type TestScores } from '../../domain/tests/rule-counts.ts';
import { shortened } from '../../domain/tests/shown-value.ts';
import { type Expectation, ownExpectation, type TestCase } from '../../domain/tests/test-case.ts';
import { type FileReport, resultOf, type TestResult } from '../../domain/tests/test-report.ts';
import type { DraftTexts } from '../../files/read-rows.ts';
import type { Scenario } from '../../domain/scenarios/scenario.ts';
import type { ReadAs } from '../../domain/run/read-as.ts';
import { storedReading } from '../../domain/run/stored-reading.ts';
import { rowsFileOf } from '../../domain/nodes/rows-source.ts';
import { withOptionKeys } from '../../domain/rows/files/read-options.ts';
import { decidedBy, type ReadReport } from '../../domain/rows/files/read-remarks.ts';
import { readInlineOrFileRows } from '../rowsets/input-rows.ts';
import { JsonLines, OutputLines } from './in-memory-rows.ts';
import { checkOutputs } from './check-outputs.ts';
import { expectedLines, readExpectedRows } from './expected-rows.ts';
import type { LoadedTests, TestedWorkflow } from './load-tests.ts';
import { describeIssue, type Issue } from '../../domain/workflow/issue.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { parseTraceLine, type RowTrace } from '../../domain/results/row-trace.ts';

export type DoneTest = {
  readonly test: TestCase;
  readonly result: TestResult;
  /** Absent for a test that could not be run, and for one whose outputs are not kept. */
  readonly outcome?: RanOutcome;
  /** Absent: the test has no score, or its run failed. */
  readonly scores?: TestScores;
  readonly ms: number;
};

/** How the run of a test ended. */
export type RanOutcome = { readonly traces: readonly RowNodes[] } & (
  | { readonly status: 'completed'; readonly outputs: JsonLines }
  | { readonly status: 'failed'; readonly error: string }
);

export type DoneFile = { readonly loaded: LoadedTests; readonly done: readonly DoneTest[] };

type RunTestsDeps = {
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
  /** Faults that all tests go through, beside their own. */
  readonly faults?: Scenario | undefined;
  /** True if the outputs stay in memory, for an update of the tests file. */
  readonly keepsOutputs?: boolean;
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
    const group = groups.get(key) ?? [];
    group.push(selectedTest);
    groups.set(key, group);
  }
  return [...groups.values()];
}

type SelectedTest = { readonly file: string; readonly test: TestCase; readonly workflow: TestedWorkflow };

async function runTest(selectedTest: SelectedTest, deps: RunTestsDeps): Promise<DoneTest> {
  const { clock, signal } = deps;
  const { test } = selectedTest;
  const from = clock.monotonic();
  try {
    const prepared = await preparedTest(selectedTest, deps);
    const ran = await (test.repeat === undefined ? runOnce : runRepeatedly)(prepared, deps);
    return {
      test,
      result: {
        ...resultOf(test, ran.differences),
        ...(prepared.read === undefined ? {} : { read: prepared.read }),
        ...notesOf(selectedTest, ran),
      },
      // What came of one of several runs is nothing that a test could expect.
      ...(test.repeat === undefined && (ran.outcome.status === 'failed' || deps.keepsOutputs === true)
        ? { outcome: ran.outcome }
        : {}),
      ...(ran.scores === undefined ? {} : { scores: ran.scores }),
      ms: clock.monotonic() - from,
    };
  } catch (error) {
    if (signal.aborted || !isOfTheTest(error)) throw error;
    const { name, line } = test;
    return {
      test,
      result: { name, line, status: 'broken', error: withOptionKeys(error.message) },
      ms: clock.monotonic() - from,
    };
  }
}

/** Remarks about tables as lines with the file and the place; nothing if there are none. */
const notesOf = ({ workflow }: SelectedTest, { notes }: RanTest): Pick<TestResult, 'notes'> =>
  notes.length === 0 ? {} : { notes: notes.map((note) => describeIssue(basename(workflow.file), note)) };

type PreparedTest = {
  readonly benchTest: Omit<BenchTest, 'rows' | 'test'> & { readonly test: TestCase };
  readonly rows: JsonLines;
  /** The line of remarks about the file of the rows. */
  readonly read: string | undefined;
  /** Absent: outputs are not compared. */
  readonly expected: JsonLines | undefined;
};
type RanTest = {
  readonly outcome: RanOutcome;
  readonly differences: ListedDifferences;
  readonly scores?: TestScores;
  /** Remarks about the files of tables. */
  readonly notes: readonly Issue[];
};

async function preparedTest(
  selectedTest: SelectedTest,
  { bench, calls, signal, drafts, faults }: RunTestsDeps,
): Promise<PreparedTest> {
  const { file, test } = selectedTest;
  let readAs: ReadAs | undefined;
  let read: string | undefined;
  const onReport = (report: ReadReport): void => {
    const source = rowsFileOf(test.rows);
    if (source === undefined) return;
    readAs = storedReading(source.file, report);
    read = readAs.text && `${readAs.text}${withOptionKeys(decidedBy('', report))}`;
  };
  const { workerScript } = bench;
  const rows = await readTestRowLines(selectedTest, { workerScript, signal, drafts, onReport });
  const { rows: expected } = test.expect;
  return {
    benchTest: {
      ...selectedTest,
      test: withFaults(test, faults),
      calls,
      ...(readAs === undefined ? {} : { readAs }),
    },
    rows,
    read,
    expected:
      typeof expected === 'string'
        ? await readExpectedRows(resolve(dirname(file), expected), drafts)
        : expected && expectedLines(expected),
  };
}

const withFaults = (test: TestCase, faults: Scenario | undefined): TestCase =>
  faults === undefined ? test : { ...test, scenario: { ...test.scenario, ...faults } };

async function runOnce(
  { benchTest: unrun, rows, expected }: PreparedTest,
  { bench, signal }: Pick<RunTestsDeps, 'bench' | 'signal'>,
): Promise<RanTest> {
  const expect = ownExpectation(unrun.test.expect);
  const benchTest = { ...unrun, rows: { lines: rows.lines(), count: rows.count } };
  const sink = new OutputLines(new Set(expect.trace?.map(({ row }) => row)));
  const ended = await bench.run(benchTest, sink, signal);
  const traces = await tracedNodes(sink.traces, ended.nodeIds);
  const { notes } = ended;
  const ofEnd = { listed: compareEnd(expect, { ...ended, traces }), more: 0 };
  if (ended.status === 'failed') {
    const { status, error } = ended;
    return { outcome: { status, error, traces }, differences: ofEnd, notes };
  }
  const { outputs, failedRows } = sink;
  const outcome: RanOutcome = { status: 'completed', outputs, traces };
  if (expect.status === 'failed') return { outcome, differences: ofEnd, notes };
  const checked = { benchTest, rows, outputs, expected, failedRows };
  const { ofRows, ofRules, ...scored } = await checkOutputs(expect, checked, { bench, signal });
  const ofNothing = { listed: nothingToCheck(unrun.test.expect, sink), more: 0 };
  return { outcome, differences: joinDifferences([ofRows, ofEnd, ofRules, ofNothing]), ...scored, notes };
}

/** Why a test that found nothing wrong has checked nothing: its rules are about rows with an output, and there is none. */
function nothingToCheck(
  { fields, score, rows }: Expectation,
  { outputs, failedRows, firstFailure }: OutputLines,
): Difference[] {
  if (outputs.count > failedRows) return [];
  const reason =
    firstFailure === undefined
      ? 'the test has no rows'
      : `${count(failedRows)} failed, first: ${shortened(describeFailure(firstFailure), maxErrorLength)}`;
  const rules = fields !== undefined ? 'fields' : score !== undefined ? 'score' : undefined;
  if (rules !== undefined) {
    const found = `no row has an output: ${reason}`;
    return [{ what: 'fields', path: [rules], rule: 'a row with an output', found }];
  }
  const isEmpty = outputs.count === 0 && rows === undefined;
  return isEmpty ? [{ what: 'rows', path: [], rule: 'a row to run', found: reason }] : [];
}

/** Runs the test with a seed for each time; while its calls are recorded, once. */
async function runRepeatedly(prepared: PreparedTest, deps: RunTestsDeps): Promise<RanTest> {
  const { benchTest } = prepared;
  const { times, passRate } = benchTest.test.repeat ?? { times: 1, passRate: 1 };
  if (deps.calls.reachesOut(benchTest.test)) return runOnce(prepared, deps);
  let passed = 0;
  let firstFailed: RanTest | undefined;
  let last: RanTest | undefined;
  for (let time = 0; time < times; time += 1) {
    const seed = { ...fixedSeed, random: fixedSeed.random + time };
    last = await runOnce({ ...prepared, benchTest: { ...benchTest, seed } }, deps);
    if (last.differences.listed.length === 0) passed += 1;
    else firstFailed ??= last;
  }
  invariant(last !== undefined, 'a test runs at least twice');
  if (firstFailed === undefined || passed / times >= passRate)
    return { ...last, differences: { listed: [], more: 0 } };
  const rate: Difference = {
    what: 'repeat',
    path: [],
    rule: `${Math.round(passRate * 100)} % of ${times} runs pass`,
    found: `${passed} of ${times} passed; the first that failed:`,
  };
  const { differences } = firstFailed;
  return { ...firstFailed, differences: { ...differences, listed: [rate, ...differences.listed] } };
}

/** The rows of a test. Throws `invalid_input` for a file that is not there, holds something else or is too large. */
export async function readTestRowLines(
  { file, test, workflow }: SelectedTest,
  options: {
    readonly workerScript: string;
    readonly signal: AbortSignal;
    readonly drafts?: DraftTexts | undefined;
    readonly onReport?: (report: ReadReport) => void;
  },
): Promise<JsonLines> {
  const lines = new JsonLines('rows');
  const yieldIfLong = eventLoopYield();
  const source = { workflow: workflow.workflow, file, rows: test.rows, ...options };
  for await (const bytes of readInlineOrFileRows(source)) {
    lines.add(bytes);
    await yieldIfLong();
  }
  return lines;
}

/** A rows file that is missing or wrong. Everything else is not the test's fault and ends the command. */
export const isOfTheTest = (error: unknown): error is Error =>
  error instanceof AppError || (error instanceof Error && 'code' in error && error.code === 'ENOENT');

export const reportOf = ({ loaded, done }: DoneFile): FileReport => ({
  file: loaded.file,
  issues: loaded.issues,
  results: done.map(({ result }) => result),
});

/** How nodes ended in rows. @param lines lines of traces @param nodeIds in the order of the traces */
async function tracedNodes(
  lines: readonly string[],
  nodeIds: readonly string[],
): Promise<readonly RowNodes[]> {
  const traced: RowNodes[] = [];
  const yieldIfLong = eventLoopYield();
  for (const line of lines) {
    const trace = parseTraceLine(line);
    if (trace !== undefined) traced.push(rowNodes(trace, nodeIds));
    await yieldIfLong();
  }
  return traced;
}

/** A node that failed, was skipped or not reached has no value. */
const rowNodes = ({ row, nodes, values }: RowTrace, nodeIds: readonly string[]): RowNodes => ({
  row,
  nodes: Object.fromEntries(
    nodeIds.map((id, index) => {
      const { end = 'not reached', attempts = 0 } = nodes[index] ?? {};
      const value = values.get(index);
      const known: Record<string, JsonValue> = { status: end, attempts };
      if (value?.kind === 'whole') known['value'] = value.value;
      return [id, known];
    }),
  ),
});
