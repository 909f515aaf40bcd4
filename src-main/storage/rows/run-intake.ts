// A run's rows while they arrive, in a folder that the next start clears away. The rename in `commit` is the moment at
// which the run exists. Who calls: the run service, through RunStore.
import { dirname, join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { encodeRowNumbers } from '../../domain/run/row-numbers.ts';
import { runSchema, type Run } from '../../domain/run/run.ts';
import { sealedJson } from '../durable/sealed-json.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { allDone } from '../durable/write-all.ts';
import { givenName, numbersName, recordName, rowsName } from './run-files.ts';
import { StagedFile } from './staged-file.ts';

export type IntakePlace = {
  readonly runId: string;
  /** Where the rows are gathered, and where the run's folder goes. */
  readonly from: string;
  readonly to: string;
};

export class RunIntake {
  readonly #parts: StoreParts;
  readonly #place: IntakePlace;
  readonly #rows: StagedFile;
  /** What some runs have beside their rows, by the file's name. */
  readonly #beside = new Map<string, StagedFile>();
  #lastByte = newline;
  #isOpen = true;
  #isCommitted = false;

  private constructor(parts: StoreParts, place: IntakePlace, rows: StagedFile) {
    this.#parts = parts;
    this.#place = place;
    this.#rows = rows;
  }

  static begin(parts: StoreParts, place: IntakePlace): Promise<RunIntake> {
    return parts.health.attempt(async () => {
      await parts.fileSystem.makeFolder(place.from);
      const rows = await parts.fileSystem.open(join(place.from, rowsName), 'create');
      return new RunIntake(parts, place, new StagedFile(parts, rows));
    });
  }

  /**
   * Appends to the rows: one line of JSON a row; a call may end anywhere. The bytes are the caller's again when it
   * resolves. One call at a time. Throws `store_degraded`.
   */
  async write(bytes: Uint8Array): Promise<void> {
    invariant(this.#isOpen, 'rows arrive before the commit');
    if (bytes.length === 0) return;
    this.#lastByte = bytes[bytes.length - 1] ?? newline;
    await this.#rows.write(bytes);
  }

  /** The numbers that the next rows go by; of all rows or of none. Throws `store_degraded`. */
  async writeNumbers(numbers: readonly number[]): Promise<void> {
    await this.writeNumberBytes(encodeRowNumbers(numbers));
  }

  /** The same, as they are stored. */
  async writeNumberBytes(bytes: Uint8Array): Promise<void> {
    await this.#writeBeside(numbersName, bytes);
  }

  /** Node values that the next rows are given, one line a row; of all rows or of none. Throws `store_degraded`. */
  async writeGiven(lines: Uint8Array): Promise<void> {
    await this.#writeBeside(givenName, lines);
  }

  /**
   * Makes the run exist: its files reach the disk, then its folder gets its name. Resolves to the record that is stored.
   * Throws `store_degraded`.
   */
  async commit(run: Run): Promise<Run> {
    const { fileSystem, files, health } = this.#parts;
    const { runId, from, to } = this.#place;
    invariant(run.runId === runId, 'an intake holds the rows of its own run');
    if (this.#lastByte !== newline) await this.write(Uint8Array.of(newline));
    const stored = runSchema.parse({ ...run, ...this.#crcs });
    const record = sealedJson(stored);
    await health.attempt(async () => {
      await this.#writeBeside(recordName, record);
      for (const file of this.#files) await file.flush();
      // In any order: none of it counts before the rename.
      await allDone([...this.#files.map((file) => file.sync()), fileSystem.syncFolder(from)]);
      await this.#close();
      await files.rename(from, to);
      this.#isCommitted = true;
      // That it is no longer where it arrived need not last: the next start clears that place.
      await fileSystem.syncFolder(dirname(to));
    });
    return stored;
  }

  /** Leaves nothing behind. Does nothing after a commit, or a second time. */
  async abandon(): Promise<void> {
    if (this.#isCommitted) return;
    try {
      await this.#close();
      await this.#parts.fileSystem.remove(this.#place.from);
    } catch (error) {
      // Not worth failing what led here: the next start clears it away.
      this.#parts.log.warn({ runId: this.#place.runId, error }, 'an abandoned intake could not be removed');
    }
  }

  get #crcs(): Pick<Run, 'rowsCrc' | 'numbersCrc' | 'givenCrc'> {
    const numbers = this.#beside.get(numbersName);
    const given = this.#beside.get(givenName);
    return {
      rowsCrc: this.#rows.crc,
      ...(numbers === undefined ? {} : { numbersCrc: numbers.crc }),
      ...(given === undefined ? {} : { givenCrc: given.crc }),
    };
  }

  get #files(): readonly StagedFile[] {
    return [this.#rows, ...this.#beside.values()];
  }

  async #writeBeside(name: string, bytes: Uint8Array): Promise<void> {
    invariant(this.#isOpen, 'what belongs to rows arrives before the commit');
    const file = this.#beside.get(name) ?? (await this.#openBeside(name));
    await file.write(bytes);
  }

  async #openBeside(name: string): Promise<StagedFile> {
    const { health, fileSystem } = this.#parts;
    const file = await health.attempt(() => fileSystem.open(join(this.#place.from, name), 'create'));
    const staged = new StagedFile(this.#parts, file);
    this.#beside.set(name, staged);
    return staged;
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const file of this.#files) await file.close();
  }
}
