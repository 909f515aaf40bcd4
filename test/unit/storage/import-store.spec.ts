import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { openDataFolder, type DataFolder } from '../../../src-main/storage/data-folder.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { FaultyFileSystem, type FaultPlan } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const open = (path: string, fileSystem?: FaultyFileSystem): Promise<DataFolder> =>
  openDataFolder({
    path,
    clock: new FakeClock(),
    log: silentLog,
    ...(fileSystem === undefined ? {} : { fileSystem }),
  });

async function importInto(folder: DataFolder, text: string): Promise<void> {
  const staged = await folder.imports.stage('leads');
  try {
    await staged.addFile('data/rows.json', Buffer.from(text));
    await staged.addFile('leads.workflow.yaml', Buffer.from(text));
    await staged.commit();
  } catch (error) {
    await staged.abandon();
    throw error;
  }
}

/** The texts of the import as the next start finds them; undefined where there is none. */
async function afterRestart(path: string): Promise<readonly string[] | undefined> {
  await (await open(path)).close();
  const folder = join(path, 'workflows', 'leads');
  expect(await readdir(join(path, 'workflows')).catch(() => [])).not.toContainEqual(
    expect.stringMatching(/^\./),
  );
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  try {
    return await Promise.all(['data/rows.json', 'leads.workflow.yaml'].map(read));
  } catch {
    expect(await readdir(folder).catch(() => 'none')).toBe('none');
    return undefined;
  }
}

describe('an import', () => {
  it.each([
    ['into an empty place', undefined],
    ['over an earlier one', 'old'],
  ])('%s is there whole or not at all, whichever call fails', async (_, old) => {
    const outcomes = new Set<string | undefined>();
    for (let at = 1; ; at += 1) {
      const path = join(await temporaryFolder(), 'data');
      const disk = new FaultyFileSystem();
      const folder = await open(path, disk);
      if (old !== undefined) await importInto(folder, old);
      disk.calls.length = 0;
      disk.plan = { fault: 'EIO', at, times: Infinity } satisfies FaultPlan;
      const isDone = await importInto(folder, 'new').then(
        () => true,
        () => false,
      );
      const calls = disk.calls.length;
      disk.plan = undefined;
      await folder.close();
      const found = await afterRestart(path);
      outcomes.add(found?.[0]);
      expect(found).toBeOneOf([old === undefined ? undefined : [old, old], ['new', 'new']]);
      if (isDone) expect(found).toEqual(['new', 'new']);
      if (calls < at) break;
    }
    expect([...outcomes].sort()).toEqual([old, 'new'].sort());
  });

  it('over an earlier one keeps its recordings, unless it brings its own', async () => {
    const path = join(await temporaryFolder(), 'data');
    const folder = await open(path);
    await importInto(folder, 'old');
    const inside = join(path, 'workflows', 'leads');
    await writeFile(join(inside, 'leads.cassette.json'), 'recorded');
    await writeFile(join(inside, 'leads.tests.yaml'), 'tests');
    await importInto(folder, 'new');
    expect((await readdir(inside)).sort()).toEqual(['data', 'leads.cassette.json', 'leads.workflow.yaml']);
    expect(await readFile(join(inside, 'leads.cassette.json'), 'utf8')).toBe('recorded');
    const staged = await folder.imports.stage('leads');
    await staged.addFile('leads.cassette.json', Buffer.from('shipped'));
    await staged.commit();
    expect(await readFile(join(inside, 'leads.cassette.json'), 'utf8')).toBe('shipped');
    await folder.close();
  });

  it('over an earlier one with a folder named like a cassette leaves the data folder in use', async () => {
    const path = join(await temporaryFolder(), 'data');
    const folder = await open(path);
    const staged = await folder.imports.stage('leads');
    await staged.addFile('leads.cassette.json/rows.json', Buffer.from('[]'));
    await staged.commit();
    await importInto(folder, 'new');
    expect(folder.health.degraded).toBe(false);
    await folder.close();
    expect(await afterRestart(path)).toEqual(['new', 'new']);
  });

  it('that was cut off is cleared away, and what it was to replace is back', async () => {
    const path = join(await temporaryFolder(), 'data');
    await (await open(path)).close();
    const inside = join(path, 'workflows');
    for (const name of ['.import-1', '.replaced-leads', '.replaced-other', 'other']) {
      await mkdir(join(inside, name), { recursive: true });
      await writeFile(join(inside, name, 'x.workflow.yaml'), name);
    }
    await (await open(path)).close();
    expect((await readdir(inside)).sort()).toEqual(['leads', 'other']);
    expect(await readFile(join(inside, 'leads', 'x.workflow.yaml'), 'utf8')).toBe('.replaced-leads');
    expect(await readFile(join(inside, 'other', 'x.workflow.yaml'), 'utf8')).toBe('other');
  });

  it('that a full disk refuses leaves nothing behind, and the folder in use', async () => {
    const path = join(await temporaryFolder(), 'data');
    const disk = new FaultyFileSystem();
    const folder = await open(path, disk);
    disk.calls.length = 0;
    disk.plan = { fault: 'ENOSPC', at: 1, times: 1, counts: (operation) => operation === 'file.write' };
    await expect(importInto(folder, 'new')).rejects.toMatchObject({ code: 'disk_full' });
    expect(folder.health.degraded).toBe(false);
    await importInto(folder, 'new');
    await folder.close();
    expect(await afterRestart(path)).toEqual(['new', 'new']);
  });
});
