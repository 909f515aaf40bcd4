// Changes the expectations in a tests file to the actual results, with the smallest edit: comments and order stay.
import { invariant } from '../../base/invariant.ts';
import type { JsonValue } from '../../base/json-value.ts';
import { editWorkflow, type WorkflowEdit } from '../workflow/edit-workflow.ts';
import type { PathStep } from '../workflow/file-problem.ts';
import { replaceValue } from '../workflow/replace-value.ts';
import { traceEdits } from './compare-trace.ts';
import { compareOutcome, type Difference, type TestOutcome } from './compare-outcome.ts';
import { parseTests } from './parse-tests.ts';
import { ownExpectation, type Expectation, type TestCase } from './test-case.ts';

export type TestRun = { readonly test: TestCase; readonly outcome: TestOutcome };

/**
 * The text after the update. Passed tests keep their text, and a text without failed tests is returned unchanged. The
 * caller writes expected rows that are in files beside it.
 */
export function updateTests(text: string, runs: readonly TestRun[]): string {
  return runs.reduce((before, run) => (passes(run.test.expect, run) ? before : updated(before, run)), text);
}

const passes = (expect: Expectation | undefined, { outcome }: TestRun): boolean =>
  expect !== undefined && compareOutcome(ownExpectation(expect), outcome).length === 0;

/** The first way of writing after which the test passes: the one that touches least goes first. */
function updated(text: string, run: TestRun): string {
  const base = ['tests', run.test.index, 'expect'];
  const { expect } = run.test;
  const ofTrace = traceEdits([...base, 'trace'], expect.trace ?? [], run.outcome.traces ?? []);
  const isTraceAlone = compareOutcome(ownExpectation(expect), run.outcome).every(
    ({ what }) => what === 'trace',
  );
  const strategies = isTraceAlone
    ? [() => text]
    : [() => withValues(text, base, run), () => editWorkflow(text, editsFor(base, run))];
  for (const strategy of strategies) {
    const changed = strategy();
    const after = changed === undefined ? undefined : ofTrace.reduce(withEdit, changed);
    if (after !== undefined && passes(parseTests(after).tests?.[run.test.index]?.expect, run)) return after;
  }
  invariant(false, 'an updated test passes');
}

/** A value that is written already is changed alone; the file is laid out anew only where something goes. */
const withEdit = (text: string, edit: WorkflowEdit): string =>
  edit.kind === 'set' ? replaceValue(text, edit.path, edit.value) : editWorkflow(text, [edit]);

/** Undefined where more than values has to change. */
function withValues(text: string, base: readonly PathStep[], { test, outcome }: TestRun): string | undefined {
  const expect = ownExpectation(test.expect);
  if (outcome.status !== expect.status) return undefined;
  if (outcome.status === 'failed')
    return expect.error === undefined ? undefined : replaceValue(text, [...base, 'error'], outcome.error);
  const { outputs } = outcome;
  const rows = [...base, 'rows'];
  if (expect.rows?.length !== outputs.length) return replaceValue(text, rows, outputs);
  const ofRows = compareOutcome(expect, outcome).filter(({ what }) => what === 'rows');
  const changes = changesIn(ofRows, outputs);
  if (changes.size > maxChanges) return replaceValue(text, rows, outputs);
  return [...changes.values()].reduce(
    (before, { path, value }) => replaceValue(before, [...rows, ...path], value),
    text,
  );
}

/** Each change reads the whole text again; a list written anew is less work for a reader, too. */
const maxChanges = 100;

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

function editsFor(base: readonly PathStep[], { test, outcome }: TestRun): WorkflowEdit[] {
  const { expect } = test;
  if (outcome.status === 'completed') {
    return [
      set([...base, 'status'], 'completed'),
      ...(expect.error === undefined ? [] : [remove([...base, 'error'])]),
      set([...base, 'rows'], outcome.outputs),
    ];
  }
  return [
    set([...base, 'status'], 'failed'),
    ...(expect.rows === undefined ? [] : [remove([...base, 'rows'])]),
    ...(expect.contains ? [remove([...base, 'contains'])] : []),
    set([...base, 'error'], outcome.error),
  ];
}

const set = (path: readonly PathStep[], value: JsonValue): WorkflowEdit => ({ kind: 'set', path, value });
const remove = (path: readonly PathStep[]): WorkflowEdit => ({ kind: 'delete', path });
