// Views of the editor's graph and forms: the types of new nodes, the fields of a connection, and renames.
import type { z } from 'zod';
import type { ConnectionField } from '../../domain/authoring/edit/connection-fields.ts';
import type { EditRefusal, NodeRead } from '../../domain/authoring/edit/editable-file.ts';
import type { EditedFile } from '../../domain/authoring/create/save-view.ts';
import type { FieldCaller } from '../../domain/authoring/edit/rename-field.ts';
import type { TextChange } from '../../domain/authoring/edit/text-changes.ts';
import type { NodeType } from '../../domain/nodes/catalogue.ts';
import type { NodeTypeDefinition } from '../../domain/nodes/node-type.ts';

export type { ConnectionField, NodeRead };

export type NodeTypeView = Pick<
  NodeTypeDefinition<NodeType, z.ZodObject>,
  'type' | 'title' | 'summary' | 'intents' | 'firstField' | 'mockTemplate' | 'without'
>;

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

type FilesChange = Pick<Exclude<NodeRenameView, { refusal: object }>, 'files' | 'refusal'>;

/** Changes that let a node call a new workflow in place of its body, or why there are none. */
export type MovedOutView =
  | (FilesChange & {
      /** The new workflow's file, for `author.create`. */
      readonly created: { readonly folder: string; readonly name: string; readonly text: string };
    })
  | { readonly refusal: EditRefusal };

/** Changes that make a body of a called workflow, or why there are none. */
export type MovedInView =
  | (FilesChange & {
      readonly calledId: string;
      /** Checks of that workflow's input, such as `mail: string, required`; a body has none. */
      readonly unchecked: readonly string[];
    })
  | { readonly refusal: EditRefusal };

/** Changes of all files that name the field, and the lines that the user has to look at; or why none of them changes. */
export type FieldRenameView =
  | (Exclude<NodeRenameView, { refusal: object }> & {
      /** Files with rows, which keep the old name. */
      readonly rowFiles: readonly string[];
      /** Lines of other workflows that have the old name. */
      readonly callers: readonly (FieldCaller & { readonly workflowId: string })[];
      /** Files of those workflows with the new name, for `author.save`; only of those that can be changed. */
      readonly callerFiles: readonly (EditedFile & { readonly workflowId: string })[];
    })
  | Extract<NodeRenameView, { refusal: object }>;

export type { FieldIssue, NodeForm, NodeFormResult } from '../../domain/authoring/create/node-form.ts';
export type {
  FormAlternative,
  FormControl,
  FormNames,
  NodeField,
  UnknownKey,
} from '../../domain/authoring/create/node-field.ts';
