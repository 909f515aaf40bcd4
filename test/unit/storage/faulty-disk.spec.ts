import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import type { DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/storage/file-system.ts';
import { nodeFileSystem } from '../../../src-main/storage/node-file-system.ts';
import {
  FaultyFileSystem,
  type Fault,
  type FaultPlan,
  type Operation,
} from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { layouts } from '../../builders/durability/run-layouts.ts';
import { PowerCutFileSystem } from '../../builders/power-cut-file-system.ts';
import { openFolder } from './storage-fixture.ts';
import { expectKept, live, noPromises, type Promises } from './story.ts';

type Disk = {
  readonly path: string;
  readonly inner: FileSystem;
  readonly mostCompactBytes?: number | undefined;
};
type Outcome = {
  readonly promises: Promises;
  readonly error: unknown;
  readonly folder: DataFolder | undefined;
  readonly calls: FaultyFileSystem['calls'];
};

const memoryDisk = (mostCompactBytes?: number): Disk => ({
  path: '/data',
  inner: new PowerCutFileSystem(),
  mostCompactBytes,
});

/** The story on a disk with a fault; ends at the first error. */
async function liveOn({ path, inner, mostCompactBytes }: Disk, plan?: FaultPlan): Promise<Outcome> {
  const faulty = new FaultyFileSystem(plan, inner);
  const promises = noPromises();
  let folder: DataFolder | undefined;
  try {
    folder = await openFolder(path, faulty, { mostCompactBytes });
    await live(folder, promises);
    return { promises, error: undefined, folder, calls: faulty.calls };
  } catch (error) {
    return { promises, error, folder, calls: faulty.calls };
  }
}

/** The next start, with the disk well again. */
async function expectKeptAfterRestart({ path, inner }: Disk, promises: Promises): Promise<void> {
  await inner.remove(join(path, 'lock'));
  const folder = await openFolder(path, inner);
  await expectKept(folder, promises);
  await folder.close();
}

const isWrite = (operation: Operation): boolean => operation === 'file.write';
const isSync = (operation: Operation): boolean => /sync/i.test(operation);

describe.each(layouts)('a disk that fails at any call, with runs $layout', ({ mostCompactBytes }) => {
  const plans: [string, Fault, number, FaultPlan['counts'] | undefined][] = [
    ['every call fails once with EIO', 'EIO', 1, undefined],
    ['every call fails with EIO, and all after it', 'EIO', Infinity, undefined],
    ['every write fails once for want of space', 'ENOSPC', 1, isWrite],
    ['every write fails for want of space, and all after it', 'ENOSPC', Infinity, isWrite],
    [
      'every write, sync, rename and creation meets a disk gone read-only',
      'EROFS',
      Infinity,
      (op) => op !== 'list',
    ],
  ];
  for (const [title, fault, times, counts] of plans) {
    it(`keeps every promise when ${title}`, async () => {
      const count = (
        await liveOn(memoryDisk(mostCompactBytes), { fault, at: Infinity, times, ...(counts && { counts }) })
      ).calls.length;
      expect(count).toBeGreaterThan(20);
      for (let at = 1; at <= count; at += 1) {
        const disk = memoryDisk(mostCompactBytes);
        const { promises, error, calls } = await liveOn(disk, {
          fault,
          at,
          times,
          ...(counts && { counts }),
        });
        const failed = calls[at - 1];
        const story = `${fault} at call ${at}: ${failed?.operation} ${failed?.path}`;
        if (error !== undefined) expect(error, story).toBeInstanceOf(AppError);
        await expectKeptAfterRestart(disk, promises).catch((cause: unknown) => {
          throw new Error(story, { cause });
        });
      }
    });
  }

  for (const fault of ['one byte', 'all but one', 'nothing'] as const) {
    it(`completes every write that takes ${fault} at first`, async () => {
      const count = (
        await liveOn(memoryDisk(mostCompactBytes), { fault, at: Infinity, times: 1, counts: isWrite })
      ).calls.length;
      for (let at = 1; at <= count; at += 1) {
        const disk = memoryDisk(mostCompactBytes);
        const { promises, error } = await liveOn(disk, { fault, at, times: 1, counts: isWrite });
        expect(error).toBeUndefined();
        await expectKeptAfterRestart(disk, promises);
      }
    });
  }

  it('reports a disk that takes no byte at all instead of waiting for ever', async () => {
    const disk = memoryDisk(mostCompactBytes);
    const counts = (operation: Operation, path: string): boolean =>
      isWrite(operation) && path.includes('keys');
    const { error, folder } = await liveOn(disk, { fault: 'nothing', at: 1, times: Infinity, counts });
    expect(error).toMatchObject({ code: 'store_degraded' });
    expect(folder?.health.degraded).toBe(true);
  });

  it('never syncs a file again whose sync has failed, and accepts nothing more', async () => {
    const count = (
      await liveOn(memoryDisk(mostCompactBytes), { fault: 'EIO', at: Infinity, times: 1, counts: isSync })
    ).calls.length;
    for (let at = 1; at <= count; at += 1) {
      const { error, folder, calls } = await liveOn(memoryDisk(mostCompactBytes), {
        fault: 'EIO',
        at,
        times: 1,
        counts: isSync,
      });
      if (folder === undefined) continue;
      expect(error).toMatchObject({ code: 'store_degraded' });
      expect(folder.health.degraded).toBe(true);
      const failed = calls[at - 1];
      expect(calls.slice(at).filter((call) => call.path === failed?.path)).toEqual([]);
      await expect(folder.runs.beginIntake('0197a000-0000-7000-8000-000000000009')).rejects.toMatchObject({
        code: 'store_degraded',
        detail: { retryAfterSeconds: 30 },
      });
    }
  });

  it('keeps every promise on real files too, at a sample of their calls', async () => {
    const path = await temporaryFolder();
    const { calls } = await liveOn({ path: join(path, 'whole'), inner: nodeFileSystem });
    for (let at = 3; at <= calls.length; at += 11) {
      const disk = { path: join(path, String(at)), inner: nodeFileSystem };
      const { promises } = await liveOn(disk, { fault: 'ENOSPC', at, times: Infinity });
      await expectKeptAfterRestart(disk, promises);
    }
  });
});

describe('a rename that something holds up', () => {
  const isRename = (operation: Operation): boolean => operation === 'rename';

  it('is tried again until it succeeds', async () => {
    const disk = memoryDisk();
    const { promises, error } = await liveOn(disk, { fault: 'EPERM', at: 2, times: 3, counts: isRename });
    expect(error).toBeUndefined();
    await expectKeptAfterRestart(disk, promises);
  });

  it('is given up after ten more attempts, with nothing lost', async () => {
    const disk = memoryDisk();
    const { promises, error, calls } = await liveOn(disk, {
      fault: 'EBUSY',
      at: 2,
      times: Infinity,
      counts: isRename,
    });
    expect(error).toMatchObject({ code: 'store_degraded' });
    expect(calls.length).toBe(1 + 11);
    await expectKeptAfterRestart(disk, promises);
  });
});

describe('a data folder that cannot be used', () => {
  it('is refused with the reason when it is no folder', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, 'mine');
    await expect(openFolder(path)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining('ENOTDIR') as string,
    });
  });
});
