import type { RowsSource } from '../nodes/rows-source.ts';
import type { JsonObject } from '../../base/json-value.ts';
import type { RowNodes } from './compare-trace.ts';
import type { OutputRules, Scoring } from './field-rules.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { MockChoice } from '../workflow/choose-mocks.ts';

/** In row order, null for a row without an output. */
type ExpectedRows = readonly (JsonObject | null)[];

/** One test of a tests file: a run, and what must come of it. */
export type TestCase = {
  readonly name: string;
  /** Place in the file's list, from 0. */
  readonly index: number;
  /** Line in the file, from 1. */
  readonly line: number;
  /** The rows, or the file beside the tests file that holds them. */
  readonly rows: RowsSource;
  readonly mocks: MockChoice;
  /** The file beside the tests file that answers calls; absent: nothing does. */
  readonly cassette?: string;
  readonly clock: 'virtual' | 'real';
  /** Faults and waits that the run goes through on purpose. */
  readonly scenario?: Scenario;
  /** Runs with different seeds, and the share of them that must pass, from 0 to 1. */
  readonly repeat?: { readonly times: number; readonly passRate: number };
  readonly expect: Expectation;
};

export type Expectation = {
  readonly status: 'completed' | 'failed';
  /** The outputs, or the file beside the tests file that holds them; absent: any. */
  readonly rows?: ExpectedRows | string;
  /** True if objects in `rows` may leave out fields, at any depth. */
  readonly contains: boolean;
  /** Fields that are left out of the comparison of `rows`. */
  readonly ignore?: readonly string[];
  /** How much numbers may differ from those in `rows`. */
  readonly tolerance?: number;
  readonly fields?: OutputRules;
  readonly score?: Scoring;
  /** Part of the run's error; absent: any. */
  readonly error?: string;
  /** Parts of what is known of nodes in rows: objects may leave out what does not matter. */
  readonly trace?: readonly RowNodes[];
};

/** An expectation whose rows have been read. */
export type LoadedExpectation = Omit<Expectation, 'rows'> & { readonly rows?: ExpectedRows };

/** The expectation in the tests file itself, without rows in a file beside it. */
export function ownExpectation({ rows, ...rest }: Expectation): LoadedExpectation {
  return rows === undefined || typeof rows === 'string' ? rest : { ...rest, rows };
}
