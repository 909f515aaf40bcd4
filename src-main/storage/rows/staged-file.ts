// A file that is written from its beginning in pieces of any size, small ones gathered.
import { crc32 } from 'node:zlib';
import type { StoreParts } from '../durable/store-parts.ts';
import { writeAll } from '../durable/write-all.ts';
import type { OpenFile } from '../file-system.ts';

/** Small writes are gathered up to this many bytes. */
const stagingBytes = 256 * 1024;
/** Of many files that is all: room for more is a cost of its own. */
const firstStagingBytes = 8 * 1024;

export class StagedFile {
  readonly #health: StoreParts['health'];
  readonly #file: OpenFile;
  #staging = Buffer.allocUnsafe(firstStagingBytes);
  #staged = 0;
  #written = 0;
  #crc = 0;

  constructor({ health }: StoreParts, file: OpenFile) {
    this.#health = health;
    this.#file = file;
  }

  /** The bytes are the caller's again when it resolves. One call at a time. Throws `store_degraded`. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#crc = crc32(bytes, this.#crc);
    if (this.#staged + bytes.length > stagingBytes) await this.flush();
    if (bytes.length > stagingBytes) return this.#append(bytes);
    if (this.#staged + bytes.length > this.#staging.length) this.#grow();
    this.#staging.set(bytes, this.#staged);
    this.#staged += bytes.length;
  }

  /** CRC32 of all that has been written. */
  get crc(): number {
    return this.#crc;
  }

  /** Hands over what is gathered; syncs nothing. */
  async flush(): Promise<void> {
    if (this.#staged === 0) return;
    const staged = this.#staging.subarray(0, this.#staged);
    this.#staged = 0;
    await this.#append(staged);
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #grow(): void {
    const staged = this.#staging.subarray(0, this.#staged);
    this.#staging = Buffer.allocUnsafe(stagingBytes);
    this.#staging.set(staged);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#health.attempt(() => writeAll(this.#file, [bytes], this.#written));
    this.#written += bytes.length;
  }
}
