// Opens workflows for editing, and keeps what was typed and not saved yet. Who calls: the control API.
// INVARIANT: a draft changes no workflow file, and only the user drops it, or a save of the same text.
import { dirname } from 'node:path';
import { isoTime, type CancelTimer, type Clock } from '../../base/clock.ts';
import { deferred, type Deferred } from '../../base/deferred.ts';
import type { Log } from '../../base/log.ts';
import { KeyedMutex } from '../../base/mutex.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { Draft, DraftFile } from '../../domain/authoring/create/draft.ts';
import type { SavedText } from '../../domain/authoring/create/saved-text.ts';
import { savedTextNotFound } from '../../domain/workflow-errors.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { namedPaths } from '../../domain/workflow/named-files.ts';
import type { EditedFile, FileText, OpenedWorkflowView } from '../../domain/authoring/create/save-view.ts';
import { textHash } from '../../files/text-file.ts';
import type { DraftStore } from '../../storage/documents/draft-store.ts';
import type { TextHistory } from '../../storage/documents/text-history.ts';
import type { AuthorFiles } from './author-files.ts';
import type { LoadedWorkflow, WorkflowService } from '../workflows/workflow-service.ts';

type DraftDeps = {
  readonly workflows: WorkflowService;
  readonly log: Log;
  readonly drafts: DraftStore;
  readonly history: TextHistory;
  readonly files: AuthorFiles;
  readonly clock: Clock;
};

/** Drafts of one workflow are stored no faster than this, in ms: they change with each key. */
const storeEveryMs = 500;

/** A draft that is stored soon. */
type PendingDraft = {
  readonly loaded: LoadedWorkflow;
  /** None: the draft is dropped. */
  readonly files: readonly EditedFile[];
  /** Resolves to the time of the draft, empty for none; to undefined if a newer one takes its place. */
  readonly stored: Deferred<string | undefined>;
  readonly cancel: CancelTimer;
};

/** Workflows whose files are remembered as they were opened. */
const maxRemembered = 10;

export class DraftService {
  readonly #deps: DraftDeps;
  readonly #mutex = new KeyedMutex<string>();

  /** Files as they were last opened, by the workflow's id: a merge needs the text that the changes begin with. */
  readonly #opened = new Map<string, readonly FileText[]>();

  readonly #pending = new Map<string, PendingDraft>();
  /** When the draft of each workflow was last stored, by the monotonic clock. */
  readonly #storedAt = new LruMap<string, number>({ maxEntries: maxRemembered });

  /** The text of each workflow as last seen, by id. */
  #seen: ReadonlyMap<string, LoadedWorkflow> = new Map();

  constructor(deps: DraftDeps) {
    this.#deps = deps;
    deps.workflows.events.listen((all) => void this.#keepChanged(all));
  }

  /** Throws `data_unreadable` for a file that is not UTF-8 text. */
  async open(loaded: LoadedWorkflow): Promise<OpenedWorkflowView> {
    const { files, drafts } = this.#deps;
    await this.storePending(loaded.id);
    const found = await files.open(loaded);
    this.#rememberOpened(loaded.id, found.files);
    const draft = await drafts.read(loaded.id);
    const refusal = await files.refusal(loaded);
    const readers = readersOf(loaded, this.#deps.workflows.known());
    return {
      ...found,
      ...(readers.size === 0 ? {} : { readers: Object.fromEntries(readers) }),
      ...(draft === undefined ? {} : { draft: { at: draft.at, files: draft.files.map(editedFile) } }),
      ...(refusal === undefined ? {} : { refusal }),
    };
  }

  /**
   * Replaces the workflow's draft, half a second from now at most; without files, drops it. Resolves once it is durable: to
   * its time, empty for none; to undefined if a newer one takes its place before. Throws `disk_full`, `store_degraded`.
   */
  storeSoon(loaded: LoadedWorkflow, files: readonly EditedFile[]): Promise<string | undefined> {
    const { clock } = this.#deps;
    const before = this.#pending.get(loaded.id);
    before?.cancel();
    before?.stored.resolve(undefined);
    const waitMs = (this.#storedAt.get(loaded.id) ?? -Infinity) + storeEveryMs - clock.monotonic();
    const cancel = clock.setTimer(Math.max(0, waitMs), () => void this.storePending(loaded.id));
    const pending: PendingDraft = { loaded, files, stored: deferred(), cancel };
    this.#pending.set(loaded.id, pending);
    return pending.stored.promise;
  }

  /** Stores the draft that is to be stored soon. Never rejects: the caller of `storeSoon` gets the error. */
  async storePending(workflowId: string): Promise<void> {
    const pending = this.#pending.get(workflowId);
    if (pending === undefined) return this.#mutex.run(workflowId, async () => {});
    const { loaded, files, stored, cancel } = pending;
    cancel();
    this.#pending.delete(workflowId);
    this.#storedAt.set(workflowId, this.#deps.clock.monotonic());
    const storing = files.length === 0 ? this.#drop(workflowId).then(() => '') : this.#keep(loaded, files);
    await storing.then(stored.resolve, stored.reject);
  }

  /** Stores the drafts that are to be stored soon. */
  async close(): Promise<void> {
    await Promise.all([...this.#pending.keys()].map((id) => this.storePending(id)));
  }

  /** Replaces the workflow's draft; durable when it resolves. Resolves to its time. Throws `disk_full`, `store_degraded`. */
  #keep(loaded: LoadedWorkflow, edited: readonly EditedFile[]): Promise<string> {
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

  #drop(workflowId: string): Promise<void> {
    return this.#mutex.run(workflowId, () => this.#deps.drafts.drop(workflowId));
  }

  /** Removes saved files from the draft: those whose text equals the saved one. */
  async dropSaved(workflowId: string, saved: readonly EditedFile[]): Promise<void> {
    const { drafts } = this.#deps;
    await this.storePending(workflowId);
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

  /** The text of a file as it was opened, or as it is on the disk now; undefined if neither has that hash. */
  async textOf(loaded: LoadedWorkflow, name: string, hash: string): Promise<string | undefined> {
    const opened = (): string | undefined =>
      this.#opened.get(loaded.id)?.find((file) => file.name === name && file.hash === hash)?.text;
    if (opened() === undefined) this.#rememberOpened(loaded.id, (await this.#deps.files.open(loaded)).files);
    return opened();
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

/** Ids of other workflows in the folder of this one, by the files that they read. */
function readersOf(
  { id, file }: LoadedWorkflow,
  all: readonly LoadedWorkflow[],
): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, readonly string[]>();
  const folder = dirname(file);
  for (const other of all) {
    if (other.id === id || other.workflow === undefined || dirname(other.file) !== folder) continue;
    for (const name of new Set([...namedPaths(other.workflow), profilesFileName]))
      readers.set(name, [...(readers.get(name) ?? []), other.id]);
  }
  return readers;
}

/** Key of a file's texts in the history. @param name a file of rows; absent: the workflow's own */
export const historyOf = (workflowId: string, name?: string): string =>
  name === undefined ? workflowId : `${workflowId} ${name}`;

const editedFile = ({ name, base, text }: DraftFile): EditedFile => ({
  name,
  baseHash: base === null ? null : textHash(base),
  text,
});
