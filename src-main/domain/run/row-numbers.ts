// The numbers that rows go by: in messages, identifiers, traces and seeds. A row's number is its position in its run,
// from 1, unless the run repeats rows of another: then they keep the numbers that they had.
import type { ReadAs } from './read-as.ts';

/** Consecutive rows of a run. */
export type NumberedRows = {
  /** Position of the first row, from 1. */
  readonly firstRow: number;
  /** One a row, rising; absent where numbers are positions. */
  readonly numbers?: readonly number[];
};

/** Consecutive rows, or what belongs to them, as whole lines, each ended by a newline, unless a reader says otherwise. */
export type RowLines = NumberedRows & { readonly bytes: Uint8Array };

/** Rows in place of those of a run that is repeated. */
export type EditedRows = {
  /** One JSON object a line. */
  readonly lines: string;
  /** The numbers that the rows had in the original run, rising, one a row. Without them they are counted from 1. */
  readonly numbers?: readonly number[] | undefined;
  /** How the file of the rows was read. */
  readonly readAs?: ReadAs | undefined;
};

export const rowNumberAt = ({ firstRow, numbers }: NumberedRows, index: number): number =>
  numbers?.[index] ?? firstRow + index;

/** Bytes of one stored number: u32, little endian, so that any slice of a million rows is read at once. */
export const rowNumberBytes = 4;

export function encodeRowNumbers(numbers: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.length * rowNumberBytes));
  numbers.forEach((number, index) => view.setUint32(index * rowNumberBytes, number, true));
  return new Uint8Array(view.buffer);
}

export function decodeRowNumbers(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / rowNumberBytes }, (_, index) =>
    view.getUint32(index * rowNumberBytes, true),
  );
}

/**
 * The identifier of a row in a run's output: the run's random part and the row's number (from 1), six digits or
 * more. Unique over runs, stable over restarts, in row order when sorted up to 999,999 rows.
 */
export const rowId = (runId: string, row: number): string => rowIdsOf(runId)(row);

/** The same for many rows of one run. */
export function rowIdsOf(runId: string): (row: number) => string {
  const start = `${randomPart(runId)}_`;
  return (row) => start + String(row).padStart(6, '0');
}

/** The last group of a version 7 UUID is random. */
const randomPart = (runId: string): string => runId.slice(runId.lastIndexOf('-') + 1);
