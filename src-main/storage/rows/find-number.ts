// Where a row stands whose number is not its position: numbers rise, so that it is found by halving.
import { decodeRowNumbers, rowNumberBytes } from '../../domain/run/row-numbers.ts';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';

/** The position, from 1, of the row with that number; where there is none, of the next one. */
export type NumberPlace = { readonly position: number; readonly isThere: boolean };

export async function findNumber(numbers: OpenFile, wanted: number): Promise<NumberPlace> {
  let low = 1;
  let high = Math.floor((await numbers.size()) / rowNumberBytes);
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const bytes = new Uint8Array(rowNumberBytes);
    await readBytes(numbers, bytes, (middle - 1) * rowNumberBytes);
    const [number = 0] = decodeRowNumbers(bytes);
    if (number === wanted) return { position: middle, isThere: true };
    if (number < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return { position: low, isThere: false };
}
