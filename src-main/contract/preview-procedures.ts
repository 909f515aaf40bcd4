// Previews of drafts: what their nodes give for a few rows, without a run.
import { z } from 'zod';
import type { JsonObject } from '../base/json-value.ts';
import type { RowCase, TestOfRow } from '../domain/tests/test-of-row.ts';
import {
  previewModes,
  type CallOnce,
  type Preview,
  type PreviewMode,
  type PreviewRowsInput,
} from '../domain/run/preview.ts';
import { maxEditedCharacters } from './author-procedures.ts';
import { oneWorkflow, procedure, workflowId } from './procedure.ts';
import { profileName, runId } from './run-inputs.ts';

export type * from '../domain/run/preview.ts';
export type { ValuePreview } from '../domain/rows/preview-row.ts';

const maxRows = 10;
const maxRowsSent = 20;

const row = z.number().int().min(1).max(100_000_000);
const nodeId = z.string().min(1).max(500);
const draft = oneWorkflow.extend({ text: z.string().max(maxEditedCharacters) });
const jsonObject = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;

const rowsInput = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('testRows') }),
  z.strictObject({ of: z.literal('rowSet'), id: z.string().min(1).max(100) }),
  z.strictObject({ of: z.literal('failed'), runId }),
  z.strictObject({
    of: z.literal('rows'),
    rows: z.array(jsonObject).min(1).max(maxRowsSent),
    firstRow: row.optional(),
    mocks: z.record(z.string().max(500), z.string().max(500)).optional(),
  }),
]);

export type PreviewInput = {
  readonly workflowId: string;
  /** The draft of the workflow's file. */
  readonly text: string;
  readonly rows: PreviewRowsInput;
  /** At most 10, which is the default. */
  readonly count?: number | undefined;
  readonly mode: PreviewMode;
  /** Values by node id: such a node does not run, and gives that value in this preview alone. */
  readonly values?: JsonObject | undefined;
  /** Node whose expressions are shown, each with its value. */
  readonly fieldsOf?: string | undefined;
  /** A profile by its name; empty: the defaults of the file; absent: that of the server. */
  readonly profile?: string | undefined;
};
const previewInput = draft.extend({
  rows: rowsInput,
  count: z.number().int().min(1).max(maxRows).optional(),
  mode: z.enum(previewModes),
  values: jsonObject.optional(),
  fieldsOf: nodeId.optional(),
  profile: profileName.optional(),
}) as z.ZodType<PreviewInput>;

export type PreviewValueInput = {
  readonly workflowId: string;
  readonly row: number;
  /** Absent: the row's output. */
  readonly nodeId?: string | undefined;
};
const previewValueInput = z.strictObject({
  workflowId,
  row,
  nodeId: nodeId.optional(),
}) as z.ZodType<PreviewValueInput>;

export type CallOnceInput = {
  readonly workflowId: string;
  readonly text: string;
  /** A row of the last preview. */
  readonly row: number;
  readonly nodeId: string;
};

export type { RowCase };

type TestOfRowInput = {
  readonly workflowId: string;
  /** The draft of the workflow's file. */
  readonly text: string;
  /** The draft of the tests file; empty: a new file. */
  readonly testsText: string;
  readonly test: RowCase;
};
const testOfRowInput: z.ZodType<TestOfRowInput> = draft.extend({
  testsText: z.string().max(maxEditedCharacters),
  test: z.strictObject({
    name: z.string().min(1, 'Give the test a name').max(200),
    row: jsonObject,
    mocked: z.array(nodeId).max(1_000),
    cassette: z.string().max(200).exactOptional(),
    expect: z.union([
      z.strictObject({ output: jsonObject, isPart: z.boolean() }),
      z.strictObject({ error: z.string().min(1).max(100_000) }),
    ]),
  }),
});

/** A whole value of a preview, or its beginning. */
export type PreviewValueView = { readonly json: string; readonly isCut: boolean };

export const previewProcedures = {
  /** Runs rows of a draft. It calls no service and stores nothing; a newer preview of the workflow supersedes it. */
  'author.preview': procedure<PreviewInput, Preview>(previewInput),
  /** A value of the last preview; null if it has none there. */
  'author.value': procedure<PreviewValueInput, PreviewValueView | null>(previewValueInput),
  /** The text of the tests file with a test of a row of a preview; or why there is none. */
  'author.testOfRow': procedure<TestOfRowInput, TestOfRow>(testOfRowInput),
  /** Records the answers that a node of the last preview got from a service in the workflow's cassette. */
  'author.keepAnswer': procedure<
    { workflowId: string; row: number; nodeId: string },
    { readonly cassette: string }
  >(oneWorkflow.extend({ row, nodeId })),
  /** Makes one real call of a node for a row of the last preview. */
  'author.call': procedure<CallOnceInput, CallOnce>(draft.extend({ row, nodeId })),
};
