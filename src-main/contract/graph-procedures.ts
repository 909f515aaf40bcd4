// What the editor's graph asks for besides `author.edit`: the types of new nodes, the fields of a connection, and renames.
import { z } from 'zod';
import type { JsonObject } from '../base/json-value.ts';
import type { ConnectionField, ConnectionFields } from '../domain/edit/connection-fields.ts';
import type { FieldCaller, FieldRename } from '../domain/edit/rename-field.ts';
import type { NodeRead } from '../domain/edit/editable-file.ts';
import type { TextChange } from '../domain/edit/text-changes.ts';
import type { NodeType } from '../domain/nodes/catalogue.ts';
import { maxEditedCharacters, type EditedFileView } from './author-procedures.ts';
import { nothing, oneWorkflow, procedure, type Nothing } from './procedure.ts';

export type { ConnectionField, NodeRead };

export type NodeTypeView = {
  readonly type: NodeType;
  readonly title: string;
  readonly summary: string;
  /** Keys of a new node besides `id` and `type`. */
  readonly newKeys: JsonObject;
};

type FileTextInput = { readonly name: string; readonly text: string };

/** Changes of all files that name the node, or why none of them changes. */
export type NodeRenameView =
  | {
      readonly files: readonly { readonly name: string; readonly changes: readonly TextChange[] }[];
      /** Lines of the workflow, from 1, where a mistake may hide a reference to the node. */
      readonly unclearLines: readonly number[];
      readonly refusal?: undefined;
    }
  | {
      readonly refusal: { readonly reason: string; readonly name: string; readonly line: number };
    };

/** Changes of all files that name the field, and the lines that the user has to look at; or why none of them changes. */
export type FieldRenameView =
  | (Exclude<NodeRenameView, { refusal: object }> & {
      /** Files with rows, which keep the old name. */
      readonly rowFiles: readonly string[];
      /** Lines of other workflows that have the old name. */
      readonly callers: readonly (FieldCaller & { readonly workflowId: string })[];
      /** Files of those workflows with the new name, for `author.save`; only of those that can be changed. */
      readonly callerFiles: readonly (EditedFileView & { readonly workflowId: string })[];
    })
  | Extract<NodeRenameView, { refusal: object }>;

const text = z.string().max(maxEditedCharacters);
const id = z.string().max(500);
const files = z
  .array(z.strictObject({ name: z.string().min(1).max(200), text }))
  .min(1)
  .max(20);

export const graphProcedures = {
  'author.nodeTypes': procedure<Nothing, readonly NodeTypeView[]>(nothing),
  /** The fields of `to` that can read `from`; refused where the nodes would wait for each other. */
  'author.connections': procedure<
    { workflowId: string; text: string; from: string; to: string },
    ConnectionFields
  >(oneWorkflow.extend({ text, from: id, to: id })),
  /** Ranges of the texts to replace, so that a node has another id. `files`: the workflow's own file, tests, cassettes. */
  'author.renameNode': procedure<
    { workflowId: string; files: readonly FileTextInput[]; id: string; newId: string },
    NodeRenameView
  >(
    oneWorkflow.extend({
      files,
      id,
      newId: id,
    }),
  ),
  /** Ranges of the texts to replace, so that a field of the rows or outputs has another name. */
  'author.renameField': procedure<
    { workflowId: string; files: readonly FileTextInput[] } & FieldRename,
    FieldRenameView
  >(
    oneWorkflow.extend({
      files,
      of: z.enum(['input', 'output']),
      name: z.string().min(1).max(500),
      newName: z.string().max(500),
    }),
  ),
};
