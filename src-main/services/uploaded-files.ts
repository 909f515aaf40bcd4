// The files of an import that a client has sent, read like a folder of the machine that the server runs on.
import { fileRefused } from '../domain/workflow-errors.ts';
import type { ForeignFolder } from '../files/foreign-folder.ts';

export type ImportFolder = Pick<ForeignFolder, 'names' | 'sizeOf' | 'read' | 'readText'>;
export type UploadedFile = { readonly name: string; readonly text: string };

export class UploadedFiles implements ImportFolder {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(files: readonly UploadedFile[]) {
    this.#texts = new Map(files.map(({ name, text }) => [name, text]));
  }

  async names(): Promise<readonly string[]> {
    return [...this.#texts.keys()].sort();
  }

  async sizeOf(path: string, maxBytes: number): Promise<number> {
    return (await this.read(path, maxBytes)).length;
  }

  async read(path: string, maxBytes: number): Promise<Uint8Array> {
    return Buffer.from(await this.readText(path, maxBytes));
  }

  async readText(path: string, maxBytes: number): Promise<string> {
    const text = this.#texts.get(path);
    if (text === undefined) throw fileRefused(path, 'is not among the chosen files');
    if (Buffer.byteLength(text) > maxBytes) throw fileRefused(path, `is larger than ${maxBytes / 1e6} MB`);
    return text;
  }
}
