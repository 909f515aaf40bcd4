// Named row sets under concurrent changes, and their state at the next start.
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import type { Clock } from '../../../../src-main/base/clock.ts';
import { systemClock } from '../../../../src-main/base/system-clock.ts';
import type { RowSet } from '../../../../src-main/domain/rows/row-set.ts';
import { RowSetService } from '../../../../src-main/services/rowsets/row-set-service.ts';
import { nodeFileSystem } from '../../../../src-main/files/node-file-system.ts';
import type { Database } from '../../../../src-main/storage/sqlite/open-database.ts';
import { StoreHealth } from '../../../../src-main/storage/runs/store-health.ts';
import { memoryDatabase, openMemoryStores } from '../../../builders/store-thread-double.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

let database: Database;
let sets: RowSetService;

beforeEach(async () => {
  database = memoryDatabase();
  sets = await open();
});

/** The sets that the next start finds. */
async function open(clock: Clock = systemClock): Promise<RowSetService> {
  const path = join(await temporaryFolder());
  const health = new StoreHealth(silentLog);
  const { rowSets } = await openMemoryStores(database, { health, fileSystem: nodeFileSystem, path });
  return new RowSetService({ store: rowSets, clock });
}

const keep = (name: string, replaces = false): Promise<RowSet> =>
  sets.save({ workflowId: 'echo', name, replaces }, async (draft) => {
    await draft.write(Buffer.from('{"a":1}\n'));
    return 1;
  });

const ids = async (of: RowSetService): Promise<string[]> => (await of.list('echo')).map(({ id }) => id);

describe('row sets that change at once', () => {
  it('row sets of one name are refused but for one', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => keep('same')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(7);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'invalid_input' });
    expect(await ids(sets)).toHaveLength(1);
    expect(await ids(await open())).toEqual(await ids(sets));
  });

  it('row sets that replace one another leave the last one alone', async () => {
    await Promise.all(Array.from({ length: 8 }, () => keep('same', true)));
    expect(await ids(sets)).toHaveLength(1);
    expect(await ids(await open())).toEqual(await ids(sets));
  });

  it('a removed row set does not come back by a rename that was under way', async () => {
    const { id } = await keep('first');
    await Promise.allSettled([sets.rename(id, 'second'), sets.remove(id), sets.rename(id, 'third')]);
    expect(await ids(sets)).toEqual([]);
    await expect(sets.rename(id, 'fourth')).rejects.toMatchObject({ code: 'row_set_not_found' });
    expect(await ids(await open())).toEqual([]);
  });

  it('a row set does not come back under a name that another takes meanwhile', async () => {
    const { id } = await keep('first');
    const other = await keep('second');
    await sets.remove(id);
    const [renamed, restored] = await Promise.allSettled([sets.rename(other.id, 'first'), sets.restore(id)]);
    expect([renamed.status, restored.status]).toEqual(['fulfilled', 'rejected']);
  });

  it('a replaced row set can be brought back for good once its name is free', async () => {
    const old = await keep('same');
    const { id } = await keep('same', true);
    await expect(sets.restore(old.id)).rejects.toMatchObject({ code: 'invalid_input' });
    await sets.rename(id, 'other');
    await sets.restore(old.id);
    expect((await ids(await open())).sort()).toEqual([id, old.id].sort());
  });
});

describe('a draft', () => {
  const saveDraft = (workflowId: string, of = sets): Promise<RowSet> =>
    of.saveDraft({ workflowId }, async (writer) => {
      await writer.write(Buffer.from('{"version":1}\n{"a":1}\n'));
      return 2;
    });
  const batches = (): unknown => database.prepare('select count(*) as n from row_batches').get();

  it('a draft takes the place of the one before it, and outlives a restart', async () => {
    await saveDraft('echo');
    const [last] = [await saveDraft('echo'), await saveDraft('other')];
    await expect.poll(batches).toEqual({ n: 2 });
    expect(await (await open()).draft('echo')).toEqual(last);
  });

  it('a draft is not listed, renamed or counted as a row set', async () => {
    const { id } = await saveDraft('echo');
    expect(await sets.list('echo')).toEqual([]);
    for (const attempt of [sets.rename(id, 'x'), sets.remove(id)])
      await expect(attempt).rejects.toMatchObject({ code: 'row_set_not_found' });
  });

  it('a dropped draft leaves nothing behind, and a newer one stays', async () => {
    const old = await saveDraft('echo');
    const last = await saveDraft('echo');
    await sets.dropDraft(old.id);
    expect(await sets.draft('echo')).toEqual(last);
    await sets.dropDraft(last.id);
    expect(await sets.draft('echo')).toBeUndefined();
    await expect.poll(batches).toEqual({ n: 0 });
  });

  it('a draft is removed after seven days', async () => {
    const days = (count: number): Clock => ({
      ...systemClock,
      now: () => Date.now() + count * 24 * 3_600_000,
    });
    const saved = await saveDraft('echo');
    expect(await (await open(days(6.9))).draft('echo')).toEqual(saved);
    expect(await (await open(days(7.1))).draft('other')).toBeUndefined();
    await expect.poll(batches).toEqual({ n: 0 });
    expect(await (await open()).draft('echo')).toBeUndefined();
  });

  it('drafts that are saved at once leave one', async () => {
    await Promise.all(Array.from({ length: 8 }, () => saveDraft('echo')));
    await expect.poll(batches).toEqual({ n: 1 });
    expect(await sets.draft('echo')).toBeDefined();
  });
});

it('a row set whose rows stop arriving leaves nothing behind', async () => {
  const lines = Buffer.from('{"a":1}\n'.repeat(1500));
  const receive = async (draft: { write(bytes: Uint8Array): Promise<void> }): Promise<number> => {
    await draft.write(lines);
    throw new Error('the client went away');
  };
  await expect(sets.save({ workflowId: 'echo', name: 'half', replaces: false }, receive)).rejects.toThrow(
    'the client went away',
  );
  expect(await ids(sets)).toEqual([]);
  const count = database.prepare('select count(*) as n from row_batches');
  await expect.poll((): unknown => count.get()).toEqual({ n: 0 });
});
