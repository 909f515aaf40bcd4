import type { OpenFile } from '../../files/file-system.ts';

/** Maximum writes in a row that write nothing. */
const maxEmptyWrites = 10;

/** Writes all bytes, with as many calls as necessary. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  let emptyWrites = 0;
  while (written < bytes.length) {
    const taken = await file.write(bytes.subarray(written), position + written);
    written += taken;
    emptyWrites = taken === 0 ? emptyWrites + 1 : 0;
    if (emptyWrites === maxEmptyWrites)
      throw new Error('The disk accepts no more bytes and reports no error');
  }
}
