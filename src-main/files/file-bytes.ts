// The bytes of a file that is read once, and what its first bytes say of its form.
import { AppError } from '../base/app-error.ts';
import { byteSize } from '../domain/format.ts';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes that tell encodings and workbooks apart. */
const headBytes = 4;

export class FileBytes {
  readonly #pieces: AsyncIterator<Uint8Array | string>;
  #head: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array | string>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** At least the first four bytes, unless the file is shorter. To be called once, before the others. */
  async head(): Promise<Uint8Array> {
    while (this.#head.length < headBytes) {
      const piece = await this.#next();
      if (piece === undefined) break;
      this.#head = Buffer.concat([this.#head, piece]);
    }
    return this.#head;
  }

  /** All bytes, with the head. */
  async *all(): AsyncGenerator<Uint8Array> {
    yield this.#head;
    for (let piece = await this.#next(); piece !== undefined; piece = await this.#next()) yield piece;
  }

  /** The whole file. Throws `invalid_input` if it is larger. */
  async whole(maxBytes: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of this.all()) {
      bytes += piece.length;
      if (bytes > maxBytes)
        throw new AppError('invalid_input', `a workbook may have ${byteSize(maxBytes)} at most`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }

  async #next(): Promise<Uint8Array | undefined> {
    const next = await this.#pieces.next();
    if (next.done === true) return undefined;
    return typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
  }
}

/** By the byte order mark. */
export function encodingOf(head: Uint8Array): TextEncodingName {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Beginnings of ZIP files, which workbooks are, and of old workbooks. */
const workbookMarks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** True for the name or the first bytes of a workbook, be it one that can be read or not. */
export const isWorkbook = (head: Uint8Array, fileName: string): boolean =>
  /\.(xlsx|xlsm|xls|xlsb)$/i.test(fileName) ||
  workbookMarks.some((mark) => mark.every((byte, index) => head[index] === byte));
