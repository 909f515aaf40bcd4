// The files of an import or a publication that a client has sent, read like a folder of the machine that the server runs on.
import { fileRefused } from '../../domain/workflow-errors.ts';
import type { PublishedFile } from '../../domain/workflow/publication.ts';
import type { ForeignFolder } from '../../files/foreign-folder.ts';

export type ImportFolder = Pick<ForeignFolder, 'names' | 'sizeOf' | 'read'>;

export class UploadedFiles implements ImportFolder {
  readonly #files: ReadonlyMap<string, Uint8Array>;

  constructor(files: readonly PublishedFile[]) {
    this.#files = new Map(files.map(({ path, bytes }) => [path, bytes]));
  }

  async names(): Promise<readonly string[]> {
    return [...this.#files.keys()].sort();
  }

  async sizeOf(path: string, maxBytes: number): Promise<number> {
    return (await this.read(path, maxBytes)).length;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw fileRefused(path, 'is not among the chosen files');
    if (bytes.length > maxBytes) throw fileRefused(path, `is larger than ${maxBytes / 1e6} MB`);
    return bytes;
  }
}
