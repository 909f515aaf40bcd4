// A run's rows while they arrive, in a folder that the next start clears away. The rename in `commit` is the moment at
// which the run exists. Who calls: the run service, through RunStore.
import { dirname, join } from 'node:path';
import { invariant } from '../../base/invariant.ts';
import { runSchema, type Run } from '../../domain/run/run.ts';
import { jsonBytes } from '../durable/json-file.ts';
import type { StoreParts } from '../durable/store-parts.ts';
import { allDone, writeAll } from '../durable/write-all.ts';
import type { OpenFile } from '../file-system.ts';
import { makeOutputFiles, recordName, rowsName } from './run-files.ts';
import { newline } from './whole-lines.ts';

export type IntakePlace = {
  readonly runId: string;
  /** Where the rows are gathered, and where the run's folder goes. */
  readonly from: string;
  readonly to: string;
};

/** Small writes are gathered up to this many bytes. */
const stagingBytes = 256 * 1024;

export class RunIntake {
  readonly #parts: StoreParts;
  readonly #place: IntakePlace;
  readonly #rows: OpenFile;
  readonly #staging = Buffer.allocUnsafe(stagingBytes);
  #staged = 0;
  #written = 0;
  #lastByte = newline;
  #isOpen = true;
  #isCommitted = false;

  private constructor(parts: StoreParts, place: IntakePlace, rows: OpenFile) {
    this.#parts = parts;
    this.#place = place;
    this.#rows = rows;
  }

  static begin(parts: StoreParts, place: IntakePlace): Promise<RunIntake> {
    return parts.health.attempt(async () => {
      await parts.fileSystem.makeFolder(place.from);
      return new RunIntake(parts, place, await parts.fileSystem.open(join(place.from, rowsName), 'create'));
    });
  }

  /**
   * Appends to the rows: one line of JSON a row; a call may end anywhere. The bytes are the caller's again when it
   * resolves. One call at a time. Throws `store_degraded`.
   */
  async write(bytes: Uint8Array): Promise<void> {
    invariant(this.#isOpen, 'rows arrive before the commit');
    if (bytes.length === 0) return;
    if (this.#staged + bytes.length > stagingBytes) await this.#flush();
    this.#lastByte = bytes[bytes.length - 1] ?? newline;
    if (bytes.length > stagingBytes) return this.#append(bytes);
    this.#staging.set(bytes, this.#staged);
    this.#staged += bytes.length;
  }

  /** Makes the run exist: its files reach the disk, then its folder gets its name. Throws `store_degraded`. */
  async commit(run: Run): Promise<void> {
    const { fileSystem, files, health } = this.#parts;
    const { runId, from, to } = this.#place;
    invariant(run.runId === runId, 'an intake holds the rows of its own run');
    const record = jsonBytes(runSchema.parse(run));
    if (this.#lastByte !== newline) await this.write(Uint8Array.of(newline));
    await this.#flush();
    await health.attempt(async () => {
      // In any order: none of it counts before the rename.
      await allDone([
        this.#rows.sync(),
        files.create(join(from, recordName), record),
        // The results' files are made here so that the first commit need not sync the folder once more.
        makeOutputFiles(fileSystem, (name) => join(from, name)),
      ]);
      await this.#close();
      await fileSystem.syncFolder(from);
      await files.rename(from, to);
      this.#isCommitted = true;
      await allDone([fileSystem.syncFolder(dirname(to)), fileSystem.syncFolder(dirname(from))]);
    });
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

  async #flush(): Promise<void> {
    if (this.#staged === 0) return;
    const staged = this.#staging.subarray(0, this.#staged);
    this.#staged = 0;
    await this.#append(staged);
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await this.#parts.health.attempt(() => writeAll(this.#rows, [bytes], this.#written));
    this.#written += bytes.length;
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#rows.close();
  }
}
