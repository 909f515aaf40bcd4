// A small file system in memory, to be filled to its last byte and to be made read-only under a running server.
import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

export type SmallDisk = {
  readonly path: string;
  /** Makes it as small as what is on it. */
  fill(): Promise<void>;
  /** Undoes `fill`. */
  free(): Promise<void>;
  allow(what: 'reading' | 'writing'): Promise<void>;
};

/** Mounts a small disk until the end of the test. Undefined if this user may not mount file systems. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = join(await temporaryFolder(), 'disk');
  await mkdir(path);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'rowbench-proof', path]);
  } catch {
    // Not as root, not on Linux, or in a container that does not allow it: whatever the words, there is no disk.
    return undefined;
  }
  onTestFinished(async () => void (await run('umount', ['-l', path])));
  const remount = async (options: string): Promise<void> =>
    void (await run('mount', ['-o', `remount,${options}`, path]));
  return {
    path,
    fill: () => shrink(path, (bytes) => remount(`size=${bytes}`)),
    free: () => remount(`size=${megabytes}m`),
    allow: (what) => remount(what === 'reading' ? 'ro' : 'rw'),
  };
}

/** A server may write between the look at what is used and the new size, which is refused then or too large. */
async function shrink(path: string, setSize: (bytes: number) => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { blocks, bfree, bsize } = await statfs(path);
    await setSize((blocks - bfree) * bsize).catch(() => undefined);
    if ((await statfs(path)).bfree === 0) return;
  }
  throw new Error('the disk does not get full');
}
