// The texts of this window on the server: each change is sent there once, and questions are about a version of them.
// The server stores the draft with the changes. Who calls: EditorSession.
//
// INVARIANT: an answer is about the texts as they were when the question was asked, or there is none.
import {
  errorText,
  type EditedFileView,
  type EditorQuestion,
  type FileChange,
  type Input,
  type QuestionAnswer,
  type QuestionInput,
  type QuestionName,
} from '#contract';
import { ControlError } from '../../../api/control-error.ts';
import type { Session } from '../../live/session.svelte.ts';
import type { EditorFile } from './editor-file.svelte.ts';
import { fileChanges, hasOtherTexts, knownFiles, wholeFiles } from './file-changes.ts';
import { QuestionBatches } from './question-batches.ts';

type StoredFiles = { readonly files: readonly EditedFileView[]; readonly at: string };

type EditorDocumentDeps = {
  readonly call: Session['call'];
  readonly workflowId: string;
  /** Id of this window. */
  readonly editor: string;
  /** The workflow's own file first. */
  readonly files: () => readonly EditorFile[];
  /** False while another window stores the draft. */
  readonly canStore: () => boolean;
};

type WithoutTexts = { readonly superseded: true } | { readonly textsMissing: true };

/** Pause in typing before the server gets the text, in ms. */
export const typingPauseMs = 20;
const storeAgainAfterMs = 2_000;
const maxAttempts = 3;

export class EditorDocument {
  readonly #deps: EditorDocumentDeps;
  readonly #batches: QuestionBatches;
  /** Higher than those of the same window before it was loaded again: the server may still have its texts. */
  #version = Date.now();
  /** The version with which the texts last changed; later ones have the same texts. */
  #textVersion = 0;
  #known = knownFiles([]);
  /** True if the server does not have the texts that changes are of. */
  #needsWhole = true;
  /** The last texts that the server has refused as too large: only shorter ones are sent. */
  #tooLarge: { readonly characters: number; readonly problem: string } | undefined;
  #isWholeUnderWay = false;
  #changesUnderWay = 0;
  /** The draft that the server has, or is to store. */
  #requested: readonly EditedFileView[];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #stored = $state.raw<StoredFiles>();
  #problem = $state<string>();

  /** @param stored the draft that the server has */
  constructor(deps: EditorDocumentDeps, stored: StoredFiles | undefined) {
    this.#deps = deps;
    this.#stored = stored;
    this.#requested = stored?.files ?? [];
    const { call, workflowId, editor } = deps;
    this.#batches = new QuestionBatches((version, questions) =>
      call('author.ask', { workflowId, editor, version, questions }),
    );
  }

  /** When the draft was stored; undefined while the server does not have the files as they are. */
  get storedAt(): string | undefined {
    return isSame(this.#stored?.files ?? [], this.#draft) ? this.#stored?.at : undefined;
  }

  /** Why the draft could not be stored; storing is tried again. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get #draft(): readonly EditedFileView[] {
    return this.#deps
      .files()
      .filter(({ isChanged }) => isChanged)
      .map(({ edited }) => edited);
  }

  /** Records that the server has this draft, which another window stored. */
  follow(stored: StoredFiles | undefined): void {
    this.#stored = stored;
    this.#requested = stored?.files ?? [];
  }

  /** Sends the texts as they are to the server, which stores them as the draft within half a second. */
  sync(): void {
    if (!this.#isClosed) void this.#sync('soon');
  }

  /**
   * Resolves to the answer about the texts as they are; to undefined if the server gets newer ones first. Rejects if it does
   * not answer, or refuses to.
   */
  async ask<N extends QuestionName>(
    name: N,
    input: QuestionInput<N>,
  ): Promise<QuestionAnswer<N> | undefined> {
    const result = await this.#request((version) =>
      this.#batches.ask(version, { name, input } as EditorQuestion),
    );
    return result?.answer as QuestionAnswer<N> | undefined;
  }

  /** Records a test of the texts as they are. Resolves and rejects as `ask` does. */
  record(test: Input<'author.record'>['test']) {
    const { call, workflowId, editor } = this.#deps;
    return this.#request((version) => call('author.record', { workflowId, editor, version, test }));
  }

  async #request<Result extends object>(
    send: (version: number) => Promise<Result | WithoutTexts>,
  ): Promise<Exclude<Result, WithoutTexts> | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      this.sync();
      if (this.#sizeProblem !== undefined) throw new Error(this.#sizeProblem);
      const version = this.#version;
      const result = await send(version);
      if ('textsMissing' in result) this.#loseTexts();
      else if (!('superseded' in result)) return result as Exclude<Result, WithoutTexts>;
      else if (this.#textVersion > version) return undefined;
    }
    throw new Error('The server does not have this text yet. Try again.');
  }

  /** Stores the draft for the last time. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    await this.#sync('now');
    // The server had lost the texts.
    if (this.#needsWhole) await this.#sync('now');
  }

  /** Never rejects. @param stores `now`: also a draft that is to be stored soon */
  async #sync(stores: 'soon' | 'now'): Promise<void> {
    const sizeProblem = this.#sizeProblem;
    if (sizeProblem !== undefined) {
      this.#problem = sizeProblem;
      return;
    }
    const draft = this.#draft;
    const isNew = this.#deps.canStore() && !isSame(this.#requested, draft);
    const mustStore = isNew || (stores === 'now' && this.#changesUnderWay > 0);
    const isWhole = this.#needsWhole;
    const files = isWhole ? wholeFiles(this.#deps.files()) : fileChanges(this.#deps.files(), this.#known);
    if (files.length === 0 && !mustStore) return;
    if (isNew) this.#requested = draft;
    this.#changesUnderWay += 1;
    const request = { ...this.#newVersion(isWhole), files };
    const characters = this.#characters;
    const problem = await this.#send(mustStore ? { ...request, stores } : request, draft).catch(
      (error: unknown) => {
        const message = errorText(error);
        if (isTooLarge(error)) this.#tooLarge = { characters, problem: message };
        return message;
      },
    );
    this.#changesUnderWay -= 1;
    if (isWhole) this.#isWholeUnderWay = false;
    if (problem === undefined) this.#problem = this.#sizeProblem;
    else this.#fail(problem);
  }

  /** Why the texts are not sent as they are. */
  get #sizeProblem(): string | undefined {
    return this.#tooLarge !== undefined && this.#characters >= this.#tooLarge.characters
      ? this.#tooLarge.problem
      : undefined;
  }

  get #characters(): number {
    return this.#deps.files().reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Resolves to why the server does not have the change; empty if it has lost the texts before it. */
  async #send(
    request: Omit<Input<'author.change'>, 'workflowId' | 'editor' | 'files'> & {
      readonly files: readonly FileChange[];
    },
    draft: readonly EditedFileView[],
  ): Promise<string | undefined> {
    const { call, workflowId, editor } = this.#deps;
    const { storedAt, textsMissing } = await call('author.change', { workflowId, editor, ...request });
    if (storedAt !== undefined) this.#stored = { files: draft, at: storedAt };
    return textsMissing === true ? '' : undefined;
  }

  #newVersion(isWhole: boolean): { readonly version: number; readonly base: number | null } {
    const base = isWhole ? null : this.#version;
    this.#version += 1;
    const known = knownFiles(this.#deps.files());
    if (hasOtherTexts(known, this.#known)) this.#textVersion = this.#version;
    this.#known = known;
    this.#needsWhole = false;
    this.#isWholeUnderWay ||= isWhole;
    return { version: this.#version, base };
  }

  /** The texts are sent again. @param problem empty: at once */
  #fail(problem: string): void {
    this.#loseTexts();
    if (problem === '') return this.sync();
    this.#problem = problem;
    clearTimeout(this.#retryTimer);
    if (!this.#isClosed) this.#retryTimer = setTimeout(() => this.sync(), storeAgainAfterMs);
  }

  /** The server has lost the texts, unless it is about to get them, and perhaps a draft that it was to store. */
  #loseTexts(): void {
    this.#requested = this.#stored?.files ?? [];
    if (!this.#isWholeUnderWay) this.#needsWhole = true;
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'body_too_large';

const isSame = (some: readonly EditedFileView[], others: readonly EditedFileView[]): boolean =>
  some.length === others.length &&
  some.every(({ name, baseHash, text }, index) => {
    const other = others[index];
    return name === other?.name && baseHash === other.baseHash && text === other.text;
  });
