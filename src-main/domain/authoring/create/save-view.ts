// The files of a workflow as they are opened for editing; a save of them, and what comes of it.
import type { MergeHunk } from './merge-hunks.ts';
import type { UnopenedFile } from './unopened-file.ts';

/** A file as it was changed in the app. */
export type EditedFile = {
  readonly name: string;
  /** SHA-256 of the text that the changes began with; null: the file is new. */
  readonly baseHash: string | null;
  readonly text: string;
};

/** A file as it is on the disk, a byte order mark included. */
export type FileText = {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
};

export type OpenedWorkflowView = {
  /** The workflow's own file, then its tests, its cassette, and its files of rows. */
  readonly files: readonly FileText[];
  /** Ids of the other workflows that read a file, by its name; absent: no file has other readers. */
  readonly readers?: Readonly<Record<string, readonly string[]>>;
  /** Files of rows that are on the disk, and that the editor does not open. */
  readonly unopened: readonly UnopenedFile[];
  /** Text that was typed and not saved. */
  readonly draft?: { readonly at: string; readonly files: readonly EditedFile[] };
  /** Reason why the files cannot be saved; absent: they can. */
  readonly refusal?: string;
};

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
  /** The parts of the user's text and the file's; absent for a file that is gone. */
  readonly hunks?: readonly MergeHunk[];
};
