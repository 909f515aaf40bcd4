import type { Clock } from '../base/clock.ts';
import { diskFull } from '../domain/store-errors.ts';
import type { FileSystem } from '../files/file-system.ts';

/** If free space is this many times the request, it is not checked again for `plentyMs`. */
const plentyFactor = 50;
const plentyMs = 1000;

/** The free space of a disk. If there is plenty, the disk is checked once a second. */
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

  /** Throws `disk_full` if less than `needed` bytes are free. */
  async assertFree(needed: number): Promise<void> {
    const now = this.#clock.monotonic();
    if (this.#found < plentyFactor * needed || now - this.#foundAt > plentyMs) {
      this.#found = await this.#fileSystem.freeBytes(this.#path);
      this.#foundAt = now;
    }
    if (this.#found < needed) throw diskFull(this.#found, needed);
  }
}
