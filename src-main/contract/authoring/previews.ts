// Previews of drafts: what their nodes give for a few rows, without a run.
import { z } from 'zod';
import { maxEditedCharacters } from '../../domain/authoring/create/file-change.ts';
import {
  adminChange,
  answer,
  jsonObject,
  oneWorkflow,
  profileName,
  runId,
  schemaOfType,
  type ValueOf,
} from '../procedure.ts';
import { expectedFields } from '../runs/runs.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { previewModes, type CallOnce, type PreviewRowsInput } from '../../domain/run/preview.ts';
import type { RowCase } from '../../domain/tests/test-of-row.ts';

export type * from '../../domain/run/preview.ts';
export type { ValuePreview } from '../../domain/rows/preview-row.ts';

const maxRows = 10;
const maxRowsSent = 20;

const row = z.number().int().min(1).max(100_000_000);
const nodeId = lookupText.min(1).max(500);
/** An item of a node with `each`, from 1. */
const itemNumber = z.number().int().min(1).max(100_000_000);

const rowsInput = schemaOfType<PreviewRowsInput>()(
  z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('testRows') }),
    z.strictObject({ of: z.literal('rowSet'), id: lookupText.min(1).max(100) }),
    z.strictObject({ of: z.literal('failed'), runId }),
    z.strictObject({
      of: z.literal('rows'),
      rows: z.array(jsonObject).min(1).max(maxRowsSent),
      firstRow: row.optional(),
      mocks: z.record(lookupText.max(500), lookupText.max(500)).optional(),
    }),
  ]),
);

export const previewInput = z.strictObject({
  rows: rowsInput,
  /** At most 10, which is the default. */
  count: z.number().int().min(1).max(maxRows).optional(),
  mode: z.enum(previewModes),
  /** Values by node id: such a node does not run, and gives that value in this preview alone. */
  values: jsonObject.optional(),
  /** Node whose expressions are shown, each with its value. */
  fieldsOf: nodeId.optional(),
  /** The item of a node with `each` for which its expressions are shown, from 1; absent: the first. */
  item: itemNumber.optional(),
  /** A profile by its name; empty: the defaults of the file; absent: that of the server. */
  profile: profileName.optional(),
});

export const previewValueInput = z.strictObject({
  row,
  /** Absent: the row's output. */
  nodeId: nodeId.optional(),
  /** Absent: the values of all items. */
  item: itemNumber.optional(),
  /** True: the item itself, of the node whose expressions the preview shows; else what the node gives for it. */
  isRead: z.boolean().optional(),
});

const callOnceInput = oneWorkflow.extend({
  text: z.string().max(maxEditedCharacters),
  /** A row of the last preview. */
  row,
  nodeId,
  /** True: a call that was made before is made again; else the first one without an answer is made. */
  isAgain: z.boolean().optional(),
});
export type CallOnceInput = ValueOf<typeof callOnceInput>;

export type { RowCase };

export const testOfRowInput = z.strictObject({
  /** Name of the tests file; one that does not exist is new. */
  name: lookupText.min(1).max(200),
  test: schemaOfType<RowCase>()(
    z.strictObject({
      name: lookupText.min(1, 'Give the test a name').max(200),
      row: jsonObject,
      mocked: z.array(nodeId).max(1_000),
      cassette: lookupText.max(200).exactOptional(),
      expect: z.union([
        z.strictObject({ output: jsonObject, fields: expectedFields.exactOptional() }),
        z.strictObject({ error: z.string().min(1).max(100_000) }),
      ]),
    }),
  ),
});

/** A whole value of a preview, or its beginning. */
export type PreviewValueView = { readonly json: string; readonly isCut: boolean };

export const previewProcedures = {
  /** Records the answers that a node of the last preview got from a service in the workflow's cassette. */
  'author.keepAnswer': adminChange(
    oneWorkflow.extend({ row, nodeId }),
    answer<{ readonly cassette: string }>,
  ),
  /** Drops the answers that a node of the last preview got from a service; nothing stored changes. */
  'author.forgetAnswer': adminChange(oneWorkflow.extend({ row, nodeId }), answer<null>),
  /** Makes one real call of a node for a row of the last preview, with the attempts of its `retry`. */
  'author.call': adminChange(callOnceInput, answer<CallOnce>),
};
