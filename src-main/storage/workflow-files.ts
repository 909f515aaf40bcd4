// Workflow files where the user keeps them: folders that were opened and files that were named. They are the user's
// own, so they are only read, and created where nothing is yet.
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../base/system-clock.ts';
import { dataUnreadable, workflowFileInvalid } from '../domain/errors.ts';
import { DurableFiles } from './durable/durable-files.ts';
import { asUnreadable, diskReason, orUnreadable, readBytes, release } from './durable/read-bytes.ts';
import { hasCode, type FileSystem } from './file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';

export type WorkflowFileStamp = {
  readonly path: string;
  readonly mtimeMs: number;
  /** Bytes. */
  readonly size: number;
};

export type WorkflowPlaces = {
  readonly folders: readonly string[];
  readonly files?: readonly string[];
  readonly fileSystem?: FileSystem;
};

const workflowName = /\.workflow\.(ya?ml|json)$/;
const newFileName = /^[A-Za-z0-9_-]{1,64}\.workflow\.(ya?ml|json)$/;
/** What a person writes by hand is far below; a mistaken gigabyte must not be read. */
const mostBytes = 5_000_000;

export class WorkflowFiles {
  readonly #folders: readonly string[];
  readonly #files: readonly string[];
  readonly #fileSystem: FileSystem;

  constructor({ folders, files = [], fileSystem = nodeFileSystem }: WorkflowPlaces) {
    this.#folders = folders.map((folder) => resolve(folder));
    this.#files = files.map((file) => resolve(file));
    this.#fileSystem = fileSystem;
  }

  /** Every workflow file there is now, by path. A folder or file that is gone has none. */
  async scan(): Promise<readonly WorkflowFileStamp[]> {
    const lists = await Promise.all(this.#folders.map((folder) => this.#listFolder(folder)));
    const paths = [...new Set([...lists.flat(), ...this.#files])].sort();
    const stamps = await Promise.all(paths.map((path) => this.stamp(path)));
    return stamps.filter((stamp) => stamp !== undefined);
  }

  /** What a user may have meant to be a workflow and is none, in words: folders and files that `scan` leaves out. */
  async findOverlooked(): Promise<readonly string[]> {
    const perFolder = await Promise.all(this.#folders.map((folder) => this.#overlookedIn(folder)));
    return perFolder.flat();
  }

  /** Undefined if there is no such file. */
  async stamp(path: string): Promise<WorkflowFileStamp | undefined> {
    const found = await this.#fileSystem.stat(path);
    if (found === undefined || found.isFolder) return undefined;
    return { path, mtimeMs: found.mtimeMs, size: found.size };
  }

  /** The file's text. Throws `data_unreadable` if it is not there, over 5 MB or not UTF-8. */
  async read(path: string): Promise<string> {
    const bytes = await orUnreadable(path, () => this.#readCapped(path));
    try {
      // A byte order mark stays, so that the text has the file's own hash and positions.
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw dataUnreadable(`${path}: it is not UTF-8 text`, error);
    }
  }

  /** Writes a new file and resolves to its path; durable when it does. Never overwrites: throws `invalid_input`. */
  async create(folder: string, fileName: string, text: string): Promise<string> {
    if (!newFileName.test(fileName)) throw workflowFileInvalid(fileName, 'it is no name for a workflow file');
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
      const names = await this.#fileSystem.list(folder);
      const unnamed = names.filter(
        (name) => /\.ya?ml$/.test(name) && !/\.(workflow|tests)\.ya?ml$/.test(name),
      );
      return unnamed.map(
        (name) =>
          `${join(folder, name)} is not served: workflow files are named *.workflow.yaml, .yml or .json`,
      );
    } catch (error) {
      if (hasCode(error, 'ENOENT') && folder === this.#folders[0]) return [];
      return [
        `no workflows are read from ${folder}: ${hasCode(error, 'ENOENT') ? 'there is no such folder' : diskReason(error)}`,
      ];
    }
  }

  async #listFolder(folder: string): Promise<string[]> {
    try {
      const names = await this.#fileSystem.list(folder);
      return names.filter((name) => workflowName.test(name)).map((name) => join(folder, name));
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
      throw asUnreadable(folder, error);
    }
  }

  async #readCapped(path: string): Promise<Uint8Array> {
    const file = await this.#fileSystem.open(path, 'read');
    try {
      const size = await file.size();
      if (size > mostBytes) throw dataUnreadable(`${path}: it is larger than ${mostBytes / 1e6} MB`);
      const bytes = Buffer.allocUnsafe(size);
      return bytes.subarray(0, await readBytes(file, bytes, 0));
    } finally {
      await release(file);
    }
  }
}
