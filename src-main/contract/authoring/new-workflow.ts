// Creating workflows in the app: the texts of their files before they are written, and writing them.
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import {
  adminChange,
  answer,
  jsonValue,
  nothing,
  schemaOfType,
  viewer,
  workflowId,
  type ValueOf,
} from '../procedure.ts';
import { newFieldTypes, type NewField } from '../../domain/authoring/create/new-fields.ts';
import { maxNewTestRows } from '../../domain/authoring/create/new-test-rows.ts';
import type { NewHttpCall } from '../../domain/authoring/create/call-keys.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import { maxAttempts } from '../../domain/nodes/max-attempts.ts';
import type { Issue } from '../../domain/workflow/issue.ts';

/** Unlike a record of zod, it has the field `__proto__` of a row. */
const row = z.custom<JsonObject>(isJsonObject, 'A row is a JSON object');
const field = schemaOfType<NewField>()(
  z.strictObject({
    name: z.string(),
    type: z.enum(newFieldTypes),
    isRequired: z.boolean(),
  }),
);
/** More than all rows of a page have. */
const maxFields = 100_000;
const text = z.string().max(200_000);
/** The value of a secret is no part of it, and is refused. */
const call = schemaOfType<NewHttpCall>()(
  z.strictObject({
    method: z.string().max(20),
    url: text,
    headers: z.record(z.string().max(200), text),
    body: jsonValue.exactOptional(),
    bodyAs: z.literal('multipart').exactOptional(),
    timeoutSeconds: z.number().positive().max(3600).exactOptional(),
    attempts: z.number().int().min(2).max(maxAttempts).exactOptional(),
    secret: z
      .strictObject({
        name: z.string().max(64),
        host: z.string().max(300),
        header: z.string().max(200).exactOptional(),
        query: z.string().max(200).exactOptional(),
        scheme: z.string().max(100).exactOptional(),
        basic: z.strictObject({ user: z.string().max(200).exactOptional() }).exactOptional(),
      })
      .exactOptional(),
  }),
);

const newWorkflowInput = z.strictObject({
  workflowId,
  /** Absent: made of the id; that of the template. */
  name: z.string().min(1).max(200).exactOptional(),
  /** Name of one of `author.templates`. */
  template: z.string().max(200).exactOptional(),
  /** Test rows. */
  rows: z.array(row).max(maxNewTestRows).exactOptional(),
  /** Fields of the input; absent: made of the test rows. */
  fields: z.array(field).max(maxFields).exactOptional(),
  call: call.exactOptional(),
});
export type NewWorkflowInput = ValueOf<typeof newWorkflowInput>;

const newFile = z.strictObject({ name: lookupText.min(1).max(200), text: z.string().max(5_000_000) });
/** File of a new workflow, without its folder. */
export type NewFileView = ValueOf<typeof newFile>;

export type WorkflowTemplateView = {
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
};

export type NewWorkflowView = {
  /** The workflow's own first. */
  readonly files: readonly NewFileView[];
  /** Issues of the workflow's own file. */
  readonly issues: readonly Issue[];
};

/** A folder in which a workflow can be created. */
export type TargetFolderView = { readonly folder: string; readonly isOwn: boolean };

export const newWorkflowProcedures = {
  'author.templates': viewer(nothing, answer<readonly WorkflowTemplateView[]>),
  /** Writes nothing. */
  'author.draftNew': viewer(newWorkflowInput, answer<NewWorkflowView>),
  'author.folders': viewer(nothing, answer<readonly TargetFolderView[]>),
  /** Writes new files, all or none, and never over another file. `folder`: one of `author.folders`. */
  'author.create': adminChange(
    z.strictObject({ workflowId, folder: lookupText.max(4096), files: z.array(newFile).min(1).max(20) }),
    answer<{ readonly file: string }>,
  ),
};
