// A folder that is not ours, from which files are taken along: read with distrust, never outside of it, never without
// a bound. Who calls: the import of workflows.
import { isAbsolute, join, relative } from 'node:path';
import { fileRefused } from '../domain/workflow-errors.ts';
import { diskReason, readStart } from './read-bytes.ts';
import type { FileSystem } from './file-system.ts';
import { AppError } from '../base/app-error.ts';

export class ForeignFolder {
  readonly #fileSystem: FileSystem;
  /** With all links followed. */
  readonly #root: string;

  private constructor(fileSystem: FileSystem, root: string) {
    this.#fileSystem = fileSystem;
    this.#root = root;
  }

  /** Undefined where there is no such folder. */
  static async open(fileSystem: FileSystem, path: string): Promise<ForeignFolder | undefined> {
    const found = await fileSystem.stat(path);
    const root = await fileSystem.realPath(path);
    return found?.isFolder === true && root !== undefined ? new ForeignFolder(fileSystem, root) : undefined;
  }

  /** Names of what is directly in it, sorted. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#fileSystem.list(this.#root))].sort();
  }

  /** Bytes of a file in it or below it. Throws `invalid_input` in words that follow the path. */
  async sizeOf(path: string, maxBytes: number): Promise<number> {
    return this.#attempt(path, async () => (await this.#locate(path, maxBytes)).size);
  }

  /** The whole file. Throws `invalid_input`. */
  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.#attempt(path, async () => {
      const { real } = await this.#locate(path, maxBytes);
      const bytes = await readStart(this.#fileSystem, real, maxBytes + 1);
      if (bytes.length > maxBytes) throw tooLarge(path, maxBytes);
      return bytes;
    });
  }

  /** Where it really is. What is no plain file would be read without an end, or not answer at all. */
  async #locate(path: string, maxBytes: number): Promise<{ real: string; size: number }> {
    const real = await this.#fileSystem.realPath(join(this.#root, path));
    if (real === undefined) throw fileRefused(path, 'is not there');
    const fromRoot = relative(this.#root, real);
    if (fromRoot.startsWith('..') || isAbsolute(fromRoot))
      throw fileRefused(path, 'is a link that leads out of the folder');
    const found = await this.#fileSystem.stat(real);
    if (found?.isFile !== true) throw fileRefused(path, 'is no file');
    if (found.size > maxBytes) throw tooLarge(path, maxBytes);
    return { real, size: found.size };
  }

  async #attempt<T>(path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof AppError
        ? error
        : fileRefused(path, `cannot be read: ${diskReason(error)}`, error);
    }
  }
}

const tooLarge = (path: string, maxBytes: number): AppError =>
  fileRefused(path, `is larger than ${maxBytes / 1e6} MB`);
