// The texts of a window of the app, in the version that a request is about.
import { basename } from 'node:path';
import type { ControlCaller, Input } from '../../../contract/index.ts';
import {
  editedFiles,
  type DocumentFile,
  type DraftDocument,
} from '../../../services/authoring/draft-documents.ts';
import type { DraftService } from '../../../services/authoring/draft-service.ts';
import type { Services } from '../../../services/services.ts';
import { draftTables } from '../../../services/workflows/draft-tables.ts';
import type { LoadedWorkflow } from '../../../services/workflows/workflow-service.ts';
import { findWorkflow } from '../workflows/workflows.ts';
import { holderOf } from './author.ts';

/** The texts of a window, in one version. */
export type EditorTexts = {
  readonly loaded: LoadedWorkflow;
  /** Name of the workflow's own file, and its text. */
  readonly own: string;
  readonly text: string;
  /** All files that have a text, the workflow's own among them. */
  readonly files: readonly EditorText[];
  /** The files that differ from those on the disk. */
  readonly edited: readonly EditorText[];
  /** The tables that they name. */
  readonly tables: ReturnType<typeof draftTables>;
};
export type EditorText = { readonly name: string; readonly text: string; readonly source: DocumentFile };

/** Throws `workflow_not_found`. Without the texts it resolves to why the server does not have them. */
export async function findTexts(
  { authoring: { documents, drafts }, workflows: { workflows } }: Services,
  { workflowId, editor, version }: Pick<Input<'author.ask'>, 'workflowId' | 'editor' | 'version'>,
  caller: ControlCaller | undefined,
): Promise<EditorTexts | { readonly superseded: true } | { readonly textsMissing: true }> {
  const loaded = await findWorkflow(workflows, workflowId);
  const document = await documents.find({ workflowId: loaded.id, editor: holderOf(editor, caller) }, version);
  if (!('files' in document)) return document;
  return (await textsOf(drafts, loaded, document)) ?? { textsMissing: true };
}

/** Undefined if the text of a file is neither in the document nor on the disk. */
async function textsOf(
  drafts: DraftService,
  loaded: LoadedWorkflow,
  document: DraftDocument,
): Promise<EditorTexts | undefined> {
  const files: EditorText[] = [];
  for (const source of document.files.values()) {
    const { name } = source;
    const hash = 'hash' in source ? source.hash : null;
    const text = source.text ?? (hash === null ? '' : await drafts.textOf(loaded, name, hash));
    if (text === undefined) return undefined;
    files.push({ name, text, source });
  }
  const own = basename(loaded.file);
  const text = files.find(({ name }) => name === own)?.text;
  if (text === undefined) return undefined;
  const edited = new Set(editedFiles(document).map(({ name }) => name));
  const differing = files.filter(({ name }) => edited.has(name));
  return { loaded, own, text, files, edited: differing, tables: draftTables(loaded.file, differing) };
}

export const textOf = ({ files }: EditorTexts, name: string): string =>
  files.find((file) => file.name === name)?.text ?? '';
