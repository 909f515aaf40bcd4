import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: into a neighbour first, which takes the name once everything is on the disk.
 * A reader never sees half a file, and a failure leaves the old one as it was.
 */
export async function writeOutputFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const handle = await open(draft, 'wx');
  try {
    for await (const piece of pieces) await handle.appendFile(piece, 'utf8');
    await handle.sync();
    await handle.close();
    await rename(draft, path);
  } catch (error) {
    await handle.close().catch(() => undefined); // closed already when the rename failed
    await rm(draft, { force: true });
    throw error;
  }
}
