// Writing workflows in the app: opening their files, drafts, saving, and earlier texts.
import { z } from 'zod';
import {
  schemaOfType,
  adminChange,
  answer,
  nothing,
  oneWorkflow,
  operator,
  operatorChange,
  profileName,
  viewer,
  type Nothing,
} from '../procedure.ts';
import { maxEditedCharacters, type FileChange } from '../../domain/authoring/create/file-change.ts';
import type { MergeHunk } from '../../domain/authoring/create/merge-hunks.ts';
import type { SavedText } from '../../domain/authoring/create/saved-text.ts';
import type {
  ConflictView,
  EditedFile,
  OpenedWorkflowView,
  SaveView,
} from '../../domain/authoring/create/save-view.ts';
import type { UnopenedFile } from '../../domain/authoring/create/unopened-file.ts';
import type { NodeTypeView } from './graph.ts';
import type { EditResult } from '../../domain/authoring/edit/edit-text.ts';
import type { WorkflowEdit } from '../../domain/authoring/edit/edit-workflow.ts';
import { lookupText } from '../../domain/lookup-text.ts';
import type { RecordedTest } from '../../domain/tests/test-views.ts';
import type { PreflightProblem } from '../../domain/trust/preflight.ts';
import type { Issue } from '../../domain/workflow/issue.ts';
import type { OutlineEdge, OutlineNode } from '../../domain/workflow/outline.ts';

export type {
  ConflictView,
  EditResult,
  OpenedWorkflowView,
  FileChange,
  MergeHunk,
  SavedText,
  SaveView,
  UnopenedFile,
  WorkflowEdit,
};

const hash = lookupText.length(64);
const text = z.string().max(maxEditedCharacters);
const fileName = lookupText.min(1).max(200);
const editedFile = schemaOfType<EditedFile>()(
  z.strictObject({ name: fileName, baseHash: hash.nullable(), text }),
);
export type EditedFileView = EditedFile;
/** Id that a window gives itself. */
export const editor = lookupText.min(1).max(100);
const editedFiles = z.array(editedFile).min(1).max(20);
/** Files of a window: those beside a workflow, and new ones. */
const maxFiles = 200;

/** Number of a window's texts: each change has a higher one. */
export const textVersion = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const offset = z.number().int().min(0);
const maxChanges = 1_000;
/** Its length is checked once the text is changed: many changes together make a text too long. */
const changedText = z.string();
const changes = z.array(z.strictObject({ from: offset, to: offset, insert: changedText })).max(maxChanges);
/** A test of a window's texts. */
export const testOfDraft = z.strictObject({
  /** Name of the tests file. */
  name: fileName,
  line: z.number().int().min(1).max(10_000_000),
  /** A profile by its name; absent: the defaults of the file. */
  profile: profileName.exactOptional(),
});
/** How a file of a window's texts has changed. */
const changedFile = schemaOfType<FileChange>()(
  z.union([
    z.strictObject({ name: fileName, hash: hash.nullable(), text: changedText.exactOptional() }),
    z.strictObject({ name: fileName, baseHash: hash.nullable(), text: changedText }),
    z.strictObject({ name: fileName, hash: hash.nullable(), changes }),
    z.strictObject({ name: fileName, baseHash: hash.nullable(), changes }),
  ]),
);

export type ChangedView = {
  /** When the draft was stored; empty: there is none any more; absent: it was not stored, or a newer change came first. */
  readonly storedAt?: string;
  /** The server does not have the version that changes: the window sends its texts whole. */
  readonly textsMissing?: true;
};

/** `needs`: what the calls of the test lack; none was made. */
export type RecordedTestView =
  | RecordedTest
  | { readonly needs: readonly PreflightProblem[] }
  /** The server has a newer version of the texts, or does not have this one. */
  | { readonly superseded: true }
  | { readonly textsMissing: true };

/** A text as `workflow.source` shows a file: its picture, as far as it can be made out, and what is wrong with it. */
export type CheckedText = {
  readonly nodes: readonly OutlineNode[];
  readonly edges: readonly OutlineEdge[];
  readonly edgesLeftOut: number;
  readonly issues: readonly Issue[];
};

/** `sidecars`: issues of the other files, by name. */
export type CheckedDraft = CheckedText & { readonly sidecars: Readonly<Record<string, readonly Issue[]>> };

export const authorProcedures = {
  'author.open': viewer(oneWorkflow, answer<OpenedWorkflowView>),
  'author.nodeTypes': viewer(nothing, answer<readonly NodeTypeView[]>),
  /** Makes the window `editor` the one that edits the workflow, unless another one does. Windows renew it every minute. */
  'author.claim': operator(
    oneWorkflow.extend({ editor, takesOver: z.boolean().exactOptional() }),
    answer<{ readonly isEditor: boolean }>,
  ),
  'author.release': operator(oneWorkflow.extend({ editor }), answer<Nothing>),
  /**
   * Sends a version of the texts of the window `editor`, and resolves once the draft is stored, or a newer change has come.
   * `base`: the version that changes; null: the window has these files and no others. `stores`: its edited files become the
   * draft, half a second from now at most; absent: nothing is stored. Refused while another window edits.
   */
  'author.change': operatorChange(
    oneWorkflow.extend({
      editor,
      version: textVersion,
      base: textVersion.nullable(),
      files: z.array(changedFile).max(maxFiles),
      stores: z.enum(['soon', 'now']).exactOptional(),
    }),
    answer<ChangedView>,
  ),
  /**
   * Runs a test of the texts that the window `editor` has sent, with calls to the services, and records their answers in the
   * cassette that the test names. Makes no call while the calls lack something. Throws `invalid_input` for a test that is
   * not there or names no cassette.
   */
  'author.record': adminChange(
    oneWorkflow.extend({ editor, version: textVersion, test: testOfDraft }),
    answer<RecordedTestView>,
  ),
  'author.drafts': viewer(nothing, answer<readonly { readonly workflowId: string; readonly at: string }[]>),
  'author.save': adminChange(
    oneWorkflow.extend({ files: editedFiles, reach: z.enum(['trust', 'leave']).exactOptional() }),
    answer<SaveView>,
  ),
  /** `name`: a file of rows; absent: the workflow's own. */
  'author.history': viewer(
    oneWorkflow.extend({ name: fileName.exactOptional() }),
    answer<readonly SavedText[]>,
  ),
  'author.savedText': viewer(
    oneWorkflow.extend({ id: lookupText.max(100), name: fileName.exactOptional() }),
    answer<{ readonly text: string }>,
  ),
};
