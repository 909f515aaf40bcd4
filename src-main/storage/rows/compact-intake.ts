// A run's rows while they arrive, gathered in memory as long as they are few: then they are kept in one file. What becomes
// too large for that goes on as rows of a folder. Who calls: the run service, through RunStore.
import { crc32 } from 'node:zlib';
import { invariant } from '../../base/invariant.ts';
import { newline } from '../../domain/rows/line-bytes.ts';
import { encodeRowNumbers } from '../../domain/run/row-numbers.ts';
import type { Run } from '../../domain/run/run.ts';
import type { CompactRuns } from './compact-runs.ts';
import type { RunIntake } from './run-intake.ts';

export type CompactIntakeParts = {
  readonly compact: CompactRuns;
  /** Of rows and what is beside them, for a run in one file. */
  readonly mostBytes: number;
  readonly beginFolder: () => Promise<RunIntake>;
};

type Gathered = Record<'rows' | 'numbers' | 'given', Uint8Array[]>;

export class CompactIntake {
  readonly #parts: CompactIntakeParts;
  #gathered: Gathered | undefined = { rows: [], numbers: [], given: [] };
  #bytes = 0;
  #folder: RunIntake | undefined;

  constructor(parts: CompactIntakeParts) {
    this.#parts = parts;
  }

  /** As `RunIntake.write`. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#gather('rows', bytes)) await (await this.#inFolder()).write(bytes);
  }

  /** As `RunIntake.writeNumbers`. */
  async writeNumbers(numbers: readonly number[]): Promise<void> {
    if (!this.#gather('numbers', encodeRowNumbers(numbers)))
      await (await this.#inFolder()).writeNumbers(numbers);
  }

  /** As `RunIntake.writeGiven`. */
  async writeGiven(lines: Uint8Array): Promise<void> {
    if (!this.#gather('given', lines)) await (await this.#inFolder()).writeGiven(lines);
  }

  /** As `RunIntake.commit`. */
  async commit(run: Run): Promise<Run> {
    if (this.#gathered === undefined) return (await this.#inFolder()).commit(run);
    const { rows, numbers, given } = this.#gathered;
    this.#gathered = undefined;
    if (rows.length > 0 && rows.at(-1)?.at(-1) !== newline) rows.push(Uint8Array.of(newline));
    const allRows = Buffer.concat(rows);
    const allNumbers = numbers.length === 0 ? undefined : Buffer.concat(numbers);
    const allGiven = given.length === 0 ? undefined : Buffer.concat(given);
    const crcs = {
      rowsCrc: crc32(allRows),
      ...(allNumbers === undefined ? {} : { numbersCrc: crc32(allNumbers) }),
      ...(allGiven === undefined ? {} : { givenCrc: crc32(allGiven) }),
    };
    return this.#parts.compact.accept(
      { ...run, ...crcs },
      { rows: allRows, numbers: allNumbers, given: allGiven },
    );
  }

  /** As `RunIntake.abandon`. */
  async abandon(): Promise<void> {
    this.#gathered = undefined;
    await this.#folder?.abandon();
  }

  /** False: there is too much. */
  #gather(kind: keyof Gathered, bytes: Uint8Array): boolean {
    invariant(this.#gathered !== undefined || this.#folder !== undefined, 'rows arrive before the commit');
    if (this.#gathered === undefined || this.#bytes + bytes.length > this.#parts.mostBytes) return false;
    this.#bytes += bytes.length;
    // The bytes are the caller's again.
    if (bytes.length > 0) this.#gathered[kind].push(Uint8Array.from(bytes));
    return true;
  }

  async #inFolder(): Promise<RunIntake> {
    if (this.#folder !== undefined) return this.#folder;
    invariant(this.#gathered !== undefined, 'rows arrive before the commit');
    const { rows, numbers, given } = this.#gathered;
    this.#folder = await this.#parts.beginFolder();
    this.#gathered = undefined;
    for (const bytes of rows) await this.#folder.write(bytes);
    for (const bytes of numbers) await this.#folder.writeNumberBytes(bytes);
    for (const bytes of given) await this.#folder.writeGiven(bytes);
    return this.#folder;
  }
}
