// Named row sets when several change them at once, and when the program ends between two writes.
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { RowSet } from '../../../src-main/domain/rows/row-set.ts';
import { RowSetService } from '../../../src-main/services/row-set-service.ts';
import { DataFolder } from '../../../src-main/storage/data-folder.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

let path: string;
let disk: FaultyFileSystem;

beforeEach(async () => {
  path = join(await temporaryFolder(), 'data');
  disk = new FaultyFileSystem();
});

async function open() {
  const folder = await DataFolder.open({ path, clock: systemClock, log: silentLog, fileSystem: disk });
  return { folder, sets: new RowSetService({ store: folder.rowSets, clock: systemClock }) };
}

const keep = (sets: RowSetService, name: string, replaces = false): Promise<RowSet> =>
  sets.keep({ workflowId: 'echo', name, replaces }, async (draft) => {
    await draft.write(Buffer.from('{"a":1}\n'));
    return 1;
  });

const ids = (sets: RowSetService): string[] => sets.list('echo').map(({ id }) => id);

/** What the next start finds. */
async function restarted(folder: DataFolder): Promise<RowSetService> {
  await folder.close();
  disk = new FaultyFileSystem();
  const next = await open();
  await next.folder.close();
  return next.sets;
}

describe('row sets that change at once', () => {
  it('of one name: one is kept, the others are refused', async () => {
    const { folder, sets } = await open();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => keep(sets, 'same')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'invalid_input' });
    expect(ids(sets)).toHaveLength(1);
    expect(ids(await restarted(folder))).toEqual(ids(sets));
  });

  it('and replace one another leave the last one alone', async () => {
    const { folder, sets } = await open();
    await Promise.all(Array.from({ length: 8 }, () => keep(sets, 'same', true)));
    expect(ids(sets)).toHaveLength(1);
    expect(ids(await restarted(folder))).toEqual(ids(sets));
  });

  it('do not come back by a rename that was under way', async () => {
    const { folder, sets } = await open();
    const { id } = await keep(sets, 'first');
    await Promise.allSettled([sets.rename(id, 'second'), sets.remove(id), sets.rename(id, 'third')]);
    expect(ids(sets)).toEqual([]);
    await expect(sets.rename(id, 'fourth')).rejects.toMatchObject({ code: 'row_set_not_found' });
    expect(ids(await restarted(folder))).toEqual([]);
  });

  it('do not come back under a name that another takes meanwhile', async () => {
    const { folder, sets } = await open();
    const { id } = await keep(sets, 'first');
    const other = await keep(sets, 'second');
    await sets.remove(id);
    const [renamed, restored] = await Promise.allSettled([sets.rename(other.id, 'first'), sets.restore(id)]);
    expect([renamed.status, restored.status]).toEqual(['fulfilled', 'rejected']);
    await folder.close();
  });
});

describe('a row set that takes the place of another', () => {
  it('does so with one step, whatever ends the program after it', async () => {
    const { folder, sets } = await open();
    const old = await keep(sets, 'same');
    let isThere = false;
    disk.plan = {
      fault: 'EIO',
      at: 1,
      times: Infinity,
      counts: (operation, at) => {
        const counts = isThere;
        isThere ||= operation === 'rename' && at.startsWith(join(path, 'row-sets'));
        return counts;
      },
    };
    await keep(sets, 'same', true).catch(() => undefined);
    expect(isThere).toBe(true);
    disk.plan = undefined;
    const found = ids(await restarted(folder));
    expect(found).toHaveLength(1);
    expect(found).not.toContain(old.id);
    expect(found).toEqual(ids(sets));
  });

  it('lets the other be brought back for good once the name is free', async () => {
    const { folder, sets } = await open();
    const old = await keep(sets, 'same');
    const { id } = await keep(sets, 'same', true);
    await expect(sets.restore(old.id)).rejects.toMatchObject({ code: 'invalid_input' });
    await sets.rename(id, 'other');
    await sets.restore(old.id);
    expect(ids(await restarted(folder)).sort()).toEqual([id, old.id].sort());
  });
});
