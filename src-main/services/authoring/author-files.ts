// The files of a workflow that a person may write in the app: its own, its tests, cassette and profiles beside it, new files
// of rows, and the files of rows beside it that it or its tests name, or that begin with its name.
import { basename, dirname, join } from 'node:path';
import { LruMap } from '../../base/lru-map.ts';
import {
  maxRowsCharacters,
  maxRowsFiles,
  type UnopenedFile,
} from '../../domain/authoring/create/unopened-file.ts';
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { fileNotEditable, fileNotSaved, folderNotServed } from '../../domain/workflow-errors.ts';
import {
  belongsTo,
  isRowsFileName,
  cassetteNameFor,
  isOwnRowsFileName,
  testsFileName,
  workflowFileName,
} from '../../domain/workflow/file-names.ts';
import { filesOfTests, namedPaths } from '../../domain/workflow/named-files.ts';
import type { Workflow } from '../../domain/workflow/workflow.ts';
import type { FileText } from '../../domain/authoring/create/save-view.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { textHash } from '../../files/text-file.ts';
import type { WorkflowFiles } from '../../storage/documents/workflow-files.ts';
import type { FileParser } from '../workflows/file-parser.ts';
import type { NewFile } from './new-workflow-service.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';

type AuthorFilesDeps = {
  readonly files: WorkflowFiles;
  readonly fileSystem: FileSystem;
  readonly parser: FileParser;
  /** Why the server changes no workflow file; undefined: it does. */
  readonly readOnly: string | undefined;
};

/** Workflows whose files of rows are remembered. */
const maxRemembered = 50;
/** Maximum bytes of a UTF-16 unit in UTF-8. */
const maxBytesPerCharacter = 3;

/** Files of a workflow, its own first, and files of rows that are not opened. */
type OpenedFiles = { readonly files: readonly FileText[]; readonly unopened: readonly UnopenedFile[] };

export class AuthorFiles {
  readonly #deps: AuthorFilesDeps;
  /** Names of files of rows by workflow id, for a workflow with errors: it names none. */
  readonly #rowsNames = new LruMap<string, readonly string[]>({ maxEntries: maxRemembered });

  constructor(deps: AuthorFilesDeps) {
    this.#deps = deps;
  }

  /**
   * The workflow's files, its own first. Files of rows that are large, or no text, are named only. Throws
   * `data_unreadable` for another file that is not UTF-8 text.
   */
  async open(loaded: LoadedWorkflow): Promise<OpenedFiles> {
    const folder = dirname(loaded.file);
    const own = basename(loaded.file);
    const names = await this.#deps.fileSystem.list(folder);
    const found: FileText[] = [];
    for (const name of [own, ...names.filter((each) => isSidecar(each, own, names)).sort()]) {
      const file = await this.read(join(folder, name));
      if (file !== undefined) found.push(file);
    }
    const rows = await this.#openRows((await this.#rowsFiles(loaded)).map((name) => join(folder, name)));
    return { files: [...found, ...rows.files], unopened: rows.unopened };
  }

  async #openRows(paths: readonly string[]): Promise<OpenedFiles> {
    const [files, unopened]: [FileText[], UnopenedFile[]] = [[], []];
    let room = maxRowsCharacters;
    for (const path of paths) {
      const stamp = await this.#deps.files.stamp(path);
      if (stamp === undefined) continue;
      const leaveOut = (reason: UnopenedFile['reason']): unknown =>
        unopened.push({ name: basename(path), bytes: stamp.size, reason });
      if (files.length === maxRowsFiles) leaveOut('many');
      else if (stamp.size > room * maxBytesPerCharacter) leaveOut('large');
      else {
        const file = await this.read(path).catch(() => undefined);
        if (file === undefined) leaveOut('unreadable');
        else if (file.text.length > room) leaveOut('large');
        else {
          room -= file.text.length;
          files.push(file);
        }
      }
    }
    return { files, unopened };
  }

  /** Throws `invalid_input` for a name that is not one of the workflow's files, present or possible. */
  async pathOf(loaded: LoadedWorkflow, name: string): Promise<string> {
    const { file, id } = loaded;
    const own = basename(file);
    const names = await this.#deps.fileSystem.list(dirname(file));
    const isOfAnother = names.some((other) => other !== own && isOwnRowsFileName(name, other, names));
    const isNewRows = !names.includes(name) && isRowsFileName(name) && !isOfAnother;
    const isKnown = name === own || isNewRows || isSidecar(name, own, [...names, name]);
    if (!isKnown && !(await this.#rowsFiles(loaded)).includes(name)) throw fileNotEditable(name, id);
    return join(dirname(file), name);
  }

  /** The folders in which a workflow can be created. */
  get targetFolders(): readonly { readonly folder: string; readonly isOwn: boolean }[] {
    const { readOnly, files } = this.#deps;
    return readOnly !== undefined
      ? []
      : files.folders.map((folder, index) => ({ folder, isOwn: index === 0 }));
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

  /** Names of the files of rows beside the workflow that are its own, or that it or its tests name, as their files are now. */
  async #rowsFiles(loaded: LoadedWorkflow): Promise<readonly string[]> {
    const { file, id, workflow } = loaded;
    if (workflow === undefined) return this.#rowsNames.get(id) ?? [];
    const folder = dirname(file);
    const names = await this.#deps.fileSystem.list(folder);
    const sidecars = names.filter((name) => isSidecar(name, basename(file), names));
    const ofTests = await Promise.all(
      sidecars.map((name) => this.#rowsOfTests(join(folder, name), workflow)),
    );
    const own = names.filter((name) => isOwnRowsFileName(name, basename(file), names));
    const named = new Set([...own, ...namedPaths(workflow), ...ofTests.flat()]);
    const found: string[] = [];
    for (const name of [...named].filter((each) => isRowsFileName(each) && names.includes(each)).sort())
      // A link may lead out of the folders that are served.
      if (await this.#deps.files.isInside(join(folder, name))) found.push(name);
    this.#rowsNames.set(id, found);
    return found;
  }

  /** Paths of files of rows that a tests file names; none of another file, and of one that cannot be read. */
  async #rowsOfTests(path: string, workflow: Workflow): Promise<readonly string[]> {
    if (!testsFileName.test(path)) return [];
    const text = (await this.read(path).catch(() => undefined))?.text ?? '';
    const { tests = [] } = await this.#deps.parser.tests(text, workflow);
    return filesOfTests(tests).flatMap((named) => (named.key === 'rows' ? [named.path] : []));
  }

  /** Reason why the workflow's files cannot be saved; undefined if they can. */
  async refusal({ file }: Pick<LoadedWorkflow, 'file'>): Promise<string | undefined> {
    if (this.#deps.readOnly !== undefined) return this.#deps.readOnly;
    const target = await this.#deps.files.writeTarget(file);
    return 'problem' in target ? target.problem : undefined;
  }

  /** The file that a save of `path` writes: without links. Throws `invalid_input` for a link out of the served folders. */
  async writtenPath(path: string): Promise<string> {
    const target = await this.#deps.files.writeTarget(path);
    if ('problem' in target) throw fileNotSaved(basename(path), target.problem);
    return target.path;
  }

  /** Throws `invalid_input` if the workflow's files cannot be saved. */
  async assertWritable(loaded: Pick<LoadedWorkflow, 'file'>): Promise<void> {
    const refusal = await this.refusal(loaded);
    if (refusal !== undefined) throw fileNotSaved(basename(loaded.file), refusal);
  }
}

/** True for a tests file of the workflow, for its cassette, and for the profiles of its folder. */
const isSidecar = (name: string, own: string, names: readonly string[]): boolean =>
  name === basename(name) &&
  (name === cassetteNameFor(own) ||
    name === profilesFileName ||
    (testsFileName.test(name) && belongsTo(name, own, names)));

/** True for `ID.workflow.yaml`, and for files beside it such as `ID.tests.yaml` and `ID.rows.json`. */
const isNewFileName = (name: string, workflowId: string, isOwn: boolean): boolean =>
  isOwn
    ? name === `${workflowId}.workflow.yaml`
    : name.startsWith(`${workflowId}.`) && !workflowFileName.test(name);
