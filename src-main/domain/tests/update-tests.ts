// Changes the expectations in a tests file to the actual results, with the smallest edit: comments and order stay.
import { invariant } from '../../base/invariant.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { editedText } from '../authoring/edit/edit-text.ts';
import type { FileEdit } from '../authoring/edit/file-edit.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { traceEdits } from './compare-trace.ts';
import { compareOutcome, type Difference, type TestOutcome } from './compare-outcome.ts';
import { parseTests } from './parse-tests.ts';
import { valueAt } from '../workflow/value-at.ts';
import { ownExpectation, type Expectation, type TestCase } from './test-case.ts';

export type TestRun = { readonly test: TestCase; readonly outcome: TestOutcome };

/**
 * The text after the update. Passed tests keep their text, and a text without failed tests is returned unchanged. The
 * caller writes expected rows that are in files beside it.
 */
export function updateTests(text: string, runs: readonly TestRun[]): string {
  return runs.reduce((before, run) => (passes(run.test.expect, run) ? before : updated(before, run)), text);
}

/** A row of a test, from 1, or a value in it. */
export type PartOfTest = { readonly row: number; readonly path: readonly PathStep[] };

/** The text in which the test expects what came in this part of its rows; the rest of the test stays. */
export function updateTestPart(text: string, { test, outcome }: TestRun, part: PartOfTest): string {
  const { index, expect } = test;
  const from = [part.row - 1, ...part.path];
  const differences = compareOutcome(ownExpectation(expect), outcome).filter(
    ({ what, path }) => what === 'rows' && from.every((step, at) => path[at] === step),
  );
  const outputs = outcome.status === 'completed' ? outcome.outputs : [];
  const edits = differences.map((difference) =>
    partEdit(['tests', index, 'expect', 'rows'], difference, outputs),
  );
  const each = new Map(edits.map((edit) => [JSON.stringify(edit), edit]));
  return editedText(text, [...each.values()]);
}

/** Lists whose length differs are expected as they came. */
function partEdit(
  base: readonly PathStep[],
  { path, expected, actual }: Difference,
  outputs: readonly JsonValue[],
): FileEdit {
  const outer = path.slice(0, -1);
  const key = path.at(-1) ?? '';
  if (expected !== undefined && actual !== undefined)
    return { kind: 'setValue', path: [...base, ...path], value: actual };
  if (typeof key === 'number')
    return { kind: 'setValue', path: [...base, ...outer], value: valueAt(outputs, outer) ?? null };
  return actual === undefined
    ? { kind: 'removeItem', path: [...base, ...path] }
    : { kind: 'insertKey', path: [...base, ...outer], key, value: actual };
}

const passes = (expect: Expectation | undefined, { outcome }: TestRun): boolean =>
  expect !== undefined && compareOutcome(ownExpectation(expect), outcome).length === 0;

function updated(text: string, run: TestRun): string {
  const base = ['tests', run.test.index, 'expect'];
  const { expect } = run.test;
  const ofTrace = traceEdits([...base, 'trace'], expect.trace ?? [], run.outcome.traces ?? []);
  const isTraceAlone = compareOutcome(ownExpectation(expect), run.outcome).every(
    ({ what }) => what === 'trace',
  );
  const after = editedText(text, [...(isTraceAlone ? [] : editsFor(base, run)), ...ofTrace]);
  invariant(passes(parseTests(after).tests?.[run.test.index]?.expect, run), 'an updated test passes');
  return after;
}

function editsFor(base: readonly PathStep[], { test, outcome }: TestRun): FileEdit[] {
  const { expect } = test;
  const status: FileEdit = { kind: 'setValue', path: [...base, 'status'], value: outcome.status };
  if (outcome.status === 'completed')
    return [status, ...removal(base, 'error', expect.error), ...rowEdits(base, expect, outcome.outputs)];
  return [
    status,
    ...removal(base, 'rows', expect.rows),
    ...removal(base, 'contains', expect.contains || undefined),
    setKey(base, 'error', { before: expect.error, after: outcome.error }),
  ];
}

const removal = (base: readonly PathStep[], key: string, value: unknown): FileEdit[] =>
  value === undefined ? [] : [{ kind: 'removeItem', path: [...base, key] }];

const setKey = (
  base: readonly PathStep[],
  key: string,
  { before, after }: { readonly before: unknown; readonly after: JsonValue },
): FileEdit =>
  before === undefined
    ? { kind: 'insertKey', path: base, key, value: after }
    : { kind: 'setValue', path: [...base, key], value: after };

/** Rows that may leave out fields keep leaving them out, where nothing but values has to change. */
function rowEdits(
  base: readonly PathStep[],
  expect: Expectation,
  outputs: readonly JsonValue[],
): readonly FileEdit[] {
  const { status, rows } = ownExpectation(expect);
  if (!expect.contains || status !== 'completed' || rows?.length !== outputs.length)
    return [setKey(base, 'rows', { before: expect.rows, after: outputs })];
  const differences = compareOutcome(ownExpectation(expect), { status: 'completed', outputs });
  const changes = changesIn(
    differences.filter(({ what }) => what === 'rows'),
    outputs,
  );
  return [...changes.values()].map(({ path, value }) => ({
    kind: 'setValue',
    path: [...base, 'rows', ...path],
    value,
  }));
}

type Change = { readonly path: readonly PathStep[]; readonly value: JsonValue };

/** A single value where one stands for another; the whole row where keys or entries come and go. */
function changesIn(differences: readonly Difference[], outputs: readonly JsonValue[]): Map<string, Change> {
  const whole = new Set(differences.filter(changesShape).map(({ path }) => path[0]));
  const changes = differences.map(({ path, actual = null }): Change => {
    const [row] = path;
    if (typeof row !== 'number' || !whole.has(row)) return { path, value: actual };
    return { path: [row], value: outputs[row] ?? null };
  });
  return new Map(changes.map((change) => [JSON.stringify(change.path), change]));
}

const changesShape = ({ expected, actual }: Difference): boolean =>
  expected === undefined || actual === undefined;
