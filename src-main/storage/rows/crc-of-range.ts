import { crc32 } from 'node:zlib';
import { readBytes } from '../durable/read-bytes.ts';
import type { OpenFile } from '../file-system.ts';

const pieceBytes = 256 * 1024;

/** CRC32 of a file's bytes from one place to another, or to its end if that comes before. Holds a piece of them at most. */
export async function crcOfRange(file: OpenFile, from: number, to: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(pieceBytes, to - from)));
  let crc = 0;
  for (let position = from; position < to; position += buffer.length) {
    const piece = buffer.subarray(0, Math.min(buffer.length, to - position));
    crc = crc32(piece.subarray(0, await readBytes(file, piece, position)), crc);
  }
  return crc;
}
