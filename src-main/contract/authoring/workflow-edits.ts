// Edits of a workflow's text, as the editor's graph and forms ask for them.
import { z } from 'zod';
import { jsonObject, jsonValue as value, schemaOfType } from '../procedure.ts';
import type { WorkflowEdit } from '../../domain/authoring/edit/edit-workflow.ts';
import { maxNodes } from '../../domain/workflow/workflow-keys.ts';

/** As many as a node's form can have fields, and more. */
const maxEdits = 200;
const maxText = 2_000_000;

const id = z.string().max(500);
const key = z.string().max(10_000);
const path = z.array(z.union([key, z.number().int().min(0)])).max(100);
const position = z.number().int().min(0);
const textChange = z.strictObject({ from: position, to: position, insert: z.string().max(maxText) });

/** Only edits of this program itself say how a value is written. */
type EditOfClient =
  | Exclude<WorkflowEdit, { kind: 'insertItem' | 'setValue' }>
  | Omit<Extract<WorkflowEdit, { kind: 'insertItem' }>, 'written'>
  | Omit<Extract<WorkflowEdit, { kind: 'setValue' }>, 'written'>;

const edit = schemaOfType<EditOfClient>()(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('setValue'), path, value }),
    z.strictObject({ kind: z.literal('insertItem'), path, index: position, value }),
    z.strictObject({ kind: z.literal('insertKey'), path, key, value, before: key.exactOptional() }),
    z.strictObject({ kind: z.literal('removeItem'), path }),
    z.strictObject({ kind: z.literal('moveItem'), path, to: position }),
    z.strictObject({ kind: z.literal('copyItem'), path, to: position }),
    z.strictObject({ kind: z.literal('renameKey'), path, key }),
    z.strictObject({
      kind: z.literal('changeTexts'),
      texts: z.array(z.strictObject({ path, changes: z.array(textChange).max(maxEdits) })).max(maxEdits),
    }),
    z.strictObject({ kind: z.literal('setComment'), path, text: z.string().max(1_000) }),
    z.strictObject({
      kind: z.literal('addNode'),
      node: jsonObject,
      index: position.exactOptional(),
      within: id.exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('pasteNodes'),
      text: z.string().max(maxText),
      index: position.exactOptional(),
      within: id.exactOptional(),
    }),
    z.strictObject({ kind: z.literal('duplicateNode'), id, newId: id }),
    z.strictObject({
      kind: z.literal('deleteNodes'),
      ids: z.array(id).min(1).max(maxNodes),
      force: z.boolean().exactOptional(),
    }),
    z.strictObject({ kind: z.literal('moveNode'), id, to: position }),
    z.strictObject({ kind: z.literal('renameNode'), id, newId: id }),
    z.strictObject({
      kind: z.literal('connect'),
      from: id,
      to: id,
      field: path.exactOptional(),
      offset: position.exactOptional(),
    }),
    z.strictObject({ kind: z.literal('disconnect'), from: id, to: id }),
    z.strictObject({ kind: z.literal('rewire'), node: id, from: id, to: id }),
    z.strictObject({
      kind: z.literal('extract'),
      from: position.exactOptional(),
      to: position.exactOptional(),
      path: path.exactOptional(),
      newId: id,
    }),
    z.strictObject({ kind: z.literal('inline'), id }),
  ]),
);

export const workflowEdits = z.array(edit).min(1).max(maxEdits);
