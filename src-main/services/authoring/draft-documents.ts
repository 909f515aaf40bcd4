// The texts of windows that edit workflows, as the windows send them with each change. In memory only: a window whose
// texts the server does not have sends them whole. Who calls: the control API.
// INVARIANT: a document has exactly the texts of its window's version, or the window is asked for its texts.
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { LruMap } from '../../base/lru-map.ts';
import { maxEditedCharacters, type FileChange } from '../../domain/authoring/create/file-change.ts';
import type { EditedFile } from '../../domain/authoring/create/save-view.ts';
import { applyChanges, type TextChange } from '../../domain/authoring/edit/text-changes.ts';
import { changeInvalid, textsTooLong } from '../../domain/workflow-errors.ts';

/** A file without changes, whose text is as on the disk unless it is there, or one with changes. */
export type DocumentFile = Exclude<FileChange, { changes: object }>;

export type DraftDocument = {
  readonly version: number;
  readonly files: ReadonlyMap<string, DocumentFile>;
};

/** A window of the app that shows a workflow. `editor`: id of the window, and on a team of its user. */
export type EditorWindow = { readonly workflowId: string; readonly editor: string };

type DocumentChange = {
  readonly version: number;
  /** The version that changes; null: the window has these files and no others. */
  readonly base: number | null;
  readonly files: readonly FileChange[];
};

export type Superseded = { readonly superseded: true };
/** The server does not have the version: the window sends its texts whole. */
export type TextsMissing = { readonly textsMissing: true };

/** Documents without texts count, too: each stands for a window. */
const maxDocuments = 1_000;
/** Characters of all documents, and of one. */
const maxCharacters = 20_000_000;
const maxDocumentCharacters = 10_000_000;
/** Files of one document, as many as a window can send at once. */
const maxDocumentFiles = 200;
/** Time that a request waits for a version that is on its way, and that an unused document stays. */
const arrivalMs = 1_000;
const unusedMs = 600_000;

const noDocument: Pick<DraftDocument, 'files'> = { files: new Map() };

export class DraftDocuments {
  readonly #clock: Clock;
  readonly #documents = new LruMap<string, DraftDocument>({
    maxEntries: maxDocuments,
    maxSize: maxCharacters,
    sizeOf: ({ files }) => charactersOf(files),
  });
  readonly #unused = new Map<string, CancelTimer>();
  /** Requests that wait for a version. */
  readonly #waiting = new Set<{ readonly key: string; readonly recheck: () => void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves to the new texts once they are here. Throws `invalid_input`, `body_too_large`; then the document is as before. */
  async change(
    window: EditorWindow,
    { version, base, files }: DocumentChange,
  ): Promise<DraftDocument | Superseded | TextsMissing> {
    const key = keyOf(window);
    const before = base === null ? noDocument : await this.find(window, base);
    if (!('files' in before)) return before;
    const known = this.#documents.get(key);
    if (base !== null && known !== before) return { superseded: true };
    const document = { version, files: changedFiles(before.files, files) };
    if (document.files.size > maxDocumentFiles)
      throw changeInvalid(`it has more than ${maxDocumentFiles} files`);
    if (charactersOf(document.files) > maxDocumentCharacters)
      throw textsTooLong('The files of this workflow', maxDocumentCharacters);
    this.#documents.set(key, document);
    this.#use(key);
    for (const waiting of this.#waiting) if (waiting.key === key) waiting.recheck();
    return document;
  }

  /** The version of the window's texts; a version that has not arrived is waited for. */
  async find(window: EditorWindow, version: number): Promise<DraftDocument | Superseded | TextsMissing> {
    const key = keyOf(window);
    const has = (): boolean => (this.#documents.get(key)?.version ?? 0) >= version;
    if (!has()) await this.#arrival(key, has);
    this.#use(key);
    const document = this.#documents.get(key);
    if (document?.version === version) return document;
    return has() ? { superseded: true } : { textsMissing: true };
  }

  /** True while the version is the newest of the window. */
  isNewest(window: EditorWindow, version: number): boolean {
    return this.#documents.get(keyOf(window))?.version === version;
  }

  /** The window has stopped editing. */
  drop(window: EditorWindow): void {
    this.#forget(keyOf(window));
  }

  /** Resolves once the version is there, or at the latest after a second. */
  #arrival(key: string, has: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#waiting.delete(waiting);
        resolve();
      };
      const cancel = this.#clock.setTimer(arrivalMs, end);
      const waiting = { key, recheck: () => (has() ? end() : undefined) };
      this.#waiting.add(waiting);
    });
  }

  /** The document stays for a while; those without a place any more are forgotten. */
  #use(key: string): void {
    for (const each of [key, ...this.#unused.keys()]) if (!this.#documents.has(each)) this.#forget(each);
    if (!this.#documents.has(key)) return;
    this.#unused.get(key)?.();
    this.#unused.set(
      key,
      this.#clock.setTimer(unusedMs, () => this.#forget(key)),
    );
  }

  #forget(key: string): void {
    this.#documents.delete(key);
    this.#unused.get(key)?.();
    this.#unused.delete(key);
  }
}

const keyOf = ({ workflowId, editor }: EditorWindow): string => `${workflowId} ${editor}`;

const charactersOf = (files: DraftDocument['files']): number =>
  [...files.values()].reduce((sum, { name, text = '' }) => sum + name.length + text.length, 0);

/** The changed files of the window: those of its draft. */
export const editedFiles = ({ files }: DraftDocument): readonly EditedFile[] =>
  [...files.values()].filter((file) => 'baseHash' in file);

function changedFiles(
  before: DraftDocument['files'],
  changes: readonly FileChange[],
): ReadonlyMap<string, DocumentFile> {
  const files = new Map(before);
  for (const change of changes) {
    const file = changedFile(before.get(change.name), change);
    if ((file.text?.length ?? 0) > maxEditedCharacters) throw textsTooLong(file.name, maxEditedCharacters);
    files.set(file.name, file);
  }
  return files;
}

function changedFile(before: DocumentFile | undefined, change: FileChange): DocumentFile {
  if (!('changes' in change)) return change;
  const { changes, ...file } = change;
  if (before?.text === undefined) throw changeInvalid(`the text of ${file.name} is not known`);
  assertInOrder(changes, before.text.length);
  return { ...file, text: applyChanges(before.text, changes) };
}

/** Throws `invalid_input` for ranges that are not in the text, or not in order. */
function assertInOrder(changes: readonly TextChange[], length: number): void {
  let at = 0;
  for (const { from, to } of changes) {
    if (from < at || to < from || to > length)
      throw changeInvalid(`there is no range ${from} to ${to} in a text of ${length} characters`);
    at = to;
  }
}
