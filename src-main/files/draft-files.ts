// The files beside a workflow as the editor of a draft has them: those with a text of the draft exist with that text, all
// others are those of the disk.
import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { FileStat, FileSystem, OpenFile } from './file-system.ts';
import type { DraftTexts } from './read-rows.ts';

/** The operations of a file system that reading a named file needs. */
export type ReadableFiles = Pick<FileSystem, 'realPath' | 'stat'> & {
  open(path: string, mode: 'read'): Promise<Pick<OpenFile, 'read' | 'close'>>;
};

export class DraftFiles implements ReadableFiles {
  readonly #disk: ReadableFiles;
  readonly #texts: DraftTexts;
  /** Bytes of the files of the draft that were asked for, by path. */
  readonly #bytes = new Map<string, Buffer>();

  constructor(disk: ReadableFiles, texts: DraftTexts) {
    this.#disk = disk;
    this.#texts = texts;
  }

  async realPath(path: string): Promise<string | undefined> {
    const text = this.#texts(path);
    if (text === undefined) return this.#disk.realPath(path);
    const folder = await this.#disk.realPath(dirname(path));
    if (folder === undefined) return undefined;
    const file = join(folder, basename(path));
    this.#bytes.set(file, Buffer.from(text));
    return file;
  }

  /** The time of a text of the draft is made of its hash: another text has another one. */
  async stat(path: string): Promise<FileStat | undefined> {
    const bytes = this.#bytes.get(path);
    if (bytes === undefined) return this.#disk.stat(path);
    const mtimeMs = createHash('sha256').update(bytes).digest().readUIntBE(0, 6);
    return { size: bytes.length, mtimeMs, isFolder: false, isFile: true };
  }

  async open(path: string, mode: 'read'): Promise<Pick<OpenFile, 'read' | 'close'>> {
    const bytes = this.#bytes.get(path);
    if (bytes === undefined) return this.#disk.open(path, mode);
    return {
      read: async (into, position) => bytes.copy(into, 0, position),
      close: async () => {},
    };
  }
}
