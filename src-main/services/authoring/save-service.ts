// Saves workflow files that were changed in the app. Who calls: the control API.
// INVARIANT: a file is replaced only if it has the text that the changes began with. All files of a save are written, or
// none.
import { basename, dirname } from 'node:path';
import { KeyedMutex } from '../../base/mutex.ts';
import type { SavedText } from '../../domain/authoring/create/saved-text.ts';
import { isRowsFileName } from '../../domain/workflow/file-names.ts';
import { idNotInText, idTaken, importIdFixed } from '../../domain/workflow-errors.ts';
import type { ConflictView, EditedFile, SaveView } from '../../domain/authoring/create/save-view.ts';
import { textHash } from '../../files/text-file.ts';
import type { FileSystem } from '../../files/file-system.ts';
import type { DurableFiles } from '../../storage/durable/durable-files.ts';
import { clearUnsaved, saveTextFile } from '../../storage/documents/save-text-file.ts';
import type { TextHistory } from '../../storage/documents/text-history.ts';
import type { AuthorFiles } from './author-files.ts';
import { historyOf, type DraftService } from './draft-service.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import { inEachProfile } from '../workflows/profile-service.ts';
import type { NewFile } from './new-workflow-service.ts';
import type { TrustService } from '../workflows/trust-service.ts';
import { loadWorkflow, type LoadedWorkflow, type WorkflowService } from '../workflows/workflow-service.ts';

export type SaveRequest = {
  readonly files: readonly EditedFile[];
  /** Decision on a further reach: `trust` it, or save and `leave` the workflow untrusted. */
  readonly reach?: 'trust' | 'leave' | undefined;
};

type NewWorkflowRequest = {
  readonly workflowId: string;
  readonly folder: string;
  /** The workflow's own first. */
  readonly files: readonly NewFile[];
};

type SaveDeps = {
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly parser: FileParser;
  readonly files: AuthorFiles;
  readonly drafts: DraftService;
  readonly history: TextHistory;
  /** Disk of the workflows' files, which may be another one than the data folder's. */
  readonly disk: { readonly fileSystem: FileSystem; readonly files: DurableFiles };
};

type WriteResult =
  { readonly kind: 'changed' } | { readonly kind: 'saved'; readonly replaced: readonly ReplacedText[] };
/** Text that another program saved at the same moment. */
type ReplacedText = { readonly name: string; readonly text: string };
type Target = EditedFile & {
  readonly path: string;
  /** The file that is written: `path` without links. */
  readonly writtenPath: string;
};

export class SaveService {
  readonly #deps: SaveDeps;
  readonly #mutex = new KeyedMutex<string>();

  constructor(deps: SaveDeps) {
    this.#deps = deps;
  }

  /** Removes temporary files that a crash has left beside the served files, if the folder is writable. Never rejects. */
  async clearLeftovers(): Promise<void> {
    const folders = new Set(this.#deps.workflows.known().map(({ file }) => dirname(file)));
    for (const folder of folders)
      await clearUnsaved(this.#deps.disk.fileSystem, folder).catch(() => undefined);
  }

  /** The folders in which a workflow can be created. */
  folders(): readonly { readonly folder: string; readonly isOwn: boolean }[] {
    return this.#deps.files.targetFolders;
  }

  /**
   * Writes a workflow into new files and resolves to the path of its own. Throws `invalid_input` for an id that is taken or
   * not the text's, a folder that is not served, and a file that is there already; then no file is written.
   */
  create({ workflowId, folder, files: newFiles }: NewWorkflowRequest): Promise<string> {
    return this.#mutex.run(workflowId, async () => {
      const { files, workflows, history, parser } = this.#deps;
      const text = newFiles[0]?.text ?? '';
      const { id } = await parser.workflow(text);
      if (id !== workflowId) throw idNotInText(workflowId);
      const other = await workflows.find(workflowId);
      if (other !== undefined) throw idTaken(workflowId, other.file);
      const file = await files.create(folder, workflowId, newFiles);
      await history.add(workflowId, text, 'app');
      await workflows.refresh();
      return file;
    });
  }

  /** Throws `invalid_input` for what cannot be saved, `disk_full`. Then the files have the old text. */
  save(loaded: LoadedWorkflow, request: SaveRequest): Promise<SaveView> {
    return this.#mutex.run(loaded.id, () => this.#save(loaded, request));
  }

  async #save(loaded: LoadedWorkflow, { files: edited, reach }: SaveRequest): Promise<SaveView> {
    const { files, history, drafts, workflows } = this.#deps;
    await files.assertWritable(loaded);
    const targets = await Promise.all(
      edited.map(async (file) => {
        const path = await files.pathOf(loaded, file.name);
        return { ...file, path, writtenPath: await files.writtenPath(path) };
      }),
    );
    const conflicts = await this.#conflicts(loaded, targets);
    if (conflicts.length > 0) return { kind: 'changed', files: conflicts };
    const changed = await this.#changedWorkflow(loaded, targets);
    const further = this.#furtherReach(loaded, changed);
    if (further.length > 0 && reach === undefined) return { kind: 'reachesFurther', further };
    if (changed !== loaded) await history.add(loaded.id, loaded.source, 'outside');
    const rowsFiles = targets.filter(({ name }) => isRowsFileName(name));
    await this.#keepTexts(loaded, await this.#textsNow(rowsFiles), 'outside');
    const written = await this.#write(loaded, targets);
    if (written.kind === 'changed') return { kind: 'changed', files: await this.#conflicts(loaded, targets) };
    await this.#keepTexts(loaded, written.replaced, 'outside');
    await this.#keepTexts(loaded, rowsFiles, 'app');
    if (changed !== loaded) await history.add(loaded.id, changed.source, 'app');
    await drafts.dropSaved(loaded.id, edited);
    await workflows.refresh();
    const now = await workflows.find(changed.id);
    if (reach === 'trust' && now !== undefined && now.hash === changed.hash) await this.#trust(now);
    return {
      kind: 'saved',
      workflowId: changed.id,
      files: edited.map(({ name, text }) => ({ name, hash: textHash(text) })),
      hasReplaced: written.replaced.length > 0,
    };
  }

  /** Adds texts of the workflow's own file, or of files of rows, to their histories. */
  async #keepTexts(
    { id, file }: LoadedWorkflow,
    texts: readonly ReplacedText[],
    by: SavedText['by'],
  ): Promise<void> {
    for (const { name, text } of texts)
      await this.#deps.history.add(name === basename(file) ? historyOf(id) : historyOf(id, name), text, by);
  }

  async #textsNow(targets: readonly Target[]): Promise<readonly ReplacedText[]> {
    const found = await Promise.all(targets.map(({ path }) => this.#deps.files.read(path)));
    return found.filter((file) => file !== undefined);
  }

  async #trust(loaded: LoadedWorkflow): Promise<void> {
    const { trust, parser } = this.#deps;
    const withProfiles = await inEachProfile(loaded, parser);
    await trust.trust(
      loaded,
      withProfiles.map((each) => each.loaded),
    );
  }

  /** The workflow as its own file will be; the same one if the save does not change that file. */
  async #changedWorkflow(loaded: LoadedWorkflow, targets: readonly Target[]): Promise<LoadedWorkflow> {
    const own = targets.find(({ path }) => path === loaded.file);
    if (own === undefined) return loaded;
    const changed = await loadWorkflow(
      { path: loaded.file, location: loaded.location },
      own.text,
      this.#deps.parser,
    );
    if (changed.id === loaded.id) return changed;
    if (typeof loaded.location === 'object') throw importIdFixed(loaded.location.importedAs);
    const other = await this.#deps.workflows.find(changed.id);
    if (other !== undefined && other.file !== loaded.file) throw idTaken(changed.id, other.file);
    return changed;
  }

  /** Reach of a trusted import beyond what was trusted. */
  #furtherReach(loaded: LoadedWorkflow, changed: LoadedWorkflow): readonly string[] {
    const { trust } = this.#deps;
    if (trust.standingOf(loaded).kind !== 'trusted') return [];
    const standing = trust.standingOf(changed);
    return standing.kind === 'untrusted' ? standing.further : [];
  }

  async #conflicts(loaded: LoadedWorkflow, targets: readonly Target[]): Promise<readonly ConflictView[]> {
    const { files, drafts, parser } = this.#deps;
    const conflicts: ConflictView[] = [];
    for (const target of targets) {
      const now = await files.read(target.path);
      if ((now?.hash ?? null) === target.baseHash) continue;
      const base = await drafts.baseOf(loaded, target);
      const hunks = now === undefined ? undefined : await parser.mergeHunks(base, target.text, now.text);
      conflicts.push({
        name: target.name,
        text: now?.text ?? null,
        hash: now?.hash ?? null,
        ...(hunks === undefined ? {} : { hunks }),
      });
    }
    return conflicts;
  }

  /** Writes all files; after a failure, it restores the old texts of those that it has written. */
  async #write(loaded: LoadedWorkflow, targets: readonly Target[]): Promise<WriteResult> {
    const undo: (() => Promise<unknown>)[] = [];
    const replaced: ReplacedText[] = [];
    const revert = async (): Promise<void> => {
      for (const act of undo) await act();
    };
    try {
      // The workflow comes last: a reader of the new workflow finds the tests that belong to it.
      for (const target of targets.toSorted((one) => (one.path === loaded.file ? 1 : -1))) {
        const { result, takeBack } = await this.#writeFile(target);
        if (result.kind === 'changed') {
          await revert();
          return { kind: 'changed' };
        }
        if (result.replaced !== undefined) replaced.push({ name: target.name, text: result.replaced });
        undo.push(takeBack);
      }
    } catch (error) {
      await revert();
      throw error;
    }
    return { kind: 'saved', replaced };
  }

  async #writeFile({ writtenPath: path, text, baseHash }: Target) {
    const { files, disk } = this.#deps;
    const before = await files.read(path);
    const result = await saveTextFile(disk, { path, text, expected: baseHash ?? undefined });
    const takeBack = (): Promise<unknown> =>
      before === undefined
        ? disk.fileSystem.remove(path)
        : saveTextFile(disk, { path, text: before.text, expected: textHash(text) });
    return { result, takeBack };
  }
}
