// Keeps the rows of an editor in the data folder while the user prepares them, so that they survive a reload of the page
// and a restart of the server. The server keeps one draft per workflow for seven days; of two tabs the last writer wins.
// A save waits until the user pauses: a second, and longer for many rows, so that large input is not sent again with
// every key. The body is built in slices and streamed. Who calls: EntryScreen.
import { errorText, Mutex, type RowSetView, type StartedRun, type JsonObject } from '#contract';
import type { Session } from '../live/session.svelte.ts';
import type { InputField } from './grid/sheet-columns.ts';
import { loadFailures, startRun } from './entry-actions.ts';
import { maxSheetRows, readRowStream, rowsBody } from './rows-text.ts';
import { RowEditor, type DraftHeader } from './row-editor.svelte.ts';
import { jsonRow } from './grid/sheet-rows.ts';

type Server = Pick<Session, 'call' | 'upload' | 'download'> & Partial<Pick<Session, 'refusal'>>;

type RowDraftDeps = {
  readonly workflowId: string;
  readonly editor: RowEditor;
  /** Shows an error to the user. */
  readonly onProblem: (error: unknown) => void;
};

const pauseMs = 1_000;
/** Additional pause per row: 100,000 rows are sent ten seconds after the last change. */
const pausePerRowMs = 0.1;
/** A user who never pauses has the rows saved after this time. */
const maxPauseMs = 60_000;
/** Pause before another attempt while the server cannot be reached. */
const retryMs = 5_000;

export class RowDraft {
  readonly workflowId: string;
  readonly editor: RowEditor;
  /** Resolves once the stored rows are in the editor. Never rejects. */
  readonly ready: Promise<void>;
  /** The session of the screen that shows the rows; a new session replaces it. */
  server: Server;
  readonly #onProblem: RowDraftDeps['onProblem'];
  /** Id of the stored draft. */
  #id: string | undefined;
  #savedRevision: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first change was made that is not saved yet. */
  #changedAt: number | undefined;
  /** True if the user knows that saving fails. */
  #isFailing = false;
  readonly #mutex = new Mutex();
  #restored = $state.raw<{ readonly savedAt: string; readonly revision: string } | undefined>();

  constructor(server: Server, { workflowId, editor, onProblem }: RowDraftDeps) {
    this.server = server;
    this.editor = editor;
    this.workflowId = workflowId;
    this.#onProblem = onProblem;
    this.#savedRevision = editor.revision;
    editor.onChange(() => this.#saveLater());
    this.ready = this.#restore();
  }

  /** When the rows were saved that were restored; undefined once they have changed. */
  get restoredAt(): string | undefined {
    return this.#restored?.revision === this.editor.revision ? this.#restored.savedAt : undefined;
  }

  async #restore(): Promise<void> {
    try {
      const stored = await this.server.call('rows.draft', { workflowId: this.workflowId });
      if (stored === null) return;
      const stream = await this.server.download(`/row-sets/${stored.id}/rows`);
      const { rows } = await readRowStream(stream, maxSheetRows + 1);
      restoreRows(this.editor, rows);
      this.#id = stored.id;
      this.#markSaved();
      this.#restored = { savedAt: stored.savedAt, revision: this.editor.revision };
      // The run may have been removed since; the rows do not need it.
      void loadFailures(this.server, this.editor).catch(() => undefined);
    } catch (error) {
      // Another tab has saved or run its rows in between: those are newer.
      if (codeOf(error) !== 'row_set_not_found') this.#onProblem(error);
    }
  }

  /** Saves what is not saved yet, without a pause. */
  flush(): void {
    if (this.#timer !== undefined) this.#saveNow();
  }

  /**
   * Removes the stored rows, because they were run or discarded.
   * @param revision of the rows that were run; later changes are saved as a new draft
   */
  drop(revision = this.editor.revision): void {
    this.#savedRevision = revision;
    if (this.editor.revision === revision) this.#stopTimer();
    this.#restored = undefined;
    this.#enqueue(() => this.#dropStored());
  }

  /** Empties the editor, as one step of its history. Returns a function that brings the rows back. */
  discard(): () => void {
    const { editor } = this;
    editor.discardText();
    editor.endSample();
    editor.sheet.replace([], { label: 'discarded rows' });
    const { revision } = editor;
    this.drop();
    return () => {
      if (editor.revision === revision) editor.sheet.undo();
    };
  }

  #saveLater(): void {
    if (this.editor.revision === this.#savedRevision) return;
    this.#changedAt ??= performance.now();
    const pause = pauseMs + this.editor.sheet.rowCount * pausePerRowMs;
    const left = this.#changedAt + maxPauseMs - performance.now();
    this.#startTimer(Math.max(0, Math.min(pause, left)));
  }

  #startTimer(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#saveNow(), ms);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changedAt = undefined;
  }

  #saveNow(): void {
    this.#stopTimer();
    this.#enqueue(() => this.#save());
  }

  /** One request at a time, in the order of the changes. */
  #enqueue(action: () => Promise<void>): void {
    this.#mutex.run(action).then(
      () => (this.#isFailing = false),
      (error: unknown) => this.#fail(error),
    );
  }

  async #save(): Promise<void> {
    const { editor } = this;
    const { revision, text } = editor;
    const { edition } = editor.sheet;
    if (revision === this.#savedRevision || this.server.refusal?.('operator') !== undefined) return;
    if (editor.isEmpty) await this.#dropStored();
    else {
      const path = `/workflows/${encodeURIComponent(this.workflowId)}/row-sets?draft=yes`;
      const saved = (await this.server.upload(path, await rowsBody(draftRows(editor)))) as RowSetView;
      this.#id = saved.id;
    }
    this.#savedRevision = revision;
    editor.markSaved(edition, text);
  }

  async #dropStored(): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    await this.server.call('rows.dropDraft', { id });
    this.#id = undefined;
  }

  #markSaved(): void {
    this.#stopTimer();
    this.#savedRevision = this.editor.revision;
    this.editor.markSaved(this.editor.sheet.edition, this.editor.text);
  }

  /** Tells the user once. The rows stay in the page; the next change tries again. */
  #fail(error: unknown): void {
    if (codeOf(error) === 'unreachable') return this.#startTimer(retryMs);
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = errorText(error);
    this.#onProblem(`These rows would not survive a reload: ${reason}`);
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

type DraftApp = {
  readonly session: Session;
  readonly toasts: { readonly problem: (error: unknown) => void };
  readonly rowDrafts: Map<string, RowDraft>;
};

/** The draft of the workflow in this page, with the stored rows if the page has just been opened. Never rejects. */
export async function openDraft(
  { session, toasts, rowDrafts }: DraftApp,
  workflowId: string,
  fields: readonly InputField[],
): Promise<RowDraft> {
  const onProblem = (error: unknown): void => toasts.problem(error);
  const known = rowDrafts.get(workflowId);
  const draft = known ?? new RowDraft(session, { workflowId, editor: new RowEditor(fields), onProblem });
  draft.server = session;
  rowDrafts.set(workflowId, draft);
  await draft.ready;
  draft.editor.sheet.setFields(fields);
  return draft;
}

/** Starts a run of the rows, and removes their draft and their sample. Throws `ControlError`. */
export async function startDraft(session: Session, draft: RowDraft): Promise<StartedRun> {
  const { editor } = draft;
  const { revision } = editor;
  const { sample } = editor.options;
  const started = await startRun(session, draft.workflowId, editor);
  const isUnchanged = editor.revision === revision;
  if (editor.options.sample === sample) editor.endSample();
  editor.takesAll = false;
  draft.drop(isUnchanged ? editor.revision : revision);
  return started;
}

// Rows of an editor as a draft stores them: a first row that describes the others, then the rows themselves. The first
// row has what plain rows do not say: columns with their order and types, the original run, text that is not valid yet,
// and the options of the run. The server does not read it.

/** The rows of this moment, even if the editor changes while they are read. */
function draftRows(editor: RowEditor): Iterable<JsonObject> {
  const { rows, columns } = editor.sheet;
  const { origin, text } = editor;
  const header: DraftHeader = {
    version: 1,
    columns: columns.map(({ name, type }) => ({ name, type })),
    options: editor.options,
    ...(origin === undefined ? {} : { origin, numbers: rows.map(({ origin: number }) => number ?? null) }),
    ...(text === undefined ? {} : { text: { text, isNewer: !editor.hasTextConflict } }),
  };
  return (function* () {
    yield header as unknown as JsonObject;
    for (const row of rows) yield jsonRow(row, columns);
  })();
}

/** Puts the rows of a draft into the editor, as one step of its history. Throws for a draft of another version. */
function restoreRows(editor: RowEditor, [first, ...rows]: readonly JsonObject[]): void {
  const header = first as unknown as DraftHeader | undefined;
  if (header?.version !== 1)
    throw new Error('The rows that you prepared were saved by another version of Rowbench.');
  editor.restore(header, rows);
}
