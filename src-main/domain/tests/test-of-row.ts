// Makes a test from one row of a preview, and writes it into the text of a tests file. Pure. Who calls: the editor.
import { AppError } from '../../base/app-error.ts';
import type { JsonObject } from '../../base/json-value.ts';
import { mocksOf } from '../workflow/choose-mocks.ts';
import { parseWorkflow } from '../workflow/parse-workflow.ts';
import { addTest, type NewTest } from './add-test.ts';
import { expectedOutputs, type ExpectedFields } from './expected-fields.ts';
import { parseTests } from './parse-tests.ts';

/** A row of a preview, as its test is to hold it. */
export type RowCase = {
  readonly name: string;
  readonly row: JsonObject;
  /** Nodes that answered from a mock. */
  readonly mocked: readonly string[];
  /** The file that answered calls, if one did. */
  readonly cassette?: string;
  /** The output, with the fields that the test is about; or the message of the error with which the row ended. */
  readonly expect:
    { readonly output: JsonObject; readonly fields?: ExpectedFields } | { readonly error: string };
};

export type TestOfRow = { readonly text: string } | { readonly problem: string };

/** @param testsText empty: a new file */
export function addTestOfRow(testsText: string, workflowText: string, rowCase: RowCase): TestOfRow {
  const { workflow } = parseWorkflow(workflowText);
  if (workflow === undefined) return { problem: 'The workflow has errors: fix them first' };
  const { tests = [], issues } = testsText === '' ? { issues: [] } : parseTests(testsText);
  const [issue] = issues;
  if (issue !== undefined)
    return { problem: `The tests file has an error in line ${issue.line}: ${issue.message}` };
  const { name, row, mocked, cassette, expect } = rowCase;
  const sameName = tests.find((test) => test.name === name);
  if (sameName !== undefined)
    return { problem: `The name is already taken by the test in line ${sameName.line}` };
  const mocks = Object.entries(mocksOf(workflow, { mode: 'mocks' })).filter(([id]) => mocked.includes(id));
  const test: NewTest = {
    name,
    rows: [row],
    ...(mocks.length === 0 ? {} : { mocks: Object.fromEntries(mocks) }),
    ...(cassette === undefined ? {} : { cassette }),
    expect: expectationOf(expect, workflow.onRowError),
  };
  try {
    return { text: addTest(testsText === '' ? undefined : testsText, test, 'From a preview of the draft.') };
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message };
    throw error;
  }
}

function expectationOf(expect: RowCase['expect'], onRowError: 'fail' | 'skip'): NewTest['expect'] {
  if ('output' in expect) return { status: 'completed', ...expectedOutputs([expect.output], expect.fields) };
  return onRowError === 'skip'
    ? { status: 'completed', rows: [null] }
    : { status: 'failed', error: expect.error };
}
