// Files of runs that were removed, overwritten with zeros, for runs to come: where as many runs are removed as are accepted,
// a file system spends longer on taking away and giving out files than on what is written to them. They stay in the folder
// of the runs, so that one sync makes them leave. The name of one that is filled is on the disk already: a run that is
// written there has been accepted once its bytes are on the disk too, whether or not the name that it is given next
// survives a power cut. So no name may ever stand for two fillings. Who calls: CompactRuns.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readBytes, release } from '../durable/read-bytes.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { writeAll } from '../durable/write-all.ts';
import { hasCode, type FileSystem, type OpenFile } from '../file-system.ts';

/** Longer ones are removed: writing zeros takes as long as what comes after. */
const mostBytes = 64 * 1024;
/** As many as are likely to be accepted before others are removed. */
const mostSpares = 1024;

const prefix = 'spare-';

/** Of no run, but for one whose own name a power cut took: for the next start to rename or remove. */
export const isSpareName = (name: string): boolean => name.startsWith(prefix);

/**
 * What an earlier process wrote to a spare file, on the disk by now: one that was killed may have synced none of it.
 * Undefined: nothing, as mostly.
 */
export async function readSpare(fileSystem: FileSystem, path: string): Promise<Buffer | undefined> {
  const file = await fileSystem.open(path, 'change');
  try {
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
  /** Of this process alone. */
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
    await this.#sync();
    for (const path of leaving) await this.#empty(path);
  }

  /** One to be filled by whoever asks: its path, if there is one. */
  pick(): string | undefined {
    return this.#spares.pop();
  }

  /**
   * Puts a file in place that begins with these bytes, and has zeros behind them. When it resolves the file lasts, under its
   * name or that of the spare file; when it fails nothing is left that would count.
   * @param spare that was picked for it
   */
  async put(path: string, bytes: Uint8Array, spare: string | undefined): Promise<void> {
    const { files } = this.#parts;
    let arriving = spare;
    try {
      // Somebody else may have taken it away.
      const isFilled = arriving !== undefined && (await this.#fill(arriving, bytes));
      if (arriving === undefined || !isFilled) await files.create((arriving = this.#nextName()), bytes);
      await files.rename(arriving, path);
      if (!isFilled) await this.#sync();
    } catch (error) {
      // The failure is the one to report.
      if (arriving !== undefined) await this.#discard(arriving, bytes.length);
      await this.#discard(path, bytes.length);
      throw error;
    }
  }

  /** What is refused now must not count at the next start, even if its removal did not reach the disk. */
  async #discard(path: string, size: number): Promise<void> {
    await this.#fill(path, new Uint8Array(size)).catch(() => undefined);
    await this.#parts.fileSystem.remove(path).catch(() => undefined);
  }

  #nextName(): string {
    return join(this.#folder, `${prefix}${this.#series}-${(this.#last += 1)}`);
  }

  async #empty(path: string): Promise<void> {
    const file = await this.#openSpare(path);
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

  /** False: it is not there. */
  async #fill(path: string, bytes: Uint8Array): Promise<boolean> {
    const file = await this.#openSpare(path);
    if (file === undefined) return false;
    try {
      await writeAll(file, [bytes], 0);
      await file.dataSync();
    } finally {
      await file.close();
    }
    return true;
  }

  async #openSpare(path: string): Promise<OpenFile | undefined> {
    try {
      return await this.#parts.fileSystem.open(path, 'change');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }
}
