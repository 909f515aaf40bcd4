import type { Clock } from '../base/clock.ts';
import type { FileSystem } from '../files/file-system.ts';

/** So many times what is asked for is plenty, and does not go within this time, in ms. */
const plenty = 50;
const plentyMs = 1000;

/** How much a disk has left; where that is plenty it is looked at once a second. */
export class FreeSpace {
  readonly #fileSystem: Pick<FileSystem, 'freeBytes'>;
  readonly #clock: Clock;
  readonly #path: string;
  #found = 0;
  #foundAt = 0;

  constructor(
    parts: { readonly fileSystem: Pick<FileSystem, 'freeBytes'>; readonly clock: Clock },
    path: string,
  ) {
    this.#fileSystem = parts.fileSystem;
    this.#clock = parts.clock;
    this.#path = path;
  }

  /** Bytes that the disk has left. @param needed bytes that the caller wants to write */
  async of(needed: number): Promise<number> {
    const now = this.#clock.monotonic();
    if (this.#found < plenty * needed || now - this.#foundAt > plentyMs) {
      this.#found = await this.#fileSystem.freeBytes(this.#path);
      this.#foundAt = now;
    }
    return this.#found;
  }
}
