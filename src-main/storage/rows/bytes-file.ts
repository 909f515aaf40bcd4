// Bytes in memory, or a part of a file, that are read as if they were a file of their own.
import { invariant } from '../../base/invariant.ts';
import type { OpenFile } from '../file-system.ts';

/** Where a part is: up to, but not with, `to`. */
export type Place = { readonly from: number; readonly to: number };

abstract class OnlyRead implements OpenFile {
  abstract size(): Promise<number>;
  abstract read(into: Uint8Array, position: number): Promise<number>;
  abstract close(): Promise<void>;

  async write(): Promise<number> {
    return onlyRead();
  }

  async truncate(): Promise<void> {
    onlyRead();
  }

  async sync(): Promise<void> {
    onlyRead();
  }

  async dataSync(): Promise<void> {
    onlyRead();
  }
}

export class BytesFile extends OnlyRead {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = bytes;
  }

  async size(): Promise<number> {
    return this.#bytes.length;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    const found = this.#bytes.subarray(position, position + into.length);
    into.set(found);
    return found.length;
  }

  async close(): Promise<void> {}
}

export class FilePart extends OnlyRead {
  readonly #file: OpenFile;
  readonly #place: Place;
  readonly #onClose: () => Promise<void>;

  constructor(file: OpenFile, place: Place, onClose = (): Promise<void> => file.close()) {
    super();
    this.#file = file;
    this.#place = place;
    this.#onClose = onClose;
  }

  async size(): Promise<number> {
    return this.#place.to - this.#place.from;
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    const from = this.#place.from + position;
    const length = Math.min(into.length, this.#place.to - from);
    return length <= 0 ? 0 : this.#file.read(into.subarray(0, length), from);
  }

  close(): Promise<void> {
    return this.#onClose();
  }
}

function onlyRead(): never {
  invariant(false, 'what is in one piece is only read');
}
