// A small file system in memory, to be filled to its last byte and to be made read-only under a running server.
import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { hasCode } from '../../../src-main/storage/file-system.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

export type SmallDisk = {
  readonly path: string;
  /** Until not a byte more is taken. */
  fill(): Promise<void>;
  /** Undoes `fill`. */
  free(): Promise<void>;
  allow(what: 'reading' | 'writing'): Promise<void>;
};

/** Gone when the test is over. Undefined where this user may not mount anything. */
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
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => fillUp(ballast),
    free: () => rm(ballast),
    allow: async (what) =>
      void (await run('mount', ['-o', `remount,${what === 'reading' ? 'ro' : 'rw'}`, path])),
  };
}

async function fillUp(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (const bytes of [1_048_576, 4096, 1]) await writeUntilFull(file, Buffer.alloc(bytes));
  } finally {
    await file.close();
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.write(piece);
    } catch (error) {
      if (hasCode(error, 'ENOSPC')) return;
      throw error;
    }
  }
}
