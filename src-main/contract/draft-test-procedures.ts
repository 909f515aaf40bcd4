// The tests of a workflow while it is edited: they run with the texts of the editor.
import { z } from 'zod';
import type { JsonObject } from '../base/json-value.ts';
import type { MockChoice } from '../domain/workflow/choose-mocks.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import { draftTexts, type DraftText } from './author-procedures.ts';
import { oneWorkflow, procedure } from './procedure.ts';
import { profileName } from './run-inputs.ts';
import type { TestResultView, TestsFileView } from './workflow-source.ts';

export type { DraftText };

export type DraftTestsInput = {
  readonly workflowId: string;
  /** Files as they are in the editor; the others are read from the disk. */
  readonly files: readonly DraftText[];
  /** True: the tests have the time that a run of saved tests has. Default: a few seconds, at low priority. */
  readonly isPatient?: boolean | undefined;
  /** A profile by its name; absent: the defaults of the file. */
  readonly profile?: string | undefined;
};

/** `results` has no result of a test that was not run. Each issue names the file that it is in. */
export type DraftTestedFileView = TestsFileView & {
  readonly results: readonly TestResultView[];
  readonly issues: readonly (Issue & { readonly file: string })[];
};

export type DraftTestsView = {
  readonly files: readonly DraftTestedFileView[];
  readonly passed: number;
  readonly failed: number;
  readonly ms: number;
  /** True: the tests took too long; there may be some that were not run. */
  readonly isStopped?: true;
  /** True: a newer request came; nothing else is meant. */
  readonly superseded?: true;
};

export type DraftTestRowsInput = {
  readonly workflowId: string;
  readonly files: readonly DraftText[];
  /** Name of the tests file. */
  readonly name: string;
  /** Line of the test. */
  readonly line: number;
  /** A row of the test that has to be among those of the answer, from 1. */
  readonly row?: number | undefined;
};

/** Some rows of a test, and what the preview needs to run them as the test does. */
export type DraftTestRowsView = {
  readonly rows: readonly JsonObject[];
  /** Number of the first of them in the test, from 1. */
  readonly firstRow: number;
  readonly mocks: MockChoice;
};

const texts = oneWorkflow.extend({ files: draftTexts });
const runInput: z.ZodType<DraftTestsInput> = texts.extend({
  isPatient: z.boolean().optional(),
  profile: profileName.optional(),
});
const rowsInput: z.ZodType<DraftTestRowsInput> = texts.extend({
  name: z.string().min(1).max(200),
  line: z.number().int().min(1).max(10_000_000),
  row: z.number().int().min(1).max(100_000_000).optional(),
});

export const draftTestProcedures = {
  /** Runs the tests of a draft, offline. A newer request for the workflow stops it. */
  'author.runTests': procedure<DraftTestsInput, DraftTestsView>(runInput),
  'author.testRows': procedure<DraftTestRowsInput, DraftTestRowsView>(rowsInput),
};
