// Creating workflows in the app: the texts of their files before they are written, and writing them.
import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.ts';
import { newFieldTypes, type NewField } from '../domain/author/new-fields.ts';
import { maxNewTestRows } from '../domain/author/new-test-rows.ts';
import type { NewHttpCall } from '../domain/author/new-workflow.ts';
import { maxAttempts } from '../domain/nodes/max-attempts.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import { nothing, procedure, workflowId, type Nothing } from './procedure.ts';

/** Unlike a record of zod, it has the field `__proto__` of a row. */
const row = z.custom<JsonObject>(isJsonObject, 'A row is a JSON object');
const field = z.strictObject({
  name: z.string(),
  type: z.enum(newFieldTypes),
  isRequired: z.boolean(),
}) as z.ZodType<NewField>;
/** More than all rows of a page have. */
const maxFields = 100_000;
const text = z.string().max(200_000);
/** The value of a secret is no part of it, and is refused. */
const call = z.strictObject({
  method: z.string().max(20),
  url: text,
  headers: z.record(z.string().max(200), text),
  body: (z.json() as z.ZodType<JsonValue>).exactOptional(),
  timeoutSeconds: z.number().positive().max(3600).exactOptional(),
  attempts: z.number().int().min(2).max(maxAttempts).exactOptional(),
  secret: z
    .strictObject({
      name: z.string().max(64),
      host: z.string().max(300),
      header: z.string().max(200).exactOptional(),
    })
    .exactOptional(),
}) as z.ZodType<NewHttpCall>;

export type NewWorkflowInput = {
  workflowId: string;
  /** Absent: made of the id; that of the template. */
  name?: string;
  /** Name of one of `author.templates`. */
  template?: string;
  /** Test rows. */
  rows?: JsonObject[];
  /** Fields of the input; absent: made of the test rows. */
  fields?: NewField[];
  call?: NewHttpCall;
};

/** File of a new workflow, without its folder. */
export type NewFileView = { readonly name: string; readonly text: string };

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

type CreateInput = { workflowId: string; folder: string; files: NewFileView[] };

const newFile = z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(5_000_000) });

export const newWorkflowProcedures = {
  'author.templates': procedure<Nothing, readonly WorkflowTemplateView[]>(nothing),
  /** Writes nothing. */
  'author.draftNew': procedure<NewWorkflowInput, NewWorkflowView>(
    z.strictObject({
      workflowId,
      name: z.string().min(1).max(200).exactOptional(),
      template: z.string().max(200).exactOptional(),
      rows: z.array(row).max(maxNewTestRows).exactOptional(),
      fields: z.array(field).max(maxFields).exactOptional(),
      call: call.exactOptional(),
    }),
  ),
  'author.folders': procedure<Nothing, readonly TargetFolderView[]>(nothing),
  /** Writes new files, all or none, and never over another file. `folder`: one of `author.folders`. */
  'author.create': procedure<CreateInput, { readonly file: string }>(
    z.strictObject({ workflowId, folder: z.string().max(4096), files: z.array(newFile).min(1).max(20) }),
  ),
};
