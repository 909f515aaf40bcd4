// Workflow files: the data folder's own, those that were imported into folders of their own below it, and those that
// the user keeps elsewhere and named. Files are only read here, and created where nothing is yet.
import { dirname, join, resolve } from 'node:path';
import { errorText } from '../../base/app-error.ts';
import { systemClock } from '../../base/system-clock.ts';
import { utf8Text } from '../../base/utf8-text.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { workflowFileInvalid } from '../../domain/workflow-errors.ts';
import { testsFileName, workflowFileName } from '../../domain/workflow/file-names.ts';
import { workflowIdPattern } from '../../domain/workflow/workflow-keys.ts';
import { DurableFiles } from '../durable/durable-files.ts';
import { asUnreadable, diskReason, orUnreadable, readStart } from '../../files/read-bytes.ts';
import { hasCode, type FileSystem } from '../../files/file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { findWriteTarget, isBelow, type WriteTarget } from '../../files/text-file.ts';

/**
 * Whose a file is. `own`: it lies in the data folder. `named`: the user named it, or its folder, at the start.
 * Otherwise it was imported under this id, which is its folder's name.
 */
export type WorkflowLocation = 'own' | 'named' | { readonly importedAs: string };

export type FileStamp = {
  readonly path: string;
  readonly mtimeMs: number;
  /** Bytes. */
  readonly size: number;
};
export type WorkflowFileStamp = FileStamp & { readonly location: WorkflowLocation };

type WorkflowFilesOptions = {
  /** The data folder's own; each import has a folder below it. */
  readonly own?: string;
  /** Folders and files that the user named. A function: folders that change, as those of a team do. */
  readonly folders?: readonly string[] | (() => readonly string[]);
  readonly files?: readonly string[];
  readonly fileSystem?: FileSystem;
};

type Found = { readonly path: string; readonly location: WorkflowLocation };

/** Names of files that are created: of workflows, and of their tests, rows and tables. */
const newFileName = /^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64})+\.(?:ya?ml|json|csv)$/;
/** Maximum bytes of a workflow file. A file written by hand is far below; a mistaken gigabyte must not be read. */
const maxBytes = 5_000_000;

export class WorkflowFiles {
  readonly #own: string | undefined;
  readonly #named: () => readonly string[];
  readonly #files: readonly string[];
  readonly #fileSystem: FileSystem;
  /** Files that are not served, by whether they look like a workflow when last read. */
  readonly #looks = new Map<string, FileStamp & { readonly isWorkflow: boolean }>();

  constructor({ own, folders = [], files = [], fileSystem = nodeFileSystem }: WorkflowFilesOptions) {
    this.#own = own === undefined ? undefined : resolve(own);
    const named = typeof folders === 'function' ? folders : () => folders;
    this.#named = () => named().map((folder) => resolve(folder));
    this.#files = files.map((file) => resolve(file));
    this.#fileSystem = fileSystem;
  }

  /** Every workflow file there is now, by path. A folder or file that is gone has none. */
  async scan(): Promise<readonly WorkflowFileStamp[]> {
    const locations = new Map<string, WorkflowLocation>();
    for (const path of this.#files) locations.set(path, 'named');
    for (const folder of this.#named())
      for (const path of await this.#listFolder(folder)) locations.set(path, 'named');
    // Last, so that naming an imported file once more does not make it the user's own.
    for (const { path, location } of await this.#listOwn()) locations.set(path, location);
    const found = [...locations].sort(([one], [other]) => (one < other ? -1 : 1));
    const stamps = await Promise.all(
      found.map(async ([path, location]) => {
        const stamp = await this.stamp(path);
        return stamp === undefined ? undefined : { ...stamp, location };
      }),
    );
    return stamps.filter((stamp) => stamp !== undefined);
  }

  /** The folders that a new file can be made in, the data folder's own first. */
  get folders(): readonly string[] {
    return [...(this.#own === undefined ? [] : [this.#own]), ...this.#named()];
  }

  /** False for a link that leads out of the folders that are served. A file that the user named may lead anywhere. */
  async isInside(path: string): Promise<boolean> {
    if (this.#files.includes(resolve(path))) return true;
    const real = await this.#fileSystem.realPath(path);
    const folders = await Promise.all(this.folders.map((folder) => this.#fileSystem.realPath(folder)));
    return real === undefined || folders.some((folder) => folder !== undefined && isBelow(real, folder));
  }

  /** The file that a save of a workflow's file writes. A file that the user named may be a link to anywhere. */
  async writeTarget(path: string): Promise<WriteTarget> {
    const linked = this.#files.includes(resolve(path)) ? await this.#fileSystem.realPath(path) : undefined;
    const named = [...this.#files, ...(linked === undefined ? [] : [linked])].map((file) => dirname(file));
    return findWriteTarget(this.#fileSystem, path, [...this.folders, ...named]);
  }

  /** Messages about folders and files that `scan` leaves out although the user may have meant them as workflows. */
  async findOverlooked(): Promise<readonly string[]> {
    const perFolder = await Promise.all(this.folders.map((folder) => this.#overlookedIn(folder)));
    return perFolder.flat();
  }

  /** Undefined if there is no such file. */
  async stamp(path: string): Promise<FileStamp | undefined> {
    const found = await this.#fileSystem.stat(path);
    if (found === undefined || !found.isFile) return undefined;
    return { path, mtimeMs: found.mtimeMs, size: found.size };
  }

  /** The tests files in those folders, and those of the named files that there are. */
  async stampTests(folders: ReadonlySet<string>, named: readonly string[]): Promise<readonly FileStamp[]> {
    const tests = await Promise.all([...folders].map((folder) => this.#listFolder(folder, testsFileName)));
    const paths = [...new Set([...tests.flat(), ...named])].sort();
    const stamps = await Promise.all(paths.map((path) => this.stamp(path)));
    return stamps.filter((stamp) => stamp !== undefined);
  }

  /** The file's text. Throws `data_unreadable` if it is not there, over 5 MB or not UTF-8. */
  async read(path: string): Promise<string> {
    const bytes = await orUnreadable(path, () => this.#readCapped(path));
    try {
      // A byte order mark stays, so that the text has the file's own hash and positions.
      return utf8Text(bytes, path);
    } catch (error) {
      throw dataUnreadable(errorText(error), error);
    }
  }

  /** Writes a new file and resolves to its path; durable when it does. Never overwrites: throws `invalid_input`. */
  async create(folder: string, fileName: string, text: string): Promise<string> {
    if (!newFileName.test(fileName))
      throw workflowFileInvalid(fileName, 'it is no name for a file of a workflow');
    const path = join(resolve(folder), fileName);
    const files = new DurableFiles(this.#fileSystem, systemClock);
    try {
      await files.makeFolder(dirname(path));
      await files.create(path, Buffer.from(text));
      await this.#fileSystem.syncFolder(dirname(path));
      return path;
    } catch (error) {
      const problem = hasCode(error, 'EEXIST') ? 'it is there already' : diskReason(error);
      throw workflowFileInvalid(fileName, problem, error);
    }
  }

  async #overlookedIn(folder: string): Promise<string[]> {
    try {
      const problems: string[] = [];
      for (const name of await this.#fileSystem.list(folder)) {
        if (!/\.ya?ml$/.test(name) || /\.(workflow|tests)\.ya?ml$/.test(name)) continue;
        const path = join(folder, name);
        if (await this.#looksLikeWorkflow(path))
          problems.push(`${path} is not served: workflow files are named *.workflow.yaml, .yml or .json`);
      }
      return problems;
    } catch (error) {
      if (hasCode(error, 'ENOENT') && folder === this.#own) return [];
      return [
        `no workflows are read from ${folder}: ${hasCode(error, 'ENOENT') ? 'there is no such folder' : diskReason(error)}`,
      ];
    }
  }

  /** Folders hold YAML of many kinds; only a file with our format's key at its top was meant for us. */
  async #looksLikeWorkflow(path: string): Promise<boolean> {
    const stamp = await this.stamp(path);
    if (stamp === undefined || stamp.size > maxBytes) return false;
    const known = this.#looks.get(path);
    if (known !== undefined && known.mtimeMs === stamp.mtimeMs && known.size === stamp.size)
      return known.isWorkflow;
    // One that cannot be read is not ours to speak of.
    const text = await this.read(path).catch(() => '');
    const isWorkflow = /^["']?rowbench["']?\s*:/m.test(text);
    this.#looks.set(path, { ...stamp, isWorkflow });
    return isWorkflow;
  }

  async #listOwn(): Promise<Found[]> {
    if (this.#own === undefined) return [];
    const own = this.#own;
    const flat = await this.#listFolder(own);
    const imports = (await this.#list(own)).filter((name) => workflowIdPattern.test(name));
    const inside = await Promise.all(
      imports.map(async (id) =>
        (await this.#listFolder(join(own, id))).map((path) => ({ path, location: { importedAs: id } })),
      ),
    );
    return [...flat.map((path) => ({ path, location: 'own' as const })), ...inside.flat()];
  }

  async #listFolder(folder: string, pattern = workflowFileName): Promise<string[]> {
    const names = await this.#list(folder);
    return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  }

  async #list(folder: string): Promise<readonly string[]> {
    try {
      return await this.#fileSystem.list(folder);
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
      throw asUnreadable(folder, error);
    }
  }

  async #readCapped(path: string): Promise<Uint8Array> {
    const bytes = await readStart(this.#fileSystem, path, maxBytes + 1);
    if (bytes.length > maxBytes) throw dataUnreadable(`${path}: it is larger than ${maxBytes / 1e6} MB`);
    return bytes;
  }
}
