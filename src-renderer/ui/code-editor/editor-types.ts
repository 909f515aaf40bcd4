// What the code editor and its owner exchange. Offsets count UTF-16 units of the file's text, with its byte order mark
// and its own line breaks; lines count from 1.
import type { TextChange } from '#contract';
import type { LineLexer } from '../../format/line-states.ts';
import type { YamlState } from '../../format/yaml-text.ts';

export type LineRange = { readonly first: number; readonly last: number };

export type CodeIssue = {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
};

/** Value at the end of a line. */
export type LineValue = { readonly line: number; readonly text: string; readonly isError?: boolean };

/** Values at line ends. Old ones are not set: those that are shown stay, dimmed, and edits move them. */
export type LineValues = { readonly values: readonly LineValue[]; readonly isOld: boolean };

export type TextUpdate = {
  /** In order; their offsets are of the text before. */
  readonly changes: readonly TextChange[];
  readonly cause: 'typing' | 'apply' | 'undo' | 'redo';
  /** False if the change was added to the last step of undo, as while typing. */
  readonly isNewStep: boolean;
  /** Name of the applied changes, also when they are undone or redone. */
  readonly label?: string;
};

/** Texts for screen readers. */
export type EditorLabels = {
  readonly label: string;
  readonly description?: string | undefined;
  readonly isInvalid?: boolean;
};

/** The editor as a field of a form, which holds one value: without numbers of lines, and as high as its text. */
export type FieldOptions = {
  readonly lexer: LineLexer<YamlState>;
  readonly placeholder: string;
  /** Takes Enter; false: it begins a new line. */
  readonly onenter: () => boolean;
  /** Takes Escape while no completions are shown; false: it goes on to the page. */
  readonly onescape: () => boolean;
};

export type CompletionRequest = {
  /** True if the user asked for completions; false while the user types. */
  readonly isExplicit: boolean;
  /** Aborted when the user types on or leaves. */
  readonly signal: AbortSignal;
};

export type CodeCompletions = {
  /** Where the text to be replaced begins. It ends at the caret. */
  readonly from: number;
  /** Best first. */
  readonly options: readonly CodeCompletion[];
};

export type CodeCompletion = {
  readonly label: string;
  /** Short note behind the label, such as a type. */
  readonly detail?: string;
  /** Description beside the list. */
  readonly info?: string;
  /** Text to insert, if it is not the label. */
  readonly insert?: string;
  /** Where the text that it replaces begins, if not at that of all. */
  readonly from?: number;
};

/** Description of a part of the text, shown under the pointer. */
export type HoverText = {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** An example value, in the font of code. */
  readonly value?: string;
};

/** A key that the owner takes, in CodeMirror's notation: `Mod-s`, `F8`, `Shift-F12`. */
export type OwnerKey = { readonly key: string; readonly run: () => void };

/**
 * Undo and redo of an owner that has steps over several files; without it each editor has its own. False if there is no
 * step.
 */
export type OwnerHistory = { readonly undo: () => boolean; readonly redo: () => boolean };
