// The numbers that the rows of some runs go by, where these are not their positions. Who calls: RunStore.
import { dataUnreadable } from '../../domain/errors.ts';
import { countLines, newline } from '../../domain/rows/line-bytes.ts';
import { rowNumberBytes, type RowPiece } from '../../domain/run/row-numbers.ts';
import type { Run } from '../../domain/run/run.ts';
import { asUnreadable, orUnreadable, release } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { RecentIds } from '../recent-ids.ts';
import type { RowRange } from './committed-parts.ts';
import { crcOfRange } from './crc-of-range.ts';
import { findNumber } from './find-number.ts';
import { numbersName } from './run-files.ts';
import type { RunFolder } from './run-folder.ts';
import { readNumbers } from './run-row-reader.ts';

export type NumbersSource = {
  readonly folder: (runId: string) => RunFolder;
  readonly readRun: (runId: string) => Promise<Run | undefined>;
};

/** So that what is known of runs is bounded. */
const mostKnown = 1000;

export class RunNumbers {
  readonly #source: NumbersSource;
  /** Runs whose numbers have been found whole. */
  readonly #checked = new RecentIds(mostKnown);
  /** Runs without: a run has them from its start or never. */
  readonly #without = new RecentIds(mostKnown);

  constructor(source: NumbersSource) {
    this.#source = source;
  }

  /**
   * Undefined where numbers are positions. All of them are held against their checksum when they are first opened:
   * parts of them are all that is read later. Throws `data_unreadable`.
   */
  async open(runId: string): Promise<OpenFile | undefined> {
    if (this.#without.has(runId)) return undefined;
    const file = await this.#source.folder(runId).openIfThere(numbersName);
    if (file === undefined) this.#without.add(runId);
    if (file === undefined || this.#checked.has(runId)) return file;
    try {
      await this.#check(runId, file);
      this.#checked.add(runId);
      return file;
    } catch (error) {
      await release(file);
      throw asUnreadable(this.#labelOf(runId), error);
    }
  }

  /** The position, from 1, of the row with that number; undefined if there is none. Throws `data_unreadable`. */
  async positionOf(runId: string, number: number): Promise<number | undefined> {
    const found = await this.#withFile(runId, (file) => findNumber(file, number));
    if (found === undefined) return number;
    return found.isThere ? found.position : undefined;
  }

  /** Positions among which all rows with numbers of that range are. Throws `data_unreadable`. */
  async positionsOf(runId: string, numbers: RowRange): Promise<RowRange> {
    const first = await this.#withFile(runId, (file) => findNumber(file, numbers.from));
    if (first === undefined) return numbers;
    // Numbers rise, by one at least.
    return { from: first.position, to: first.position + numbers.to - numbers.from };
  }

  /** Of consecutive rows, the first by its position. Throws `data_unreadable`. */
  async read(
    runId: string,
    { firstRow, rows }: { readonly firstRow: number; readonly rows: number },
  ): Promise<readonly number[]> {
    const { label } = this.#source.folder(runId);
    const numbers = await this.#withFile(runId, (file) => readNumbers(file, { firstRow, rows }, label));
    return numbers ?? Array.from({ length: rows }, (_, index) => firstRow + index);
  }

  /** Lines of rows with their numbers. Throws `data_unreadable`. */
  async *addedTo(runId: string, lines: AsyncIterable<RowPiece>): AsyncGenerator<RowPiece> {
    const file = await this.open(runId);
    if (file === undefined) {
      yield* lines;
      return;
    }
    const { label } = this.#source.folder(runId);
    try {
      for await (const { firstRow, bytes } of lines) {
        const rows = countLines(bytes) + (bytes.at(-1) === newline ? 0 : 1);
        const numbers = await readNumbers(file, { firstRow, rows }, label);
        yield { firstRow, bytes, numbers };
      }
    } finally {
      await release(file);
    }
  }

  async #withFile<T>(runId: string, use: (file: OpenFile) => Promise<T>): Promise<T | undefined> {
    const file = await this.open(runId);
    if (file === undefined) return undefined;
    try {
      return await orUnreadable(this.#labelOf(runId), () => use(file));
    } finally {
      await release(file);
    }
  }

  async #check(runId: string, file: OpenFile): Promise<void> {
    const run = await this.#source.readRun(runId);
    if (run?.numbersCrc === undefined) return;
    const size = run.rows * rowNumberBytes;
    if ((await file.size()) !== size)
      throw dataUnreadable(`${this.#labelOf(runId)}: it is not as long as it was`);
    if ((await crcOfRange(file, 0, size)) !== run.numbersCrc)
      throw dataUnreadable(`${this.#labelOf(runId)}: the numbers are not those that were accepted`);
  }

  #labelOf(runId: string): string {
    return this.#source.folder(runId).labelOf(numbersName);
  }
}
