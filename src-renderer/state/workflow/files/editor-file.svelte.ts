// One file of a workflow while it is edited: its text, the text that the changes began with, and the one on the disk.
import type { EditedFileView, TextChange } from '#contract';
import { textDifference } from '../../../format/line-edits.ts';
import { changedLines } from './changed-lines.ts';

/** Methods of the text editor that a session calls. */
export type TextEditor = {
  readonly apply: (changes: readonly TextChange[], label: string) => void;
  readonly replaceAll: (text: string) => void;
  /** False if there is no step. */
  readonly undo: () => boolean;
  readonly redo: () => boolean;
};

/** A text on the disk. `hash`: SHA-256; null if there is no file. */
export type DiskText = { readonly text: string; readonly hash: string | null };

export const noDiskText: DiskText = { text: '', hash: null };

export class EditorFile {
  readonly name: string;
  #text = $state.raw('');
  /** The text that the changes began with; `hash` may be of an earlier one if the draft is older than the file. */
  #saved = $state.raw(noDiskText);
  #disk = $state.raw(noDiskText);
  #changedLines = $state(0);
  #editor: TextEditor | undefined;
  #announceEditor: () => void = () => undefined;
  /** Resolves once the file has its editor, which has to be loaded first. */
  readonly hasEditor = new Promise<void>((resolve) => (this.#announceEditor = resolve));

  /** @param draft text of the file that was typed earlier and not saved */
  constructor(name: string, disk: DiskText, draft?: EditedFileView) {
    this.name = name;
    this.#disk = disk;
    this.#saved = draft === undefined ? disk : { text: disk.text, hash: draft.baseHash };
    this.#text = draft?.text ?? disk.text;
    this.countChanges();
  }

  get text(): string {
    return this.#text;
  }

  /** The text that the changes began with; empty for a new file. */
  get savedText(): string {
    return this.#saved.text;
  }

  get isChanged(): boolean {
    return this.#text !== this.#saved.text;
  }

  /** True if there is a file, or a text for one. */
  get exists(): boolean {
    return this.#saved.hash !== null || this.#text !== '';
  }

  /** True if another program has changed the file since the changes began. */
  get isChangedOutside(): boolean {
    return this.isChanged && this.#disk.hash !== this.#saved.hash;
  }

  /** Lines that were changed when they were last counted. */
  get changedLines(): number {
    return this.#changedLines;
  }

  /** The file for the server: its text, and the hash of the text that the changes began with. */
  get edited(): EditedFileView {
    return { name: this.name, baseHash: this.#saved.hash, text: this.#text };
  }

  /** Hash of the text if it is the one on the disk; null if there is no file; undefined if the disk has another text. */
  get diskHash(): string | null | undefined {
    return this.#text === this.#disk.text ? this.#disk.hash : undefined;
  }

  attach(editor: TextEditor | undefined): void {
    this.#editor = editor;
    if (editor !== undefined) this.#announceEditor();
  }

  /** The editor reports another text. */
  change(text: string): void {
    this.#text = text;
  }

  /** Changes the text in one step that can be undone; the editor reports it. */
  apply(changes: readonly TextChange[], label: string): void {
    this.#editor?.apply(changes, label);
  }

  /** One change that turns this text into another one. */
  differenceTo(text: string): readonly TextChange[] {
    return text === this.#text ? [] : [textDifference(this.#text, text)];
  }

  undo(): boolean {
    return this.#editor?.undo() === true;
  }

  redo(): boolean {
    return this.#editor?.redo() === true;
  }

  /** Takes over a text that another program saved, unless there are changes. True if the text is the saved one afterwards. */
  follow(disk: DiskText): boolean {
    if (disk.hash === this.#disk.hash) return false;
    this.#disk = disk;
    if (this.isChanged && disk.text !== this.#text) return false;
    this.#saved = disk;
    if (disk.text === this.#text) return true;
    this.#text = disk.text;
    this.#editor?.replaceAll(disk.text);
    return true;
  }

  /** Takes the text of another window's draft, or the one on the disk. */
  followDraft(disk: DiskText, draft: EditedFileView | undefined): void {
    this.rebase(draft === undefined ? disk : { text: disk.text, hash: draft.baseHash });
    this.#disk = disk;
    const text = draft?.text ?? disk.text;
    if (text === this.#text) return;
    this.#text = text;
    this.#editor?.replaceAll(text);
    this.countChanges();
  }

  /** Records that the disk has this text: changes count from it. */
  rebase(disk: DiskText): void {
    this.#saved = disk;
    this.#disk = disk;
    this.countChanges();
  }

  countChanges(): void {
    this.#changedLines = changedLines(this.#saved.text, this.#text);
  }
}
