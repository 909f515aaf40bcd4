// Files of runs that were removed, overwritten with zeros, for runs to come: where as many runs are removed as are accepted,
// a file system spends longer on taking away and giving out files than on what is written to them. They stay in the folder
// of the runs, so that one sync makes them leave. The name of one that is filled is on the disk already: a run that is
// written there has been accepted once its bytes are on the disk too, whether or not the name that it is given next
// survives a power cut. So no name may ever stand for two fillings. Who calls: CompactRuns.
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { isShortage } from '../../domain/store-errors.ts';
import { openIfThere, readBytes, release } from '../durable/read-bytes.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { writeAll } from '../durable/write-all.ts';
import { hasCode, type FileSystem } from '../file-system.ts';

/** Longer ones are removed: writing zeros takes as long as what comes after. */
const mostBytes = 64 * 1024;
/** As many as are likely to be accepted before others are removed. */
const mostSpares = 1024;

const prefix = 'spare-';

/**
 * Of no run (new, leaving, or emptied), or of one that was written and has no name of its own, because of a power cut or since the
 * process was killed: the next start renames or removes it.
 */
export const isSpareName = (name: string): boolean => name.startsWith(prefix);

/**
 * What an earlier process wrote to a spare file, on the disk by now: one that was killed may have synced none of it.
 * Undefined: nothing, as mostly.
 */
export async function readSpare(fileSystem: FileSystem, path: string): Promise<Buffer | undefined> {
  const file = await fileSystem.open(path, 'write');
  try {
    // A run's file begins with its word, one that was emptied with zeros.
    const first = Buffer.alloc(1);
    if ((await readBytes(file, first, 0)) === 0 || first[0] === 0) return undefined;
    const bytes = Buffer.allocUnsafe(await file.size());
    const filled = await readBytes(file, bytes, 0);
    await file.dataSync();
    return bytes.subarray(0, filled);
  } finally {
    await release(file);
  }
}

export class SpareFiles {
  readonly #parts: Pick<StoreParts, 'fileSystem' | 'files'>;
  readonly #folder: string;
  readonly #sync: () => Promise<void>;
  /** Paths. */
  readonly #spares: string[] = [];
  /** Taken from runs, but nobody knows yet whether that survives a power cut. */
  #leaving: string[] = [];
  /** Names of earlier processes are not remembered: random, so that none is given out again. */
  readonly #series = randomBytes(6).toString('hex');
  #last = 0;

  /** @param folder of the runs. @param sync makes what changed in it last */
  constructor(parts: Pick<StoreParts, 'fileSystem' | 'files'>, folder: string, sync: () => Promise<void>) {
    this.#parts = parts;
    this.#folder = folder;
    this.#sync = sync;
  }

  /** Takes a file away, if it is there; for good after the next `settle`. */
  async take(path: string): Promise<void> {
    if (this.#spares.length + this.#leaving.length >= mostSpares) return this.#parts.fileSystem.remove(path);
    const spare = this.#nextName();
    try {
      await this.#parts.files.rename(path, spare);
      this.#leaving.push(spare);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  /** Makes what was taken before spare: afterwards nobody will find there what is written next. */
  async settle(): Promise<void> {
    const leaving = this.#leaving;
    this.#leaving = [];
    // First: until then a power cut may bring a run back, which must be whole.
    await this.#sync();
    for (const path of leaving) {
      // A file that cannot be emptied for now is not used again; what counts is that the run is gone.
      await this.#empty(path).catch((error: unknown) => {
        if (!isShortage(error)) throw error;
        return this.#parts.fileSystem.remove(path);
      });
    }
  }

  /**
   * Puts a file in place that begins with these bytes, and has zeros behind them. When it resolves the file lasts, under its
   * name or that of a spare file. When it fails the file is overwritten with zeros and removed, if the disk does as much:
   * otherwise the next start may find what was refused, whole, or as zeros.
   * @param encode makes it for the spare file of that name, if there is one
   */
  async put<File extends { readonly bytes: Uint8Array }>(
    path: string,
    encode: (spareName: string | undefined) => File,
  ): Promise<File> {
    const { files } = this.#parts;
    const spare = this.#spares.pop();
    const file = encode(spare && basename(spare));
    const { bytes } = file;
    const fill = (to: string) => this.#orDiscard([to], bytes.length, () => this.#overwrite(to, bytes));
    // Where somebody took the spare file away, what the bytes say is the name of none.
    const isFilled = spare !== undefined && (await fill(spare));
    const arriving = isFilled ? spare : this.#nextName();
    if (!isFilled) await files.create(arriving, bytes);
    // Both: a rename that failed may have been made.
    await this.#orDiscard([arriving, path], bytes.length, async () => {
      await files.rename(arriving, path);
      if (!isFilled) await this.#sync();
    });
    return file;
  }

  /** Overwritten first: what is refused must not count at the next start, even if its removal does not reach the disk. */
  async #orDiscard<T>(paths: readonly string[], size: number, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      // The failure is the one to report.
      for (const path of paths) {
        await this.#overwrite(path, new Uint8Array(size)).catch(() => undefined);
        await this.#parts.fileSystem.remove(path).catch(() => undefined);
      }
      throw error;
    }
  }

  /** INVARIANT: never twice. What a removed run left in a file says another name, and so does not count. */
  #nextName(): string {
    return join(this.#folder, `${prefix}${this.#series}-${(this.#last += 1)}`);
  }

  /** Not synced: until the file is written next the disk may hold the run that was removed. */
  async #empty(path: string): Promise<void> {
    const file = await openIfThere(this.#parts.fileSystem, path, 'write');
    if (file === undefined) return;
    let size: number;
    try {
      size = await file.size();
      if (size <= mostBytes) await writeAll(file, [new Uint8Array(size)], 0);
    } finally {
      await release(file);
    }
    if (size <= mostBytes) this.#spares.push(path);
    else await this.#parts.fileSystem.remove(path);
  }

  /** On the disk when it resolves. False: the file is not there. */
  async #overwrite(path: string, bytes: Uint8Array): Promise<boolean> {
    const file = await openIfThere(this.#parts.fileSystem, path, 'write');
    if (file === undefined) return false;
    try {
      await writeAll(file, [bytes], 0);
      await file.dataSync();
    } finally {
      await file.close();
    }
    return true;
  }
}
