import type { Clock } from '../base/clock.ts';
import { diskFull } from '../domain/store-errors.ts';
import type { FileSystem } from '../files/file-system.ts';

/** Free space of this many times the request is plenty, and lasts for this time, in ms. */
const plentyFactor = 50;
const plentyMs = 1000;

/** The free space of a disk; where it is plenty, the disk is looked at once a second. */
export class FreeSpace {
  readonly #fileSystem: Pick<FileSystem, 'freeBytes'>;
  readonly #clock: Clock;
  readonly #path: string;
  #found = 0;
  #foundAt = 0;

  constructor(
    deps: { readonly fileSystem: Pick<FileSystem, 'freeBytes'>; readonly clock: Clock },
    path: string,
  ) {
    this.#fileSystem = deps.fileSystem;
    this.#clock = deps.clock;
    this.#path = path;
  }

  /** Throws `disk_full` where less than `needed` bytes are free. */
  async assertFree(needed: number): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#found < plentyFactor * needed || now - this.#foundAt > plentyMs) {
      this.#found = await this.#fileSystem.freeBytes(this.#path);
      this.#foundAt = now;
    }
    if (this.#found < needed) throw diskFull(this.#found, needed);
  }
}
