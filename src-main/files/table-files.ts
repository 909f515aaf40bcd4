// Tables that stand beside workflow files: found by a relative path, read whole. Nothing outside the workflow's own
// folder is ever read, whatever links a file there follows.
import { dirname, resolve, sep } from 'node:path';
import { AppError, errorText } from '../base/app-error.ts';
import { utf8Text } from '../base/utf8-text.ts';
import { tableUnreadable } from '../domain/workflow-errors.ts';
import { maxTableBytes } from '../domain/sources/table.ts';
import { diskReason, readStart } from './read-bytes.ts';
import { nodeFileSystem } from './node-file-system.ts';

/** A file as it was found; equal ones hold the same text. */
export type TableStamp = { readonly file: string; readonly mtimeMs: number; readonly size: number };

export class TableFiles {
  /**
   * Finds the file that a workflow file names. Throws `invalid_input` when it is not there, no file, too large, or not
   * inside the folder of the workflow file.
   */
  async stamp(workflowFile: string, path: string): Promise<TableStamp> {
    return this.#named(path, async () => {
      const folder = dirname(resolve(workflowFile));
      const [home, file] = await Promise.all([
        nodeFileSystem.realPath(folder),
        nodeFileSystem.realPath(resolve(folder, path)),
      ]);
      const found = file === undefined ? undefined : await nodeFileSystem.stat(file);
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

  /** The text of a file that `stamp` found. Throws `invalid_input` when it cannot be read or is not UTF-8. */
  async read({ file, size }: TableStamp, path: string): Promise<string> {
    const bytes = await this.#named(path, () => readStart(nodeFileSystem, file, size));
    return textOfTable(bytes, path);
  }

  /**
   * The beginning of a file that `stamp` found: at most so many bytes, without a character that is cut. Throws as `read`
   * does.
   */
  async readStart({ file, size }: TableStamp, path: string, maxBytes: number): Promise<string> {
    const bytes = await this.#named(path, () => readStart(nodeFileSystem, file, Math.min(size, maxBytes)));
    return textOfTable(bytes, path, size > maxBytes);
  }

  async #named<T>(path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof AppError ? error : tableUnreadable(path, diskReason(error), error);
    }
  }
}

function textOfTable(bytes: Uint8Array, path: string, isCut = false): string {
  try {
    return utf8Text(bytes, 'it', isCut);
  } catch (error) {
    throw tableUnreadable(path, errorText(error), error);
  }
}
