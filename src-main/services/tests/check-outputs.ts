// Checks the outputs of a test: compares them with the expected rows, and evaluates the rules. That is done row by row in
// a row worker, under the limits of a row, as a workflow over the rows and their outputs: rules have author code, and
// rules that are only data may be slow too. The main thread moves bytes, reads short findings and counts.
// Who calls: the test runner.
import type { BatchResult } from '../../domain/run/stored-run.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { eachLine } from '../../domain/rows/line-bytes.ts';
import { checkRow, type CheckedRow, type RowChecks, type RowFindings } from '../../domain/tests/check-row.ts';
import { codeChecks, type CodeCheck } from '../../domain/tests/field-rules.ts';
import {
  joinDifferences,
  RuleCounts,
  ScoreCounts,
  type ListedDifferences,
  type TestScores,
} from '../../domain/tests/rule-counts.ts';
import type { LoadedExpectation } from '../../domain/tests/test-case.ts';
import type { OutputSink } from '../../executor/ports.ts';
import { textOfLine, type JsonLines } from './in-memory-rows.ts';
import type { BenchTest } from './test-bench.ts';
import { scoreByWorkflow, testOfOutputs, type CheckedOutputs, type Engine } from './score-by-workflow.ts';
import { eventLoopYield } from '../../base/event-loop-yield.ts';

export type OutputDifferences = {
  /** From the expected rows. */
  readonly ofRows: ListedDifferences;
  readonly ofRules: ListedDifferences;
  /** Absent: the test has no score. */
  readonly scores?: TestScores;
};

/** Differences from the expectation of a test. Throws as `TestBench.run` does for a score by a workflow. */
export async function checkOutputs(
  expect: LoadedExpectation,
  checked: CheckedOutputs,
  engine: Engine,
): Promise<OutputDifferences> {
  const { fields = [], score } = expect;
  const counts = new RuleCounts(fields);
  const scores = score === undefined ? undefined : new ScoreCounts(score);
  await checkRows(expect, checked, { counts, scores, engine });
  if (score !== undefined && 'workflow' in score && scores !== undefined)
    await scoreByWorkflow(score, { checked, scores }, engine);
  const ofScores = scores === undefined ? [] : [scores.broken()];
  return {
    ofRows: counts.rowDifferences(),
    ofRules: joinDifferences([counts.brokenRules(), ...ofScores]),
    ...(scores === undefined ? {} : { scores: scores.scores }),
  };
}

type CheckRowsDeps = {
  readonly counts: RuleCounts;
  readonly scores: ScoreCounts | undefined;
  readonly engine: Engine;
};

/** Compares rows and evaluates rules and the expression of a score, where there are any. */
async function checkRows(
  expect: LoadedExpectation,
  checked: CheckedOutputs,
  { counts, scores, engine }: CheckRowsDeps,
): Promise<void> {
  const { fields = [], score } = expect;
  const ofScore = score !== undefined && 'expression' in score ? [{ code: score.expression }] : [];
  const comparison = checked.expected === undefined ? null : comparisonOf(expect);
  const checks: RowChecks = { fields, comparison, hasScore: ofScore.length > 0 };
  const isAboutRows = fields.length > 0 || comparison !== null;
  if (!isAboutRows && !checks.hasScore) return;
  const take = (row: number, findings: RowFindings): void => {
    counts.add(row, findings);
    if (findings.score !== undefined) scores?.add(row, findings.score);
  };
  if (isQuick(checks, checked)) return checkHere(checks, checked, take);
  const onUnchecked = (row: number, hasOutput: boolean): void => {
    if (isAboutRows) counts.addUnchecked(row, uncheckedText);
    if (checks.hasScore && hasOutput) scores?.add(row, { error: tooSlowText });
  };
  const sink = new FindingsSink(checked.outputs, { take, onUnchecked });
  await checkInWorker([...codeChecks(fields), ...ofScore], { checks, checked, sink }, engine);
}

const comparisonOf = ({ contains, ignore, tolerance }: LoadedExpectation) => ({
  contains,
  ...(ignore === undefined ? {} : { ignore }),
  ...(tolerance === undefined ? {} : { tolerance }),
});

const tooSlowText = 'it took too long, or too much memory';
const uncheckedText = `the row cannot be checked (${tooSlowText})`;

/** Maximum bytes of outputs and expected rows, and maximum ignored fields, that are compared without a worker. */
const maxQuickBytes = 65_536;
const maxQuickIgnored = 20;

/** True if there are no rules, and so little to compare that the start of a worker would take longer. */
const isQuick = ({ fields, comparison, hasScore }: RowChecks, { outputs, expected }: CheckedOutputs) =>
  fields.length === 0 &&
  !hasScore &&
  comparison !== null &&
  (comparison.ignore ?? []).length <= maxQuickIgnored &&
  outputs.bytes + (expected?.bytes ?? 0) <= maxQuickBytes;

async function checkHere(
  checks: RowChecks,
  { outputs, expected }: CheckedOutputs,
  take: (row: number, findings: RowFindings) => void,
): Promise<void> {
  const outputsLeft = outputs.lines();
  const expectedLeft = expected?.lines();
  const none = { results: [], digest: (text: string) => text };
  const yieldIfLong = eventLoopYield();
  for (let row = 0; row < Math.max(outputs.count, expected?.count ?? 0); row += 1) {
    const values = { output: valueOf(outputsLeft.next()), expected: valueOf(expectedLeft?.next()) };
    take(row, checkRow(checks, withoutAbsent(values), none));
    await yieldIfLong();
  }
}

const withoutAbsent = (values: { readonly [key in keyof CheckedRow]: JsonValue | undefined }): CheckedRow =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Null for an empty line, a row without an output; undefined behind the last line. */
function valueOf(next: IteratorResult<Uint8Array> | undefined): JsonValue | undefined {
  if (next === undefined || next.done === true) return undefined;
  return next.value.length === 0 ? null : (JSON.parse(textOfLine(next.value)) as JsonValue);
}

async function checkInWorker(
  code: readonly CodeCheck[],
  { checks, checked, sink }: { checks: RowChecks; checked: CheckedOutputs; sink: FindingsSink },
  { bench, signal }: Engine,
): Promise<void> {
  const { benchTest } = checked;
  const workflow = await bench.parse(checkingWorkflow(code), benchTest.workflow);
  const test = testOfOutputs(benchTest.test);
  const rows = checkedRows(checked);
  await bench.run({ ...benchTest, workflow, rows, test, rowChecks: checks }, sink, signal);
}

/** A workflow that runs the author's code of the rules; the row worker does the rest (worker/nodes/row-checks.ts). */
function checkingWorkflow(checks: readonly CodeCheck[]): string {
  const functions = checks.map(({ code }) => `({ value, row, output }) => (${code}\n)`);
  const code = `const checks = [\n${functions.join(',\n')}\n];
const { row: input, output } = row;
if (output === undefined || output === null) return [];
return checks.map((check, index) => {
  try {
    const result = check({ value: nodes.values[index] ?? null, row: input, output });
    return { result: typeof result === 'number' ? result : result === true };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
});`;
  const nodes = [
    { id: 'input', type: 'input' },
    { id: 'values', type: 'set', values: {} },
    { id: 'checks', type: 'code', code },
    { id: 'result', type: 'output', fields: { findings: '=nodes.checks' } },
  ];
  return JSON.stringify({ rowbench: 1, id: 'checks', onRowError: 'skip', nodes });
}

/** The rows of that workflow: `CheckedRow`s, put together from lines of JSON without reading them. */
function checkedRows({ rows, outputs, expected }: CheckedOutputs): BenchTest['rows'] {
  const parts = { row: rows, output: outputs, ...(expected === undefined ? {} : { expected }) };
  const count = Math.max(outputs.count, expected?.count ?? 0);
  return { lines: joinedRows(Object.entries(parts), count), count };
}

function* joinedRows(
  parts: readonly (readonly [name: string, lines: JsonLines])[],
  count: number,
): Generator<Uint8Array> {
  const left = parts.map(([name, lines]) => ({ head: Buffer.from(`"${name}":`), lines: lines.lines() }));
  for (let row = 0; row < count; row += 1) {
    const pieces: Uint8Array[] = [];
    for (const { head, lines } of left) {
      const next = lines.next();
      if (next.done === true) continue;
      const value = next.value.length === 0 ? nothing : next.value;
      pieces.push(pieces.length === 0 ? opening : comma, head, value);
    }
    yield Buffer.concat([...pieces, closing]);
  }
}

const opening = Buffer.from('{');
const comma = Buffer.from(',');
const closing = Buffer.from('}');
const nothing = Buffer.from('null');

type FindingsHandlers = {
  readonly take: (row: number, findings: RowFindings) => void;
  readonly onUnchecked: (row: number, hasOutput: boolean) => void;
};

/** Reads the findings of rows as they come. */
class FindingsSink implements OutputSink {
  readonly #handlers: FindingsHandlers;
  readonly #outputs: Generator<Uint8Array>;
  readonly #yieldIfLong = eventLoopYield();
  #row = 0;

  /** @param outputs of the rows that are checked */
  constructor(outputs: JsonLines, handlers: FindingsHandlers) {
    this.#outputs = outputs.lines();
    this.#handlers = handlers;
  }

  async commit({ outputs }: BatchResult): Promise<void> {
    const { take, onUnchecked } = this.#handlers;
    for (const line of eachLine(outputs)) {
      const checked = this.#outputs.next();
      const hasOutput = checked.done !== true && checked.value.length > 0;
      if (line.length === 0) onUnchecked(this.#row, hasOutput);
      else take(this.#row, JSON.parse(textOfLine(line)) as RowFindings);
      this.#row += 1;
      await this.#yieldIfLong();
    }
  }
}
