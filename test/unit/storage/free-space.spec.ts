import { expect, it } from 'vitest';
import { FreeSpace } from '../../../src-main/storage/free-space.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function diskWith(free: number) {
  const clock = new FakeClock();
  const disk = { free, looks: 0 };
  const fileSystem = { freeBytes: async () => ((disk.looks += 1), disk.free) };
  return { clock, disk, space: new FreeSpace({ fileSystem, clock }, '/data') };
}

it('free space of a disk with plenty of room is read once a second', async () => {
  const { clock, disk, space } = diskWith(1e12);
  clock.advance(10_000);
  for (let time = 0; time < 30; time += 1) {
    await space.assertFree(1e8);
    clock.advance(100);
  }
  expect(disk.looks).toBeLessThanOrEqual(4);
});

it('free space is read each time if the request is a large part of it', async () => {
  const { disk, space } = diskWith(1e9);
  await space.assertFree(1e8);
  disk.free = 5;
  await expect(space.assertFree(1e8)).rejects.toMatchObject({ code: 'disk_full' });
});
