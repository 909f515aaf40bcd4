import { expect, it } from 'vitest';
import { FreeSpace } from '../../../src-main/storage/free-space.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function diskWith(free: number) {
  const clock = new FakeClock();
  const disk = { free, looks: 0 };
  const fileSystem = { freeBytes: async () => ((disk.looks += 1), disk.free) };
  return { clock, disk, space: new FreeSpace({ fileSystem, clock }, '/data') };
}

it('looks at a disk with plenty of room once a second', async () => {
  const { clock, disk, space } = diskWith(1e12);
  clock.advance(10_000);
  for (let time = 0; time < 30; time += 1) {
    expect(await space.of(1e8)).toBe(1e12);
    clock.advance(100);
  }
  expect(disk.looks).toBeLessThanOrEqual(4);
});

it('looks each time where what is wanted is more than a little of it', async () => {
  const { disk, space } = diskWith(1e9);
  await space.of(1e8);
  disk.free = 5;
  expect(await space.of(1e8)).toBe(5);
});
