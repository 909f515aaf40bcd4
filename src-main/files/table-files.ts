// Files of rows that stand next to workflow files, such as tables and test rows: found by a relative path. Nothing outside the
// workflow's own folder is ever read, whatever links a file there follows.
import { dirname, resolve, sep } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { openBytes, type OpenedBytes } from '../domain/rows/files/open-bytes.ts';
import { tableUnreadable } from '../domain/workflow-errors.ts';
import { maxTableBytes } from '../domain/sources/table.ts';
import { gunzip } from './gunzip.ts';
import { diskReason, readBytes, release } from './read-bytes.ts';
import type { ReadableFiles } from './draft-files.ts';
import { nodeFileSystem } from './node-file-system.ts';

/** A file as it was found; equal ones hold the same text. */
export type TableStamp = { readonly file: string; readonly mtimeMs: number; readonly size: number };

/** Bytes that are read at once. */
const pieceBytes = 65_536;

export class TableFiles {
  readonly #fileSystem: ReadableFiles;

  constructor(fileSystem: ReadableFiles = nodeFileSystem) {
    this.#fileSystem = fileSystem;
  }

  /**
   * Finds the file that a workflow file names. Throws `invalid_input` when it is not there, no file, too large, or not
   * inside the folder of the workflow file.
   */
  async stamp(workflowFile: string, path: string): Promise<TableStamp> {
    return this.#named(path, async () => {
      const folder = dirname(resolve(workflowFile));
      const [home, file] = await Promise.all([
        this.#fileSystem.realPath(folder),
        this.#fileSystem.realPath(resolve(folder, path)),
      ]);
      const found = file === undefined ? undefined : await this.#fileSystem.stat(file);
      if (home === undefined || file === undefined || found === undefined)
        throw tableUnreadable(path, 'there is no such file');
      if (!file.startsWith(home.endsWith(sep) ? home : home + sep))
        throw tableUnreadable(path, 'it lies outside the folder of the workflow');
      if (!found.isFile) throw tableUnreadable(path, 'it is no file');
      if (found.size > maxTableBytes)
        throw tableUnreadable(path, `it is larger than ${maxTableBytes / 1e6} MB`);
      return { file, mtimeMs: found.mtimeMs, size: found.size };
    });
  }

  /**
   * The bytes of a file that `stamp` found, unpacked if they are packed. Throws `invalid_input` if it cannot be read, also while
   * the bytes are read; these messages do not name the file.
   */
  async open({ file, size }: TableStamp): Promise<OpenedBytes> {
    return openBytes(piecesOf(this.#fileSystem, file, size), { gunzip, maxBytes: maxTableBytes });
  }

  async #named<T>(path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof AppError ? error : tableUnreadable(path, diskReason(error), error);
    }
  }
}

async function* piecesOf(fileSystem: ReadableFiles, path: string, size: number): AsyncGenerator<Uint8Array> {
  try {
    const file = await fileSystem.open(path, 'read');
    try {
      for (let position = 0; position < size; position += pieceBytes) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size - position));
        yield piece.subarray(0, await readBytes(file, piece, position));
      }
    } finally {
      await release(file);
    }
  } catch (error) {
    throw new AppError('invalid_input', diskReason(error), { cause: error });
  }
}
