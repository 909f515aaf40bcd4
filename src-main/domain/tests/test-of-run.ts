// Makes a test from a run: its rows and their outputs, or its error. Pure. Who calls: the app, and the command line.
import type { JsonObject } from '../../base/json-value.ts';
import { isNestedDeeper } from '../rows/json-depth.ts';
import { parseScenario, scenarioText } from '../scenarios/parse-scenario.ts';
import type { NewTest } from './add-test.ts';
import { expectedOutputs, type ExpectedFields } from './expected-fields.ts';
import { runOnlyScenarioKeys } from './tests-keys.ts';

/** The data of a run that has ended, with its rows in order. */
export type EndedRun = {
  readonly runId: string;
  readonly status: 'completed' | 'failed';
  readonly error?: string;
  readonly failure?: { readonly message: string };
  readonly mocks: Readonly<Record<string, string>>;
  readonly scenario?: string;
  readonly rows: readonly {
    readonly row: number;
    readonly input: JsonObject;
    readonly output: JsonObject | null;
  }[];
};

/** The test, with its rows and outputs inside. */
export function testOfRun(run: EndedRun, { name, cassette, fields }: TestChoice): NewTest {
  const { status, mocks, scenario, rows } = run;
  return {
    name,
    rows: rows.map(({ input }) => input),
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    ...(cassette === undefined ? {} : { cassette }),
    ...scenarioOfTest(scenario),
    expect:
      status === 'completed'
        ? {
            status,
            ...expectedOutputs(
              rows.map(({ output }) => output),
              fields,
            ),
          }
        : { status, ...errorOf(run) },
  };
}

/** Without the parts that a test does not have. */
function scenarioOfTest(text: string | undefined): { readonly scenario?: string } {
  const { scenario = {} } = parseScenario(text ?? 'none');
  const parts = Object.entries(scenario).filter(
    ([part]) => !runOnlyScenarioKeys.some((foreign) => foreign === part),
  );
  return parts.length === 0 ? {} : { scenario: scenarioText(Object.fromEntries(parts)) };
}

export type TestChoice = {
  readonly name: string;
  /** Path of the cassette that answers the calls of the test; undefined: none. */
  readonly cassette: string | undefined;
  /** Fields that it checks; absent: all, with their values. */
  readonly fields?: ExpectedFields | undefined;
};

/** A run's error names the row by its number, which is another one in the test where rows were left out. */
function errorOf(run: EndedRun): { readonly error?: string } {
  const error = isCounted(run.rows) ? run.error : (run.failure?.message ?? run.error);
  return error === undefined ? {} : { error };
}

/** True if the rows are numbered 1, 2, 3…, as in a test. */
export const isCounted = (rows: readonly { readonly row: number }[]): boolean =>
  rows.every(({ row }, index) => row === index + 1);

/** Beyond either, rows and outputs go into files beside the tests. */
const maxInlineRows = 20;
const maxInlineLength = 16_384;
/** Levels of lists and objects that a person can still read, far below the maximum of a file. */
const maxInlineDepth = 20;

export function fitsInside({ rows }: EndedRun): boolean {
  if (rows.length > maxInlineRows) return false;
  const text = JSON.stringify(rows);
  return text.length <= maxInlineLength && !isNestedDeeper(text, maxInlineDepth);
}
