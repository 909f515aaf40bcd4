// A file that is written from its beginning in pieces of any size, small ones gathered. While more is gathered, what was
// before goes to the system and on to the disk, so that the end need not wait for all of it.
import { crc32 } from 'node:zlib';
import type { StoreParts } from '../durable/store-parts.ts';
import { writeAll } from '../durable/write-all.ts';
import type { OpenFile } from '../file-system.ts';
import type { Attempting } from '../store-health.ts';

/** Small writes are gathered up to this many bytes. */
const stagingBytes = 256 * 1024;
/** Of many files that is all: room for more is a cost of its own. */
const firstStagingBytes = 8 * 1024;
/** After so many the disk gets to work: enough to be worth a sync, and little beside what it takes in a second. */
const earlySyncBytes = 2 * 1024 * 1024;

export class StagedFile {
  readonly #health: StoreParts['health'];
  readonly #attempting: Attempting;
  readonly #file: OpenFile;
  #staging: Buffer = Buffer.allocUnsafe(firstStagingBytes);
  #spare: Buffer | undefined;
  #staged = 0;
  #written = 0;
  #crc = 0;
  #writing: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #unsynced = 0;
  /** Of what was not waited for. A disk tells of a failed sync once: the next one may succeed and say nothing of it. */
  #failure: { readonly error: unknown } | undefined;

  constructor({ health }: StoreParts, file: OpenFile, attempting: Attempting = {}) {
    this.#health = health;
    this.#attempting = attempting;
    this.#file = file;
  }

  /** The bytes are the caller's again when it resolves. One call at a time. Throws `store_degraded`. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#crc = crc32(bytes, this.#crc);
    if (this.#staged + bytes.length > stagingBytes) await this.#handOver();
    if (bytes.length > stagingBytes) {
      await this.#settled();
      return this.#append(bytes);
    }
    if (this.#staged + bytes.length > this.#staging.length) this.#grow();
    this.#staging.set(bytes, this.#staged);
    this.#staged += bytes.length;
  }

  /** CRC32 of all that has been written. */
  get crc(): number {
    return this.#crc;
  }

  /** Hands over what is gathered; syncs nothing. Throws `store_degraded`. */
  async flush(): Promise<void> {
    await this.#handOver();
    await this.#settled();
  }

  /** Throws `store_degraded`, or what the disk throws. */
  async sync(): Promise<void> {
    await this.#settled();
    await this.#syncing;
    this.#assertWell();
    await this.#file.sync();
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#file.close();
  }

  #grow(): void {
    const staged = this.#staging.subarray(0, this.#staged);
    this.#staging = Buffer.allocUnsafe(stagingBytes);
    this.#staging.set(staged);
  }

  /** Begins to write what is gathered, once what was gathered before is written. */
  async #handOver(): Promise<void> {
    await this.#settled();
    if (this.#staged === 0) return;
    const staged = this.#staging.subarray(0, this.#staged);
    const spare = this.#spare ?? Buffer.allocUnsafe(stagingBytes);
    [this.#staging, this.#spare, this.#staged] = [spare, this.#staging, 0];
    this.#writing = this.#append(staged).catch((error: unknown) => this.#fail(error));
  }

  async #settled(): Promise<void> {
    await this.#writing;
    this.#assertWell();
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#health.attempt(() => writeAll(this.#file, [bytes], this.#written), this.#attempting);
    this.#written += bytes.length;
    this.#unsynced += bytes.length;
    if (this.#unsynced >= earlySyncBytes && this.#syncing === undefined) this.#syncEarly();
  }

  #syncEarly(): void {
    this.#unsynced = 0;
    this.#syncing = this.#health
      .attempt(() => this.#file.dataSync(), this.#attempting)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => (this.#syncing = undefined));
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
  }

  #assertWell(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
