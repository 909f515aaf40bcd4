// The files of a workflow while they are edited: its own, its tests and its cassette. They have one draft on the server,
// one save, and one order of undo.
//
// INVARIANT: files on the disk change only by `save`, all or none. The draft is stored at most a second after the last
// change, and dropped only when every text equals the saved one.
import {
  Mutex,
  type CheckedText,
  type ConflictView,
  type EditResult,
  type OpenedWorkflowView,
  type QuestionAnswer,
  type QuestionInput,
  type QuestionName,
  type SaveView,
  type WorkflowEdit,
} from '#contract';
import type { Session } from '../../live/session.svelte.ts';
import { EditorDocument } from './editor-document.svelte.ts';
import type { EditorClaim } from './editor-claim.svelte.ts';
import type { EditorFile, TextEditor } from './editor-file.svelte.ts';
import { EditorFiles, type EditPlan, type FileChanges, type StepOptions } from './editor-files.svelte.ts';
import type { IssueRange } from './issue-ranges.ts';
import { WorkflowCheck } from './workflow-check.svelte.ts';

/** Decision that a save needs from the user before anything is written. */
export type SaveQuestion =
  | { readonly kind: 'conflict'; readonly files: readonly ConflictView[] }
  | { readonly kind: 'reach'; readonly further: readonly string[] };

/** Answer to a conflict: the text that is to be saved in place of the file's present one. */
export type ConflictAnswer = { readonly conflict: ConflictView; readonly text: string };

type EditorSessionOptions = {
  readonly call: Session['call'];
  readonly workflowId: string;
  readonly opened: OpenedWorkflowView;
  readonly claim: EditorClaim;
};

export class EditorSession {
  /** Name of the workflow's own file. */
  readonly fileName: string;
  /** Writers of values that the user has typed elsewhere. */
  #flushes: Partial<Record<'form' | 'rows', () => Promise<void>>> = {};
  readonly #call: Session['call'];
  readonly #workflowId: string;
  readonly #claim: EditorClaim;
  readonly #files: EditorFiles;
  readonly #document: EditorDocument;
  readonly #check: WorkflowCheck;
  /** Requests about the files are sent one after another. */
  readonly #mutex = new Mutex();
  #question = $state.raw<SaveQuestion>();
  #isSaving = $state(false);

  constructor({ call, workflowId, opened, claim }: EditorSessionOptions) {
    const [own] = opened.files;
    if (own === undefined) throw new Error('The workflow has no file.');
    this.#call = call;
    this.#workflowId = workflowId;
    this.#claim = claim;
    this.fileName = own.name;
    this.#files = new EditorFiles(opened);
    const { editor } = claim;
    const files = (): readonly EditorFile[] => this.files;
    const canStore = (): boolean => !claim.isElsewhere;
    this.#document = new EditorDocument({ call, workflowId, editor, files, canStore }, opened.draft);
    this.#check = new WorkflowCheck({ files, ask: () => this.ask('check', {}) });
    void this.#check.now();
    claim.renew(() => this.#followDraft());
  }

  /** All files that have an editor, the workflow's own first. One that does not exist yet is empty. */
  get files(): readonly EditorFile[] {
    return this.#files.all;
  }

  /** Files of rows on the disk that have no editor. */
  get unopened(): OpenedWorkflowView['unopened'] {
    return this.#files.unopened;
  }

  /** Ids of the other workflows that read the file. */
  readersOf(name: string): readonly string[] {
    return this.#files.readersOf(name);
  }

  /** Name of the file that is in sight. */
  get shown(): string {
    return this.#files.shown;
  }

  /** The text of the workflow's own file. */
  get text(): string {
    return this.textOf(this.fileName);
  }

  /** The changed files of rows, as one text: previews read them as they are in the draft. */
  get changedTables(): string {
    return this.files
      .filter(
        ({ name, isChanged }) =>
          isChanged && name !== this.fileName && !/\.(tests|cassette)\.|^profiles\.yaml$/.test(name),
      )
      .map(({ name, text }) => `${name}\n${text}`)
      .join('\n');
  }

  /** The text of the workflow's own file that its changes began with. */
  get savedText(): string {
    return this.file(this.fileName)?.savedText ?? '';
  }

  /** True if a text is not the saved one. */
  get isChanged(): boolean {
    return this.#files.isChanged;
  }

  /** True while another window edits: its draft is shown here, read-only. */
  get isElsewhere(): boolean {
    return this.#claim.isElsewhere;
  }

  /** Changed lines of all files. */
  get changedLines(): number {
    return this.files.reduce((sum, file) => sum + file.changedLines, 0);
  }

  /** When the draft was stored; undefined while the server does not have the texts yet. */
  get storedAt(): string | undefined {
    return this.#document.storedAt;
  }

  /** Why the draft could not be stored; storing is tried again. */
  get storeProblem(): string | undefined {
    return this.#document.problem;
  }

  /** True if another program has changed a file since its changes began. */
  get isChangedOutside(): boolean {
    return this.files.some(({ isChangedOutside }) => isChangedOutside);
  }

  /** Result of the newest check; undefined until there is one. */
  get checked(): CheckedText | undefined {
    return this.#check.checked;
  }

  /** Graph of the last text that had one, with that text. */
  get graph(): WorkflowCheck['graph'] {
    return this.#check.graph;
  }

  /** Line of the mistake that keeps the text from being edited by its nodes. */
  get brokenLine(): number | undefined {
    const { checked } = this;
    if (checked === undefined || checked.nodes.length > 0) return undefined;
    return checked.issues.find(({ severity }) => severity === 'error')?.line;
  }

  /** Issues of a file, where they are marked. */
  marksOf(name: string): readonly IssueRange[] {
    return this.#check.marksOf(name);
  }

  /** Resolves once the graph is that of the text, or of the last text before it broke. Never rejects. */
  async catchUp(): Promise<void> {
    // A file that changes meanwhile has a check of its own, which ends this one early.
    for (let tries = 0; tries < 3 && this.graph?.text !== this.text; tries += 1) {
      await this.#check.now();
      if (this.checked?.nodes.length === 0) return;
    }
  }

  get question(): SaveQuestion | undefined {
    return this.#question;
  }

  get isSaving(): boolean {
    return this.#isSaving;
  }

  file(name: string): EditorFile | undefined {
    return this.#files.find(name);
  }

  /** The text of a file; empty for one that does not exist. */
  textOf(name: string): string {
    return this.file(name)?.text ?? '';
  }

  /** Shows a file; an empty one for a name that is new. */
  show(name: string): void {
    this.#files.show(name);
  }

  attach(name: string, editor: TextEditor | undefined): void {
    this.file(name)?.attach(editor);
  }

  /** The editor of a file reports a change of the text. */
  change(name: string, text: string, step: Parameters<EditorFiles['change']>[2]): void {
    this.#files.change(name, text, step);
    this.#check.follow(step.cause === 'typing');
  }

  /** The step that would be undone next. */
  get lastStep(): EditorFiles['lastStep'] {
    return this.#files.lastStep;
  }

  /** Takes back the last step in any file, and shows a file that it changed. False if there is no step. */
  undo(): boolean {
    return this.#files.undo();
  }

  redo(): boolean {
    return this.#files.redo();
  }

  /** Takes over editing; the other window shows the draft from now on. */
  takeOver(): Promise<void> {
    return this.#claim.request(true);
  }

  /** Goes back to the saved texts, in one step that can be undone. */
  revert(): void {
    const changes = this.files.map((file) => ({
      name: file.name,
      changes: file.differenceTo(file.savedText),
    }));
    void this.applyToFiles(changes, 'Discard changes');
  }

  /** Changes the text of the workflow's own file, or of another one, in one step that can be undone. */
  replace(text: string, label: string, name = this.fileName): void {
    void this.applyToFiles([{ name, changes: this.#files.findOrAdd(name).differenceTo(text) }], label);
  }

  /** Asks the server about the texts as they are; resolves to undefined if they change before it answers. */
  ask<N extends QuestionName>(name: N, input: QuestionInput<N>): Promise<QuestionAnswer<N> | undefined> {
    return this.#document.ask(name, input);
  }

  /** Runs a test of the texts with calls to services, and records their answers; see `ask`. */
  record(test: Parameters<EditorDocument['record']>[0]): ReturnType<EditorDocument['record']> {
    return this.#document.record(test);
  }

  /**
   * Edits the workflow in one step that can be undone, as the graph and forms do. Resolves to why it was refused, if it was.
   * @param label name of the step, such as `Add a node`
   */
  edit(edits: readonly WorkflowEdit[], label: string, options?: StepOptions): Promise<EditResult['refusal']> {
    return this.applyPlan(() => this.planEdit(edits), label, options);
  }

  /** The changes of edits of the workflow; undefined if a text changes meanwhile. */
  async planEdit(edits: readonly WorkflowEdit[]): Promise<EditPlan | undefined> {
    const edited = await this.ask('edit', { edits });
    if (edited === undefined || edited.refusal !== undefined) return edited;
    return { files: [{ name: this.fileName, changes: edited.changes }] };
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
    if (this.isElsewhere) return { reason: 'Another window edits this workflow', line: 1 };
    return this.#files.applyPlan(plan, label, options);
  }

  /** Changes files in one step that can be undone. A file that does not exist yet begins empty. */
  async applyToFiles(files: readonly FileChanges[], label: string): Promise<void> {
    if (!this.isElsewhere) await this.#files.apply(files, label);
  }

  /** Called when the server reports a change of the files, and when it answers again. Never rejects. */
  async follow(): Promise<void> {
    if (this.storeProblem !== undefined) this.#document.sync();
    if (this.isElsewhere && this.checked === undefined) void this.#check.now();
    if (this.isElsewhere) return this.#followDraft();
    await this.#mutex
      .run(async () => {
        const opened = await this.#call('author.open', { workflowId: this.#workflowId });
        this.#files.follow(opened);
        // The workflow may name files that have changed: a table, or a workflow that it calls.
        void this.#check.now();
      })
      .catch(() => undefined);
  }

  /**
   * Saves all changed files, or asks a question first. Resolves to the server's answer; to undefined if a save is under way.
   * @param reach decision on hosts and secrets that the saved text would reach newly
   */
  async save(reach?: 'trust' | 'leave'): Promise<SaveView | undefined> {
    if (this.#isSaving || this.isElsewhere) return undefined;
    this.#isSaving = true;
    try {
      return await this.#mutex.run(() => this.#save(reach));
    } finally {
      this.#isSaving = false;
    }
  }

  /** Answers the question of a conflict; resolves once the files have the chosen texts. */
  async resolve(answers: readonly ConflictAnswer[]): Promise<void> {
    this.#question = undefined;
    const changes = answers.map(({ conflict: { name, text, hash }, text: chosen }) => {
      const file = this.#files.findOrAdd(name);
      file.rebase({ text: text ?? '', hash });
      return { name, changes: file.differenceTo(chosen) };
    });
    this.#document.sync();
    await this.applyToFiles(changes, 'Resolve the conflict');
  }

  cancelQuestion(): void {
    this.#question = undefined;
  }

  /**
   * `write` gives the files what the user has typed in the form, or the grid of test rows. It never rejects, and is called
   * until the returned function is.
   */
  flushBy(owner: 'form' | 'rows', write: () => Promise<void>): () => void {
    this.#flushes[owner] = write;
    return () => {
      if (this.#flushes[owner] === write) delete this.#flushes[owner];
    };
  }

  /** Gives the files what the user has typed elsewhere; to be called before a save or a run. Never rejects. */
  async flush(): Promise<void> {
    for (const write of Object.values(this.#flushes)) await write();
  }

  /** Ends editing; the draft is stored. */
  async close(): Promise<void> {
    this.#check.cancel();
    this.#files.close();
    await this.#document.close();
    await this.#claim.release();
  }

  /** Lets other windows edit, for a page that is closed. If the browser brings the page back, the claim is renewed. */
  leavePage(): void {
    void this.#claim.suspend();
  }

  /** Shows the draft as another window has stored it. Never rejects. */
  async #followDraft(): Promise<void> {
    await this.#mutex
      .run(async () => {
        const opened = await this.#call('author.open', { workflowId: this.#workflowId });
        // The user may have typed since this window has the claim.
        if (!this.isElsewhere) return;
        const before = this.files.map(({ text }) => text);
        this.#files.followDraft(opened);
        this.#document.follow(opened.draft);
        if (this.files.some(({ text }, index) => text !== before[index])) void this.#check.now();
      })
      .catch(() => undefined);
  }

  async #save(reach: 'trust' | 'leave' | undefined): Promise<SaveView> {
    const files = [...this.#files.changed];
    const answer = await this.#call('author.save', {
      workflowId: this.#workflowId,
      files,
      ...(reach === undefined ? {} : { reach }),
    });
    this.#question = undefined;
    if (answer.kind === 'reachesFurther') this.#question = { kind: 'reach', further: answer.further };
    if (answer.kind === 'changed') this.#question = { kind: 'conflict', files: answer.files };
    if (answer.kind === 'saved') {
      for (const { name, text } of files) {
        const hash = answer.files.find((file) => file.name === name)?.hash ?? null;
        this.file(name)?.rebase({ text, hash });
      }
      // The server has dropped a draft of the same texts; newer texts are still to be stored.
      void this.#check.now();
    }
    return answer;
  }
}
