import { describe, expect, it } from 'vitest';
import { openFolder } from './storage-fixture.ts';
import { layouts } from '../../builders/durability/run-layouts.ts';
import { PowerCutFileSystem, type Cut } from '../../builders/power-cut-file-system.ts';
import { expectKept, live, noPromises, type Promises } from './story.ts';

const dataKept = ['synced', 'half', 'all', 'even sectors', 'odd sectors'] as const;
const entriesKept: Record<string, (seed: number) => Cut['entries']> = {
  none: () => () => false,
  all: () => () => true,
  some: (seed) => (change) => ((seed * 31 + change * 17) >> 2) % 2 === 0,
};

type Image = { readonly disk: PowerCutFileSystem; readonly promises: Promises; readonly call: number };

/** The story, with an image of the disk as a power cut before each of its calls would leave it. */
async function imagesOf(cutAt: (call: number) => Cut, mostCompactBytes?: number): Promise<Image[]> {
  const disk = new PowerCutFileSystem();
  const promises = noPromises();
  const images: Image[] = [];
  const take = (): void => {
    const call = images.length;
    images.push({ disk: disk.afterCut(cutAt(call)), promises: structuredClone(promises), call });
  };
  const folder = await openFolder('/data', disk, { mostCompactBytes });
  disk.beforeChange = take;
  await live(folder, promises);
  take();
  return images;
}

describe.each(layouts)('a power cut before any call, with runs $layout', ({ mostCompactBytes }) => {
  for (const [entries, entriesAt] of Object.entries(entriesKept)) {
    for (const data of dataKept) {
      it(`loses nothing promised when ${entries} of the unsynced names and ${data} data remain`, async () => {
        const images = await imagesOf((call) => ({ entries: entriesAt(call), data }), mostCompactBytes);
        expect(images.length).toBeGreaterThan(80);
        for (const { disk, promises, call } of images) {
          // The process that had the lock is gone with the power.
          await disk.remove('/data/lock');
          const folder = await openFolder('/data', disk);
          await expectKept(folder, promises).catch((error: unknown) => {
            throw new Error(`power cut before call ${call}`, { cause: error });
          });
          await folder.close();
        }
      });
    }
  }

  it('is a rig that notices what was not synced', async () => {
    const disk = new PowerCutFileSystem();
    const file = await disk.open('/x', 'create');
    await file.write([Buffer.from('abcd')], 0);
    const list = async (cut: Cut) => disk.afterCut(cut).list('/');
    expect(await list({ entries: () => false, data: 'all' })).toEqual([]);
    await disk.syncFolder('/');
    const sizes = await Promise.all(
      dataKept.map(async (data) => (await disk.afterCut({ entries: () => false, data }).stat('/x'))?.size),
    );
    expect(sizes).toEqual([0, 2, 4, 4, 4]);
  });
});
