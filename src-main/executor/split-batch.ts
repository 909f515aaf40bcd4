// Cuts a batch of rows in two: a worker gives back the rows that have ended when the others take long.
import { newline } from '../domain/rows/line-bytes.ts';
import type { RowBatch } from './ports.ts';

/**
 * @param rows number of rows of the first part; less than the batch has
 * @returns the first part and the rest
 */
export function splitBatch<Batch extends RowBatch>(batch: Batch, rows: number): [Batch, Batch] {
  const { firstRow, numbers, bytes, reusedValues } = batch;
  const at = endOfLine(bytes, rows);
  const valuesAt = reusedValues === undefined ? 0 : endOfLine(reusedValues, rows);
  return [
    {
      ...batch,
      rows,
      bytes: bytes.subarray(0, at),
      ...(numbers === undefined ? {} : { numbers: numbers.slice(0, rows) }),
      ...(reusedValues === undefined ? {} : { reusedValues: reusedValues.subarray(0, valuesAt) }),
    },
    {
      ...batch,
      firstRow: firstRow + rows,
      rows: batch.rows - rows,
      bytes: bytes.subarray(at),
      ...(numbers === undefined ? {} : { numbers: numbers.slice(rows) }),
      ...(reusedValues === undefined ? {} : { reusedValues: reusedValues.subarray(valuesAt) }),
    },
  ];
}

/** The offset after so many lines. */
function endOfLine(bytes: Uint8Array, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line += 1) at = bytes.indexOf(newline, at) + 1;
  return at;
}
