// How the texts of a window that edits a workflow change, from one version to the next.
import type { TextChange } from '../edit/text-changes.ts';
import type { EditedFile } from './save-view.ts';

/** Maximum characters of one file; as much as an editor shows. */
export const maxEditedCharacters = 2_000_000;

/** A file that is not changed. `hash`: SHA-256 of its text on the disk; null: there is no file. */
type UnchangedFile = { readonly name: string; readonly hash: string | null };
/** Ranges to replace in the text of the version before, in order. */
type WithChanges = { readonly changes: readonly TextChange[] };

export type FileChange =
  /** `text`: absent: that of the disk. */
  | (UnchangedFile & { readonly text?: string })
  | (UnchangedFile & WithChanges)
  | EditedFile
  | (Omit<EditedFile, 'text'> & WithChanges);
