// Opens workflows for editing, and keeps what was typed and not saved yet. Who calls: the control API.
// INVARIANT: a draft changes no workflow file, and only the user drops it, or a save of the same text.
import { isoTime, type Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { KeyedMutex } from '../base/keyed-mutex.ts';
import type { Draft, DraftFile } from '../domain/author/draft.ts';
import type { UnopenedFile } from '../domain/author/unopened-file.ts';
import type { SavedText } from '../domain/author/saved-text.ts';
import { savedTextNotFound } from '../domain/workflow-errors.ts';
import { textHash } from '../files/text-hash.ts';
import type { DraftStore } from '../storage/draft-store.ts';
import type { TextHistory } from '../storage/text-history.ts';
import type { AuthorFiles, FileText } from './author-files.ts';
import type { LoadedWorkflow, WorkflowService } from './workflow-service.ts';

/** A file as it was changed in the app. */
export type EditedFile = {
  readonly name: string;
  /** SHA-256 of the text that the changes began with; null: the file is new. */
  readonly baseHash: string | null;
  readonly text: string;
};

export type OpenedWorkflow = {
  /** The workflow's own file, then its tests, its cassette, and its files of rows. */
  readonly files: readonly FileText[];
  /** Files of rows that the editor does not open. */
  readonly unopened: readonly UnopenedFile[];
  readonly draft?: {
    readonly at: string;
    readonly files: readonly EditedFile[];
  };
  /** Reason why the files cannot be saved; absent: they can. */
  readonly refusal?: string;
};

type DraftDeps = {
  readonly workflows: WorkflowService;
  readonly log: Log;
  readonly drafts: DraftStore;
  readonly history: TextHistory;
  readonly files: AuthorFiles;
  readonly clock: Clock;
};

/** Workflows whose files are remembered as they were opened. */
const maxRemembered = 10;

export class DraftService {
  readonly #deps: DraftDeps;
  readonly #mutex = new KeyedMutex<string>();

  /** Files as they were last opened, by the workflow's id: a merge needs the text that the changes begin with. */
  readonly #opened = new Map<string, readonly FileText[]>();

  /** The text of each workflow as last seen, by id. */
  #seen: ReadonlyMap<string, LoadedWorkflow> = new Map();

  constructor(deps: DraftDeps) {
    this.#deps = deps;
    deps.workflows.events.listen((all) => void this.#keepChanged(all));
  }

  /** Throws `data_unreadable` for a file that is not UTF-8 text. */
  async open(loaded: LoadedWorkflow): Promise<OpenedWorkflow> {
    const { files, drafts } = this.#deps;
    const found = await files.open(loaded);
    this.#rememberOpened(loaded.id, found.files);
    const draft = await drafts.read(loaded.id);
    const refusal = await files.refusal(loaded);
    return {
      ...found,
      ...(draft === undefined ? {} : { draft: { at: draft.at, files: draft.files.map(editedFile) } }),
      ...(refusal === undefined ? {} : { refusal }),
    };
  }

  /** Replaces the workflow's draft; durable when it resolves. Resolves to its time. Throws `disk_full`, `store_degraded`. */
  keep(loaded: LoadedWorkflow, edited: readonly EditedFile[]): Promise<string> {
    const { drafts, clock } = this.#deps;
    return this.#mutex.run(loaded.id, async () => {
      const before = await drafts.read(loaded.id);
      const files: DraftFile[] = [];
      for (const { name, baseHash, text } of edited) {
        // The workflow may no longer name a file of the draft.
        const isKnown = before?.files.some((file) => file.name === name) === true;
        if (!isKnown) await this.#deps.files.pathOf(loaded, name);
        const base =
          baseHash === null ? null : await this.#baseText(loaded, { name, baseHash, draft: before });
        files.push({ name, base, text });
      }
      const at = isoTime(clock);
      await drafts.keep({ version: 1, workflowId: loaded.id, at, files });
      return at;
    });
  }

  /** Every workflow with a draft. */
  list(): Promise<readonly { readonly workflowId: string; readonly at: string }[]> {
    return this.#deps.drafts.list();
  }

  drop(workflowId: string): Promise<void> {
    return this.#mutex.run(workflowId, () => this.#deps.drafts.drop(workflowId));
  }

  /** Removes saved files from the draft: those whose text equals the saved one. */
  dropSaved(workflowId: string, saved: readonly EditedFile[]): Promise<void> {
    const { drafts } = this.#deps;
    return this.#mutex.run(workflowId, async () => {
      const draft = await drafts.read(workflowId);
      if (draft === undefined) return;
      const left = draft.files.filter(
        ({ name, text }) => !saved.some((one) => one.name === name && one.text === text),
      );
      if (left.length === 0) await drafts.drop(workflowId);
      else await drafts.keep({ ...draft, files: left });
    });
  }

  /** The text that changes of a file began with; undefined if nothing has it any more. */
  async baseOf(loaded: LoadedWorkflow, { name, baseHash }: EditedFile): Promise<string | undefined> {
    if (baseHash === null) return undefined;
    const draft = await this.#deps.drafts.read(loaded.id);
    return (await this.#baseText(loaded, { name, baseHash, draft })) ?? undefined;
  }

  /** Texts that a file had, the newest first. @param name a file of rows; absent: the workflow's own */
  savedTexts(workflowId: string, name?: string): Promise<readonly SavedText[]> {
    return this.#deps.history.list(historyOf(workflowId, name));
  }

  /** Throws `invalid_input` if there is no such text any more. */
  async savedText(workflowId: string, id: string, name?: string): Promise<string> {
    const text = await this.#deps.history.read(historyOf(workflowId, name), id);
    if (text === undefined) throw savedTextNotFound();
    return text;
  }

  #rememberOpened(workflowId: string, files: readonly FileText[]): void {
    this.#opened.delete(workflowId);
    this.#opened.set(workflowId, files);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > maxRemembered && oldest !== undefined) this.#opened.delete(oldest);
  }

  /** Keeps texts that other programs have replaced, and the new ones. Never rejects. */
  async #keepChanged(all: readonly LoadedWorkflow[]): Promise<void> {
    const { history, log } = this.#deps;
    const before = this.#seen;
    this.#seen = new Map(all.map((loaded) => [loaded.id, loaded]));
    try {
      for (const { id, hash, source } of all) {
        const old = before.get(id);
        if (old === undefined || old.hash === hash) continue;
        await history.addFromOutside(id, { before: old.source, after: source });
      }
    } catch (error) {
      log.warn({ error }, 'a text that another program saved could not be kept');
    }
  }

  async #baseText(
    loaded: LoadedWorkflow,
    target: { readonly name: string; readonly baseHash: string; readonly draft: Draft | undefined },
  ): Promise<string | null> {
    const { files, history } = this.#deps;
    const has = (text: string | null | undefined): text is string =>
      typeof text === 'string' && textHash(text) === target.baseHash;
    const inDraft = target.draft?.files.find(({ name }) => name === target.name)?.base;
    if (has(inDraft)) return inDraft;
    const opened = this.#opened.get(loaded.id)?.find(({ name }) => name === target.name)?.text;
    if (has(opened)) return opened;
    const current = await files.read(await files.pathOf(loaded, target.name));
    if (has(current?.text)) return current.text;
    return (await history.find(loaded.id, target.baseHash)) ?? null;
  }
}

/** Key of a file's texts in the history. @param name a file of rows; absent: the workflow's own */
export const historyOf = (workflowId: string, name?: string): string =>
  name === undefined ? workflowId : `${workflowId} ${name}`;

const editedFile = ({ name, base, text }: DraftFile): EditedFile => ({
  name,
  baseHash: base === null ? null : textHash(base),
  text,
});
