// The texts of a workflow's files in their editors, with one order of undo.
import type { EditedFileView, EditResult, OpenedWorkflowView, TextChange } from '#contract';
import { EditorFile, noDiskText } from './editor-file.svelte.ts';
import { UndoOrder, type UndoStep } from './undo-order.ts';

/** Changes of a file; offsets are of its text as it is. */
export type FileChanges = { readonly name: string; readonly changes: readonly TextChange[] };

/** Changes that the server planned for the texts, or why there are none. */
export type EditPlan =
  | { readonly files: readonly FileChanges[]; readonly refusal?: undefined }
  | { readonly refusal: NonNullable<EditResult['refusal']>; readonly files?: undefined };

/** How an editor's text changed; an editor's report has more. */
type TextStep = { readonly cause: 'typing' | 'apply' | 'undo' | 'redo'; readonly isNewStep: boolean };

/** `joined`: undo takes the change back together with this step, if it is still the last one. */
export type StepOptions = { readonly joined?: UndoStep | undefined };

const maxEditAttempts = 5;
/** Pause in typing before changed lines are counted. */
const countAfterMs = 100;

export class EditorFiles {
  readonly #order = new UndoOrder();
  #countTimer: ReturnType<typeof setTimeout> | undefined;
  #all = $state.raw<readonly EditorFile[]>([]);
  #shown = $state('');
  #unopened = $state.raw<OpenedWorkflowView['unopened']>([]);
  #readers = $state.raw<OpenedWorkflowView['readers']>();

  constructor({ files, unopened, readers, draft }: OpenedWorkflowView) {
    const drafts = draft?.files ?? [];
    const draftOf = (name: string) => drafts.find((file) => file.name === name);
    const newFiles = drafts.filter(({ name }) => !files.some((file) => file.name === name));
    this.#all = [
      ...files.map((file) => new EditorFile(file.name, file, draftOf(file.name))),
      ...newFiles.map((file) => new EditorFile(file.name, noDiskText, file)),
    ];
    this.#shown = this.#all[0]?.name ?? '';
    this.#unopened = unopened;
    this.#readers = readers;
  }

  /** The workflow's own file first. One that does not exist yet is empty. */
  get all(): readonly EditorFile[] {
    return this.#all;
  }

  /** Files of rows on the disk that have no editor. */
  get unopened(): OpenedWorkflowView['unopened'] {
    return this.#unopened;
  }

  /** Ids of the other workflows that read the file. */
  readersOf(name: string): readonly string[] {
    return this.#readers?.[name] ?? [];
  }

  /** Name of the file that is in sight. */
  get shown(): string {
    return this.#shown;
  }

  get isChanged(): boolean {
    return this.#all.some(({ isChanged }) => isChanged);
  }

  /** The files that are not as they were saved. */
  get changed(): readonly EditedFileView[] {
    return this.#all.filter(({ isChanged }) => isChanged).map(({ edited }) => edited);
  }

  find(name: string): EditorFile | undefined {
    return this.#all.find((file) => file.name === name);
  }

  /** The file of that name; an empty one for a name that is new. */
  findOrAdd(name: string): EditorFile {
    const known = this.find(name);
    if (known !== undefined) return known;
    const file = new EditorFile(name, noDiskText);
    this.#all = [...this.#all, file];
    return file;
  }

  show(name: string): void {
    this.#shown = this.findOrAdd(name).name;
  }

  /** The editor of a file reports a change of the text. */
  change(name: string, text: string, { cause, isNewStep }: TextStep): void {
    this.find(name)?.change(text);
    if (cause === 'typing' || cause === 'apply') {
      if (isNewStep) this.#order.add(name);
      else this.#order.extend();
    }
    this.countSoon();
  }

  /** The step that would be undone next. */
  get lastStep(): UndoStep | undefined {
    return this.#order.last;
  }

  undo(): boolean {
    return this.#showOneOf(this.#order.undo((name) => this.find(name)?.undo() === true));
  }

  redo(): boolean {
    return this.#showOneOf(this.#order.redo((name) => this.find(name)?.redo() === true));
  }

  /** Changes files in one step that can be undone, or in the last one. */
  async apply(changed: readonly FileChanges[], label: string, { joined }: StepOptions = {}): Promise<void> {
    const files = changed
      .filter(({ changes }) => changes.length > 0)
      .map(({ name, changes }) => ({ file: this.findOrAdd(name), changes }));
    await Promise.all(files.map(({ file }) => file.hasEditor));
    this.#order.asOne(() => {
      for (const { file, changes } of files) file.apply(changes, label);
    }, joined);
  }

  /**
   * Makes the changes of a plan in one step that can be undone. Resolves to why it was refused, if it was.
   * @param plan finds the changes of the texts as they are, or undefined; it is called again if a text changes meanwhile
   */
  async applyPlan(
    plan: () => Promise<EditPlan | undefined>,
    label: string,
    options?: StepOptions,
  ): Promise<EditResult['refusal']> {
    for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
      const texts = this.#all.map(({ text }) => text);
      const found = await plan();
      if (found === undefined || this.#all.some(({ text }, index) => text !== (texts[index] ?? ''))) continue;
      if (found.refusal === undefined) await this.apply(found.files, label, options);
      return found.refusal;
    }
    return { reason: 'The text changed at the same moment; try again', line: 1 };
  }

  /** Takes over the files on the disk that have no changes here. Returns the names of the files whose text has changed. */
  follow({ files: onDisk, unopened, readers }: OpenedWorkflowView): readonly string[] {
    this.#unopened = unopened;
    this.#readers = readers;
    for (const { name } of onDisk) this.findOrAdd(name);
    const followed = this.#all.filter((file) =>
      file.follow(onDisk.find(({ name }) => name === file.name) ?? noDiskText),
    );
    this.countSoon();
    return followed.map(({ name }) => name);
  }

  /** Takes all texts of another window's draft. */
  followDraft({ files, unopened, readers, draft }: OpenedWorkflowView): void {
    this.#unopened = unopened;
    this.#readers = readers;
    const drafts = draft?.files ?? [];
    for (const { name } of [...files, ...drafts]) this.findOrAdd(name);
    for (const file of this.#all) {
      const isOfFile = ({ name }: { readonly name: string }): boolean => name === file.name;
      file.followDraft(files.find(isOfFile) ?? noDiskText, drafts.find(isOfFile));
    }
  }

  countSoon(): void {
    clearTimeout(this.#countTimer);
    this.#countTimer = setTimeout(() => this.#all.forEach((file) => file.countChanges()), countAfterMs);
  }

  close(): void {
    clearTimeout(this.#countTimer);
  }

  /** After an undo, the user sees what it changed. False if it changed nothing. */
  #showOneOf(names: readonly string[]): boolean {
    const [first] = names;
    if (first !== undefined && !names.includes(this.#shown)) this.#shown = first;
    return first !== undefined;
  }
}
