import { expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../src-main/base/deferred.ts';
import { FolderSyncs } from '../../../src-main/storage/durable/folder-syncs.ts';

function slowDisk() {
  const syncs: Deferred[] = [];
  const shared = new FolderSyncs({
    syncFolder: () => {
      const sync = deferred();
      syncs.push(sync);
      return sync.promise;
    },
  });
  return { syncs, shared };
}

it('shares one sync among all who came while another one was under way', async () => {
  const { syncs, shared } = slowDisk();
  const first = shared.sync('/runs');
  const later = [shared.sync('/runs'), shared.sync('/runs'), shared.sync('/runs')];
  expect(syncs).toHaveLength(1);
  syncs[0]?.resolve();
  await first;
  await expect.poll(() => syncs.length).toBe(2);
  const last = shared.sync('/runs');
  syncs[1]?.resolve();
  await Promise.all(later);
  await expect.poll(() => syncs.length).toBe(3);
  syncs[2]?.resolve();
  await last;
});

it('never counts a sync that had begun before', async () => {
  const { syncs, shared } = slowDisk();
  void shared.sync('/runs');
  let isDone = false;
  const later = shared.sync('/runs').then(() => (isDone = true));
  syncs[0]?.resolve();
  await expect.poll(() => syncs.length).toBe(2);
  expect(isDone).toBe(false);
  syncs[1]?.resolve();
  await later;
});

it('tells those who wait behind a sync that it failed: what it failed at may be theirs', async () => {
  const { syncs, shared } = slowDisk();
  const first = shared.sync('/runs');
  const second = shared.sync('/runs');
  syncs[0]?.reject(new Error('EIO'));
  await Promise.all([first, second].map((sync) => expect(sync).rejects.toThrow('EIO')));
  expect(syncs).toHaveLength(1);
  const third = shared.sync('/runs');
  expect(syncs).toHaveLength(2);
  syncs[1]?.resolve();
  await third;
});

it('keeps folders apart', () => {
  const { syncs, shared } = slowDisk();
  void shared.sync('/runs');
  void shared.sync('/incoming');
  expect(syncs).toHaveLength(2);
});
