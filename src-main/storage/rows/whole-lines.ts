// Reads a file of lines in large pieces that cut no line unless they may. Bytes are not decoded.
import { newline } from '../../domain/rows/line-bytes.ts';
import type { OpenFile } from '../file-system.ts';
import { readBytes } from '../durable/read-bytes.ts';

export type LineRange = {
  readonly from: number;
  readonly to: number;
  readonly chunkBytes: number;
  /** A longer line comes in several pieces, of which only the last has its newline. */
  readonly mayCut?: boolean | undefined;
};

/**
 * Pieces of about `chunkBytes`, more where one line is longer. Only the last may end without a newline: that line is
 * incomplete, and comes as a piece of its own. Each piece has a buffer of its own.
 */
export async function* wholeLines(file: OpenFile, range: LineRange): AsyncGenerator<Uint8Array> {
  let position = range.from;
  let wanted = range.chunkBytes;
  while (position < range.to) {
    const buffer = Buffer.allocUnsafe(Math.min(wanted, range.to - position));
    const bytes = buffer.subarray(0, await readBytes(file, buffer, position));
    const isEnd = bytes.length < buffer.length || position + bytes.length === range.to;
    const end = bytes.lastIndexOf(newline) + 1;
    if (end === 0 && !isEnd) {
      if (range.mayCut === true) {
        yield bytes;
        position += bytes.length;
      } else wanted *= 2;
      continue;
    }
    if (end > 0) yield bytes.subarray(0, end);
    if (isEnd) {
      if (end < bytes.length) yield bytes.subarray(end);
      return;
    }
    position += end;
    wanted = range.chunkBytes;
  }
}

/** Where the line after the first `lines` ones begins; -1 if there are not that many. */
export function offsetAfterLines(bytes: Uint8Array, lines: number, from = 0): number {
  let offset = from;
  for (let line = 0; line < lines; line += 1) {
    const end = bytes.indexOf(newline, offset);
    if (end < 0) return -1;
    offset = end + 1;
  }
  return offset;
}
