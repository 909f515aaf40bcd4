// The text of a workflow file while it is edited: its check, its draft on the server, and saving.
//
// INVARIANT: the file on the disk changes only by `save`. The draft is stored at most a second after the last change, and
// dropped only when it equals the saved text.
import type {
  CheckedText,
  ConflictView,
  EditResult,
  OpenedWorkflowView,
  SaveView,
  TextChange,
  WorkflowEdit,
} from '#contract';
import { textDifference } from '../../format/line-edits.ts';
import { problemText } from '../../format/problem-text.ts';
import { LatestOnly } from '../latest-only.ts';
import type { Session } from '../live/session.svelte.ts';
import { Refresher } from '../refresher.ts';
import { changedLines } from './changed-lines.ts';
import { issueRanges, type IssueRange } from './issue-ranges.ts';

/** Methods of the text editor that a session calls. */
type TextEditor = {
  readonly apply: (changes: readonly TextChange[], label: string) => void;
  readonly replaceAll: (text: string) => void;
};

/** Decision that a save needs from the user before anything is written. */
export type SaveQuestion =
  | { readonly kind: 'conflict'; readonly file: ConflictView }
  | { readonly kind: 'reach'; readonly further: readonly string[] };

type SavedFile = Pick<OpenedWorkflowView['files'][number], 'text' | 'hash'>;

type EditorSessionOptions = {
  readonly call: Session['call'];
  readonly workflowId: string;
  readonly opened: OpenedWorkflowView;
};

/** Pause in typing before the text is checked. */
const checkAfterMs = 100;
const maxEditAttempts = 5;
const storeEveryMs = 500;
const storeAgainAfterMs = 2_000;

export class EditorSession {
  readonly fileName: string;
  readonly #call: Session['call'];
  readonly #workflowId: string;
  readonly #checks = new LatestOnly();
  readonly #storing = new Refresher(() => this.#store(), storeEveryMs);
  #checkTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Requests about the file are sent one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #editor: TextEditor | undefined;
  #isClosed = false;
  #text = $state.raw('');
  /** The text that the changes began with; `hash` may be of an earlier one if the draft is older than the file. */
  #saved = $state.raw<SavedFile>({ text: '', hash: '' });
  #disk = $state.raw<SavedFile>({ text: '', hash: '' });
  #stored = $state.raw<{ readonly text: string; readonly at: string }>();
  #storeProblem = $state<string>();
  #checked = $state.raw<CheckedText>();
  #graph = $state.raw<CheckedText>();
  #marks = $state.raw<readonly IssueRange[]>([]);
  #changedLines = $state(0);
  #question = $state.raw<SaveQuestion>();
  #isSaving = $state(false);

  constructor({ call, workflowId, opened }: EditorSessionOptions) {
    const [file] = opened.files;
    if (file === undefined) throw new Error('The workflow has no file.');
    this.#call = call;
    this.#workflowId = workflowId;
    this.fileName = file.name;
    const draft = opened.draft?.files.find(({ name }) => name === file.name);
    this.#disk = file;
    this.#saved = { text: file.text, hash: draft?.baseHash ?? file.hash };
    this.#text = draft?.text ?? file.text;
    if (draft !== undefined && opened.draft !== undefined)
      this.#stored = { text: draft.text, at: opened.draft.at };
    void this.#check();
  }

  get text(): string {
    return this.#text;
  }

  /** The text that the changes began with. */
  get savedText(): string {
    return this.#saved.text;
  }

  /** True if the text is not the saved one. */
  get isChanged(): boolean {
    return this.#text !== this.#saved.text;
  }

  get changedLines(): number {
    return this.#changedLines;
  }

  /** When the draft was stored; undefined while the server does not have the text yet. */
  get storedAt(): string | undefined {
    return this.#stored?.text === this.#text ? this.#stored.at : undefined;
  }

  /** Why the draft could not be stored; storing is tried again. */
  get storeProblem(): string | undefined {
    return this.#storeProblem;
  }

  /** True if another program has changed the file since the changes began. */
  get isChangedOutside(): boolean {
    return this.isChanged && this.#disk.hash !== this.#saved.hash;
  }

  /** Result of the newest check; undefined until there is one. */
  get checked(): CheckedText | undefined {
    return this.#checked;
  }

  /** Graph of the last text that had one. */
  get graph(): CheckedText | undefined {
    return this.#graph;
  }

  get marks(): readonly IssueRange[] {
    return this.#marks;
  }

  get question(): SaveQuestion | undefined {
    return this.#question;
  }

  get isSaving(): boolean {
    return this.#isSaving;
  }

  attach(editor: TextEditor | undefined): void {
    this.#editor = editor;
  }

  /** The user has changed the text. */
  change(text: string): void {
    this.#text = text;
    this.#checks.cancel();
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => void this.#check(), checkAfterMs);
    this.#storing.refresh();
  }

  /** Goes back to the saved text, in one step that can be undone. */
  revert(): void {
    this.replace(this.#saved.text, 'Discard changes');
  }

  /** Changes the text in one step that can be undone. */
  replace(text: string, label: string): void {
    if (text === this.#text) return;
    // The editor reports the change.
    this.#editor?.apply([textDifference(this.#text, text)], label);
  }

  /**
   * Edits the text in one step that can be undone, as the graph and forms do. Resolves to why it was refused, if it was.
   * @param label name of the step, such as `Add a node`
   */
  async edit(edits: readonly WorkflowEdit[], label: string): Promise<EditResult['refusal']> {
    for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
      const text = this.#text;
      const { changes, refusal } = await this.#call('author.edit', {
        workflowId: this.#workflowId,
        text,
        edits,
      });
      // The user has typed meanwhile: the ranges are of an older text.
      if (text !== this.#text) continue;
      if (refusal === undefined) this.#editor?.apply(changes, label);
      return refusal;
    }
    return { reason: 'The text changed at the same moment; try again', line: 1 };
  }

  /** To be called when the server reports a change of the file, and when it answers again. Never rejects. */
  async follow(): Promise<void> {
    if (this.#storeProblem !== undefined) this.#storing.refresh();
    if (this.#checked === undefined) void this.#check();
    await this.#inOrder(async () => {
      const opened = await this.#call('author.open', { workflowId: this.#workflowId });
      const file = opened.files.find(({ name }) => name === this.fileName);
      if (file === undefined || file.hash === this.#disk.hash) return;
      this.#disk = file;
      if (file.text === this.#text || !this.isChanged) this.#takeFile(file);
    }).catch(() => undefined);
  }

  /**
   * Saves the text, or asks a question first. Resolves to the server's answer; to undefined if a save is under way.
   * @param reach decision on hosts and secrets that the saved text would reach newly
   */
  async save(reach?: 'trust' | 'leave'): Promise<SaveView | undefined> {
    if (this.#isSaving) return undefined;
    this.#isSaving = true;
    try {
      return await this.#inOrder(() => this.#save(reach));
    } finally {
      this.#isSaving = false;
    }
  }

  /** Answers the question of a conflict: the text that is to be saved in place of the file's present one. */
  resolve(conflict: ConflictView, text: string): void {
    this.#question = undefined;
    this.#saved = { text: conflict.text ?? '', hash: conflict.hash ?? '' };
    this.#disk = this.#saved;
    this.replace(text, 'Resolve the conflict');
    this.#storing.refresh();
  }

  cancelQuestion(): void {
    this.#question = undefined;
  }

  /** Ends editing; the draft is stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#checks.cancel();
    this.#storing.close();
    clearTimeout(this.#checkTimer);
    clearTimeout(this.#retryTimer);
    await this.#store();
  }

  async #save(reach: 'trust' | 'leave' | undefined): Promise<SaveView> {
    const text = this.#text;
    const answer = await this.#call('author.save', {
      workflowId: this.#workflowId,
      files: [{ name: this.fileName, baseHash: this.#saved.hash === '' ? null : this.#saved.hash, text }],
      ...(reach === undefined ? {} : { reach }),
    });
    this.#question = undefined;
    if (answer.kind === 'reachesFurther') this.#question = { kind: 'reach', further: answer.further };
    if (answer.kind === 'changed') {
      const file = answer.files.find(({ name }) => name === this.fileName);
      if (file !== undefined) this.#question = { kind: 'conflict', file };
    }
    if (answer.kind === 'saved') {
      this.#saved = { text, hash: answer.files[0]?.hash ?? '' };
      this.#disk = this.#saved;
      // The server has dropped a draft of the same text; an older draft, or newer text, is still to be stored or dropped.
      if (this.#stored?.text === text) this.#stored = undefined;
      this.#countChanges();
      this.#storing.refresh();
    }
    return answer;
  }

  #takeFile(file: SavedFile): void {
    this.#saved = file;
    if (this.#text !== file.text) {
      this.#text = file.text;
      this.#editor?.replaceAll(file.text);
    }
    void this.#check();
    this.#storing.refresh();
  }

  #countChanges(): void {
    this.#changedLines = changedLines(this.#saved.text, this.#text);
  }

  /** Never rejects: a later check, or the server's return, brings the result. */
  async #check(): Promise<void> {
    const signal = this.#checks.start();
    const text = this.#text;
    this.#countChanges();
    const checked = await this.#call('author.check', { workflowId: this.#workflowId, text }).catch(
      () => undefined,
    );
    if (signal.aborted || checked === undefined) return;
    this.#checked = checked;
    if (checked.nodes.length > 0) this.#graph = checked;
    this.#marks = issueRanges(text, checked.issues);
  }

  /** Stores the draft, or drops it if nothing is changed. Never rejects. */
  async #store(): Promise<void> {
    try {
      await this.#inOrder(() => this.#storeNow());
      this.#storeProblem = undefined;
    } catch (error) {
      this.#storeProblem = problemText(error);
      if (!this.#isClosed) this.#retryTimer = setTimeout(() => this.#storing.refresh(), storeAgainAfterMs);
    }
  }

  async #storeNow(): Promise<void> {
    const text = this.#text;
    const workflowId = this.#workflowId;
    if (!this.isChanged) {
      if (this.#stored !== undefined) await this.#call('author.drop', { workflowId });
      this.#stored = undefined;
      return;
    }
    if (this.#stored?.text === text) return;
    const baseHash = this.#saved.hash === '' ? null : this.#saved.hash;
    const { at } = await this.#call('author.keep', {
      workflowId,
      files: [{ name: this.fileName, baseHash, text }],
    });
    this.#stored = { text, at };
  }

  #inOrder<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(act);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
