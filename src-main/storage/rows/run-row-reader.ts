// A run's rows together with what is stored beside them: their numbers, and values that they are given. Fits
// `RowReader` of the executor's ports.
import { decodeRowNumbers, rowNumberBytes } from '../../domain/run/row-numbers.ts';
import { dataUnreadable } from '../../domain/errors.ts';
import { asUnreadable, readBytes, release } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import type { RowReader } from './row-reader.ts';
import { numbersName } from './run-files.ts';

type RunRows = {
  readonly firstRow: number;
  readonly rows: number;
  readonly bytes: Uint8Array;
  readonly numbers?: readonly number[];
  readonly given?: Uint8Array;
};

type RunRowSource = {
  /** The run's folder, for messages. */
  readonly label: string;
  readonly rows: RowReader;
  readonly numbers: OpenFile | undefined;
  /** Reads lines beside the rows as it reads rows. */
  readonly given: RowReader | undefined;
};

/** Values can be far larger than their rows, so fewer of these go together. */
const mostRowsWithValues = 16;

export class RunRowReader {
  readonly #source: RunRowSource;

  constructor(source: RunRowSource) {
    this.#source = source;
  }

  /** As `RowReader.next`. Throws `data_unreadable`. */
  async next(maxRows: number, maxBytes: number): Promise<RunRows | undefined> {
    const { rows, numbers, given, label } = this.#source;
    const batch = await rows.next(
      given === undefined ? maxRows : Math.min(maxRows, mostRowsWithValues),
      maxBytes,
    );
    if (batch === undefined) return undefined;
    return {
      ...batch,
      ...(numbers === undefined ? {} : { numbers: await readNumbers(numbers, batch, label) }),
      ...(given === undefined ? {} : { given: await readLines(given, batch.rows, label) }),
    };
  }

  async close(): Promise<void> {
    const { rows, numbers, given } = this.#source;
    await rows.close();
    await given?.close();
    if (numbers !== undefined) await release(numbers);
  }
}

/** Throws `data_unreadable`. */
export async function readNumbers(
  file: OpenFile,
  { firstRow, rows }: { readonly firstRow: number; readonly rows: number },
  label: string,
): Promise<readonly number[]> {
  const bytes = new Uint8Array(rows * rowNumberBytes);
  const read = await readBytes(file, bytes, (firstRow - 1) * rowNumberBytes).catch((error: unknown) => {
    throw asUnreadable(`${label}/${numbersName}`, error);
  });
  if (read < bytes.length) throw dataUnreadable(`${label}/${numbersName}: it is too short`);
  return decodeRowNumbers(bytes);
}

async function readLines(reader: RowReader, lines: number, label: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let left = lines; left > 0;) {
    const piece = await reader.next(left, Infinity);
    if (piece === undefined) throw dataUnreadable(`${label}: values of ${left} rows are missing`);
    pieces.push(piece.bytes);
    left -= piece.rows;
  }
  return Buffer.concat(pieces);
}
