// Named row sets when several change them at once, and when the program ends between two writes.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { RowSet } from '../../../src-main/domain/rows/row-set.ts';
import { RowSetService } from '../../../src-main/services/row-set-service.ts';
import { DataFolder } from '../../../src-main/storage/data-folder.ts';
import { FaultyFileSystem, type Operation } from '../../builders/faulty-file-system.ts';
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

/** More than is gathered before it is written. */
const manyRows = Buffer.from(`{"a":"${'x'.repeat(993)}"}\n`.repeat(700));

const keepMany = (sets: RowSetService, name: string): Promise<RowSet> =>
  sets.keep({ workflowId: 'echo', name, replaces: false }, async (draft) => {
    for (let at = 0; at < manyRows.length; at += 100_000)
      await draft.write(manyRows.subarray(at, at + 100_000));
    return 700;
  });

/** Calls that need room, in the order of saving a set. */
const needsRoom = (operation: Operation, at: string): boolean =>
  at.includes('row-sets') &&
  ['open', 'makeFolder', 'rename', 'syncFolder', 'file.write', 'file.sync', 'file.dataSync'].includes(
    operation,
  );

async function read(sets: RowSetService, id: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of sets.readRows(id)) pieces.push(Buffer.from(bytes));
  return Buffer.concat(pieces).toString();
}

describe('a row set on a disk that fills up', () => {
  it('is refused at each call, leaves nothing behind, and is kept once there is room', async () => {
    const { folder, sets } = await open();
    const refusals: boolean[] = [];
    for (let at = 1; ; at += 1) {
      disk.plan = { fault: 'ENOSPC', at, times: Infinity, counts: needsRoom };
      disk.calls.length = 0;
      const outcome = await keepMany(sets, `set ${at}`).catch((error: unknown) => error);
      disk.plan = undefined;
      if (disk.calls.length < at || folder.health.degraded) break;
      refusals.push(true);
      expect(outcome, `call ${at}`).toMatchObject({ code: 'disk_full' });
      expect(ids(sets)).toEqual([]);
      expect(await readdir(join(path, 'row-sets'))).toEqual([]);
    }
    // Folder, rows, two pieces and the end of them, record, its bytes and sync, the folder's sync, and the name.
    expect(refusals.length).toBeGreaterThan(8);
    // What is told once it has its name is a promise: where that cannot be synced, nobody knows what the disk holds.
    expect(disk.calls.at(-1)?.operation).toBe('syncFolder');
    expect(ids(sets)).toHaveLength(1);
    await folder.close();
  });

  it('is not renamed there, and stays what it was', async () => {
    const { folder, sets } = await open();
    const { id } = await keep(sets, 'first');
    disk.plan = { fault: 'ENOSPC', at: 1, times: Infinity, counts: needsRoom };
    await expect(sets.rename(id, 'second')).rejects.toMatchObject({ code: 'disk_full' });
    disk.plan = undefined;
    expect([folder.health.degraded, sets.list('echo')[0]?.name]).toEqual([false, 'first']);
    expect((await sets.rename(id, 'second')).name).toBe('second');
    await folder.close();
  });
});

describe('rows of a set', () => {
  it('are handed out as they were saved, and refused wherever a byte was changed or is missing', async () => {
    const { folder, sets } = await open();
    const { id } = await keep(sets, 'few');
    const file = join(path, 'row-sets', id, 'rows.ndjson');
    const whole = await readFile(file);
    expect(await read(sets, id)).toBe(whole.toString());
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      for (const bytes of [changed, whole.subarray(0, at)]) {
        await writeFile(file, bytes);
        await expect(read(sets, id), `byte ${at}`).rejects.toMatchObject({ code: 'data_unreadable' });
      }
    }
    await folder.close();
  });

  it('that are too many for one piece are never handed out to their end once one was changed', async () => {
    const { folder, sets } = await open();
    const { id } = await keepMany(sets, 'many');
    const file = join(path, 'row-sets', id, 'rows.ndjson');
    const changed = await readFile(file);
    changed[10] = 0x79;
    await writeFile(file, changed);
    let handed = 0;
    const reading = (async () => {
      for await (const { bytes } of sets.readRows(id)) handed += bytes.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(handed).toBeLessThan(changed.length);
    await folder.close();
  });

  it('of an older version, which kept no checksum, are handed out as they are', async () => {
    const { folder, sets } = await open();
    const { id } = await keep(sets, 'old');
    await folder.close();
    const record = join(path, 'row-sets', id, 'set.json');
    const { rowsCrc, checksum, ...older } = JSON.parse(await readFile(record, 'utf8')) as Record<
      string,
      unknown
    >;
    expect([typeof rowsCrc, typeof checksum]).toEqual(['number', 'string']);
    await writeFile(record, JSON.stringify(older));
    const next = await open();
    expect(await read(next.sets, id)).toBe('{"a":1}\n');
    await next.folder.close();
  });
});
