// The ports of row sets: rows kept under a name.
import { describe, expect, it } from 'vitest';
import type { RowSet } from '../../../src-main/domain/rows/row-set.ts';
import type { RowSetStore } from '../../../src-main/storage/runs/row-set-store.ts';
import { backends, storesOfTests } from '../../builders/store-backends.ts';
import { linesOf, rowLine, textOf } from '../../builders/stored-rows.ts';

const savedAt = '2026-01-01T00:00:00.000Z';

describe.each(backends)('row sets in %s', (_, create) => {
  const { createBackend, openStore } = storesOfTests(create);

  async function keep(store: RowSetStore, name: string, rows: number, replaced?: RowSet): Promise<RowSet> {
    const writer = await store.openWriter();
    const bytes = Buffer.from(linesOf(rowLine, 1, rows));
    for (let at = 0; at < bytes.length; at += 10_000) await writer.write(bytes.subarray(at, at + 10_000));
    return writer.commit({ workflowId: 'echo', name, rows, savedAt }, replaced);
  }

  it.each([0, 1, 2500])(
    'a set of %i rows is kept with its size, and found by the next opening',
    async (rows) => {
      const backend = await createBackend();
      const first = await openStore(backend);
      const set = await keep(first.rowSets, 'mine', rows);
      const text = linesOf(rowLine, 1, rows);
      expect(set).toMatchObject({ name: 'mine', rows, bytes: Buffer.byteLength(text), savedAt });
      expect(await textOf(first.rowSets.readRows(set.id))).toBe(text);
      await first.close();
      const { rowSets } = await openStore(backend);
      expect(await rowSets.list()).toEqual([set]);
      expect(await textOf(rowSets.readRows(set.id))).toBe(text);
    },
  );

  it('a row of 6 MB in a set comes back whole', async () => {
    const { rowSets } = await openStore();
    const line = Buffer.from(`{"text":"${'é'.repeat(3_000_000)}"}\n`);
    const writer = await rowSets.openWriter();
    for (let at = 0; at < line.length; at += 100_000) await writer.write(line.subarray(at, at + 100_000));
    const { id } = await writer.commit({ workflowId: 'echo', name: 'large', rows: 1, savedAt });
    expect((await textOf(rowSets.readRows(id))) === line.toString()).toBe(true);
  });

  it('a set that takes the place of another removes it with the same step', async () => {
    const { rowSets } = await openStore();
    const old = await keep(rowSets, 'same', 1);
    const set = await keep(rowSets, 'same', 2, old);
    expect(await rowSets.get(old.id)).toMatchObject({ removed: true });
    expect(await rowSets.get(set.id)).toEqual(set);
  });

  it('a set is renamed', async () => {
    const backend = await createBackend();
    const first = await openStore(backend);
    const set = await keep(first.rowSets, 'before', 1);
    await first.rowSets.save({ ...set, name: 'after' });
    await first.close();
    expect(await (await openStore(backend)).rowSets.list()).toEqual([{ ...set, name: 'after' }]);
  });

  it('a removed set can be brought back until the next start, and is gone then', async () => {
    const backend = await createBackend();
    const first = await openStore(backend);
    const [back, gone] = [await keep(first.rowSets, 'back', 3), await keep(first.rowSets, 'gone', 3)];
    for (const set of [back, gone]) await first.rowSets.save({ ...set, removed: true });
    expect(await textOf(first.rowSets.readRows(gone.id))).toBe(linesOf(rowLine, 1, 3));
    await first.rowSets.save(back);
    await first.close();
    const { rowSets } = await openStore(backend);
    expect(await rowSets.list()).toEqual([back]);
    expect(await textOf(rowSets.readRows(back.id))).toBe(linesOf(rowLine, 1, 3));
    await expect(textOf(rowSets.readRows(gone.id))).rejects.toMatchObject({ code: 'row_set_not_found' });
    await expect(rowSets.save(gone)).rejects.toMatchObject({ code: 'row_set_not_found' });
  });

  it('abandoned rows of a set leave nothing behind', async () => {
    const { rowSets, runs } = await openStore();
    const before = await runs.usedBytes();
    const writer = await rowSets.openWriter();
    await writer.write(Buffer.from(linesOf(rowLine, 1, 20_000)));
    await writer.abandon();
    expect(await rowSets.list()).toEqual([]);
    await expect.poll(() => runs.usedBytes()).toBeLessThan(before + 50_000);
  });
});
