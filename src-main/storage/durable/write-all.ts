import type { OpenFile } from '../../files/file-system.ts';

/** A disk that takes nothing this often in a row will not take anything. */
const maxEmptyWrites = 10;

/** Writes every byte, however few the file takes at once. Resolves to their number. */
export async function writeAll(
  file: OpenFile,
  chunks: readonly Uint8Array[],
  position: number,
): Promise<number> {
  let left = chunks.filter((chunk) => chunk.length > 0);
  let written = 0;
  let emptyWrites = 0;
  while (left.length > 0) {
    const taken = await file.write(left, position + written);
    written += taken;
    left = without(left, taken);
    emptyWrites = taken === 0 ? emptyWrites + 1 : 0;
    if (emptyWrites === maxEmptyWrites) throw new Error('The disk takes no more bytes and does not say why');
  }
  return written;
}

/** The chunks without their first `taken` bytes. */
function without(chunks: readonly Uint8Array[], taken: number): Uint8Array[] {
  let skip = taken;
  const left: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (skip < chunk.length) left.push(chunk.subarray(skip));
    skip = Math.max(0, skip - chunk.length);
  }
  return left;
}
