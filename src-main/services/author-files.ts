// The files of a workflow that a person may write in the app: its own, and its tests and cassette beside it.
import { basename, dirname, join } from 'node:path';
import { fileNotEditable, fileNotSaved, folderNotServed } from '../domain/workflow-errors.ts';
import {
  belongsTo,
  cassetteNameFor,
  testsFileName,
  workflowFileName,
} from '../domain/workflow/file-names.ts';
import type { FileSystem } from '../files/file-system.ts';
import { textHash } from '../files/text-hash.ts';
import type { WorkflowFiles } from '../storage/workflow-files.ts';
import type { NewFile } from './new-workflow-service.ts';
import type { LoadedWorkflow } from './workflow-service.ts';

export type FileText = {
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
};

type AuthorFilesDeps = {
  readonly files: WorkflowFiles;
  readonly fileSystem: FileSystem;
  /** True if the server was started so that it changes no workflow files. */
  readonly isReadOnly: boolean;
};

export class AuthorFiles {
  readonly #deps: AuthorFilesDeps;

  constructor(deps: AuthorFilesDeps) {
    this.#deps = deps;
  }

  /** Names of the workflow's files that there are, its own first. */
  async names({ file }: LoadedWorkflow): Promise<readonly string[]> {
    const own = basename(file);
    const names = await this.#deps.fileSystem.list(dirname(file));
    return [own, ...names.filter((name) => isSidecar(name, own, names)).sort()];
  }

  /** Throws `invalid_input` for a name that is not one of the workflow's files, present or possible. */
  async pathOf({ file, id }: LoadedWorkflow, name: string): Promise<string> {
    const own = basename(file);
    const names = await this.#deps.fileSystem.list(dirname(file));
    if (name !== own && !isSidecar(name, own, [...names, name])) throw fileNotEditable(name, id);
    return join(dirname(file), name);
  }

  /** The folders in which a workflow can be created. */
  get targetFolders(): readonly { readonly folder: string; readonly isOwn: boolean }[] {
    const { isReadOnly, files } = this.#deps;
    return isReadOnly ? [] : files.folders.map((folder, index) => ({ folder, isOwn: index === 0 }));
  }

  /**
   * Writes the files of a new workflow, all or none, and resolves to the path of its own, the first. Throws
   * `invalid_input`, also for a file that is there already.
   */
  async create(folder: string, workflowId: string, files: readonly NewFile[]): Promise<string> {
    if (!this.targetFolders.some((target) => target.folder === folder)) throw folderNotServed(folder);
    const wrong = files.find(({ name }, index) => !isNewFileName(name, workflowId, index === 0));
    if (wrong !== undefined) throw fileNotEditable(wrong.name, workflowId);
    const written: string[] = [];
    try {
      // The workflow comes last: a reader of it finds its tests and rows.
      for (const { name, text } of files.toReversed())
        written.push(await this.#deps.files.create(folder, name, text));
    } catch (error) {
      for (const path of written) await this.#deps.fileSystem.remove(path).catch(() => undefined);
      throw error;
    }
    return written.at(-1) ?? folder;
  }

  /** Undefined if there is no such file. Throws `data_unreadable` for what is not UTF-8 or above 5 MB. */
  async read(path: string): Promise<FileText | undefined> {
    if ((await this.#deps.files.stamp(path)) === undefined) return undefined;
    const text = await this.#deps.files.read(path);
    return { name: basename(path), text, hash: textHash(text) };
  }

  /** Reason why the workflow's files cannot be saved; undefined if they can. */
  async refusal({ file }: Pick<LoadedWorkflow, 'file'>): Promise<string | undefined> {
    if (this.#deps.isReadOnly) return 'this server was started with --read-only';
    return (await this.#deps.files.isInside(file))
      ? undefined
      : 'it is a link to a file outside the folders that are served';
  }

  /** Throws `invalid_input` if the workflow's files cannot be saved. */
  async assertWritable(loaded: Pick<LoadedWorkflow, 'file'>): Promise<void> {
    const refusal = await this.refusal(loaded);
    if (refusal !== undefined) throw fileNotSaved(basename(loaded.file), refusal);
  }
}

/** True for a tests file of the workflow, and for its cassette. */
const isSidecar = (name: string, own: string, names: readonly string[]): boolean =>
  name === basename(name) &&
  (name === cassetteNameFor(own) || (testsFileName.test(name) && belongsTo(name, own, names)));

/** True for `ID.workflow.yaml`, and for files beside it such as `ID.tests.yaml` and `ID.rows.json`. */
const isNewFileName = (name: string, workflowId: string, isOwn: boolean): boolean =>
  isOwn
    ? name === `${workflowId}.workflow.yaml`
    : name.startsWith(`${workflowId}.`) && !workflowFileName.test(name);
