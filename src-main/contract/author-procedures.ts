// Writing workflows in the app: opening their files, drafts, saving, and earlier texts.
import { z } from 'zod';
import type { SavedText } from '../domain/author/saved-text.ts';
import type { UnopenedFile } from '../domain/author/unopened-file.ts';
import type { EditResult } from '../domain/edit/edit-text.ts';
import type { WorkflowEdit } from '../domain/edit/edit-workflow.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import type { OutlineEdge, OutlineNode } from '../domain/workflow/outline.ts';
import { nothing, oneWorkflow, procedure, type Nothing } from './procedure.ts';
import { workflowEdits } from './workflow-edit-schema.ts';

export type { EditResult, SavedText, UnopenedFile, WorkflowEdit };

/** Maximum characters of one file; as much as an editor shows. */
export const maxEditedCharacters = 2_000_000;

const hash = z.string().length(64);
const text = z.string().max(maxEditedCharacters);
const fileName = z.string().min(1).max(200);
const editedFile = z.strictObject({ name: fileName, baseHash: hash.nullable(), text });
/** Id that a window gives itself. */
const editor = z.string().min(1).max(100);
const editedFiles = z.array(editedFile).min(1).max(20);

/** Text of a file as it is in the editor. */
export type DraftText = { readonly name: string; readonly text: string };
export const draftTexts: z.ZodType<readonly DraftText[]> = z
  .array(z.strictObject({ name: fileName, text }))
  .max(20);

/** A file as it was changed in the app. */
export type EditedFileView = {
  readonly name: string;
  /** SHA-256 of the text that the changes began with; null: the file is new. */
  readonly baseHash: string | null;
  readonly text: string;
};

export type OpenedWorkflowView = {
  /** The workflow's own file, then its tests, its cassette, and its files of rows, as they are on the disk, byte order marks included. */
  readonly files: readonly { readonly name: string; readonly text: string; readonly hash: string }[];
  /** Files of rows that are on the disk, and that the editor does not open. */
  readonly unopened: readonly UnopenedFile[];
  /** Text that was typed and not saved. */
  readonly draft?: { readonly at: string; readonly files: readonly EditedFileView[] };
  /** Reason why the files cannot be saved; absent: they can. */
  readonly refusal?: string;
};

/** A text as `workflow.source` shows a file: its picture, as far as it can be made out, and what is wrong with it. */
export type CheckedText = {
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  readonly edgesLeftOut: number;
  readonly issues: readonly Issue[];
};

type ClaimInput = { workflowId: string; editor: string; takesOver?: boolean };
type KeepInput = { workflowId: string; files: EditedFileView[]; editor?: string };
type CheckFileInput = { workflowId: string; name: string; text: string; workflow: string };
type SaveInput = { workflowId: string; files: EditedFileView[]; reach?: 'trust' | 'leave' };

export type SaveView =
  | {
      readonly kind: 'saved';
      /** The id in the saved text. */
      readonly workflowId: string;
      readonly files: readonly { readonly name: string; readonly hash: string }[];
      /** True if another program saved the file at the same moment: its text is in the history. */
      readonly hasReplaced: boolean;
    }
  | { readonly kind: 'changed'; readonly files: readonly ConflictView[] }
  /** An import that would reach further than was trusted: call again with `reach`. */
  | { readonly kind: 'reachesFurther'; readonly further: readonly string[] };

/** A file that another program has changed. */
export type ConflictView = {
  readonly name: string;
  /** null: the file is gone. */
  readonly text: string | null;
  readonly hash: string | null;
  /** The file's text with the changes of both; absent where both change the same lines. */
  readonly merged?: string;
};

export const authorProcedures = {
  'author.open': procedure<{ workflowId: string }, OpenedWorkflowView>(oneWorkflow),
  /** Graph and issues of the workflow if its file had that text; never fails for any text. */
  'author.check': procedure<{ workflowId: string; text: string }, CheckedText>(oneWorkflow.extend({ text })),
  /** Issues of a file beside the workflow, if the workflow's file had the text `workflow`. */
  'author.checkFile': procedure<CheckFileInput, { readonly issues: readonly Issue[] }>(
    oneWorkflow.extend({ name: fileName, text, workflow: text }),
  ),
  /** Ranges of the text to replace, so that it has all of the edits; or why they are refused. */
  'author.edit': procedure<{ workflowId: string; text: string; edits: readonly WorkflowEdit[] }, EditResult>(
    oneWorkflow.extend({ text, edits: workflowEdits }),
  ),
  /** Makes the window `editor` the one that edits the workflow, unless another one does. Windows renew it every minute. */
  'author.claim': procedure<ClaimInput, { readonly isEditor: boolean }>(
    oneWorkflow.extend({ editor, takesOver: z.boolean().exactOptional() }),
  ),
  'author.release': procedure<{ workflowId: string; editor: string }, Nothing>(
    oneWorkflow.extend({ editor }),
  ),
  /** Replaces the draft; resolves to its time once it is durable. Refused while another window than `editor` edits. */
  'author.keep': procedure<KeepInput, { readonly at: string }>(
    oneWorkflow.extend({ files: editedFiles, editor: editor.exactOptional() }),
  ),
  'author.drop': procedure<{ workflowId: string; editor?: string }, Nothing>(
    oneWorkflow.extend({ editor: editor.exactOptional() }),
  ),
  'author.drafts': procedure<Nothing, readonly { readonly workflowId: string; readonly at: string }[]>(
    nothing,
  ),
  'author.save': procedure<SaveInput, SaveView>(
    oneWorkflow.extend({ files: editedFiles, reach: z.enum(['trust', 'leave']).exactOptional() }),
  ),
  /** `name`: a file of rows; absent: the workflow's own. */
  'author.history': procedure<{ workflowId: string; name?: string }, readonly SavedText[]>(
    oneWorkflow.extend({ name: fileName.exactOptional() }),
  ),
  'author.savedText': procedure<{ workflowId: string; id: string; name?: string }, { readonly text: string }>(
    oneWorkflow.extend({ id: z.string().max(100), name: fileName.exactOptional() }),
  ),
};
