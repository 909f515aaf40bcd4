import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { openDataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const clock = new FakeClock();
const start = async (path: string, version: string, fileSystem: FileSystem = nodeFileSystem) => {
  clock.advance(1000);
  const folder = await openDataFolder({ path, version, clock, log: silentLog, fileSystem });
  await folder.settings.update((settings) => ({ ...settings, runsAtOnce: settings.runsAtOnce + 1 }));
  await folder.close();
};
const backupsIn = async (path: string) => (await readdir(join(path, 'backups')).catch(() => [])).sort();

describe('a start by another version', () => {
  it('keeps the documents and workflow files as the last one left them', async () => {
    const path = await temporaryFolder();
    await start(path, '1.0.0');
    await mkdir(join(path, 'workflows', 'Ordner mit ü'), { recursive: true });
    await writeFile(join(path, 'workflows', 'Ordner mit ü', 'a.workflow.yaml'), 'x'.repeat(2_500_000));
    await writeFile(join(path, 'secrets.key'), 'sealed.key');
    await symlink('/etc', join(path, 'workflows', 'elsewhere'));
    const before = await readFile(join(path, 'settings.json'), 'utf8');
    await start(path, '1.1.0');
    const [backup, ...more] = await backupsIn(path);
    expect([backup, more]).toEqual([expect.stringMatching(/^[\d.T-]+Z from 1\.0\.0$/), []]);
    const copy = join(path, 'backups', backup ?? '');
    expect((await readdir(copy, { recursive: true })).sort()).toEqual([
      'secrets.key',
      'settings.json',
      'workflows',
      join('workflows', 'Ordner mit ü'),
      join('workflows', 'Ordner mit ü', 'a.workflow.yaml'),
    ]);
    expect(await readFile(join(copy, 'settings.json'), 'utf8')).toBe(before);
    expect(await readFile(join(path, 'settings.json'), 'utf8')).not.toBe(before);
    const file = await readFile(join(copy, 'workflows', 'Ordner mit ü', 'a.workflow.yaml'), 'utf8');
    expect(file).toBe('x'.repeat(2_500_000));
  });

  it('leaves out what it may not read below the workflows, and what tools keep there', async () => {
    const path = await temporaryFolder();
    await start(path, '1.0.0');
    for (const folder of ['.git', 'node_modules']) {
      await mkdir(join(path, 'workflows', folder), { recursive: true });
      await writeFile(join(path, 'workflows', folder, 'much'), 'x');
    }
    await writeFile(join(path, 'workflows', 'mine.workflow.yaml'), 'x');
    await writeFile(join(path, 'workflows', 'theirs.workflow.yaml'), 'x');
    const fileSystem: FileSystem = {
      ...nodeFileSystem,
      open: (file, mode) =>
        file.endsWith('theirs.workflow.yaml') && !file.includes('backups')
          ? Promise.reject(Object.assign(new Error('not yours'), { code: 'EACCES' }))
          : nodeFileSystem.open(file, mode),
    };
    await start(path, '1.1.0', fileSystem);
    const [backup] = await backupsIn(path);
    expect(await readdir(join(path, 'backups', backup ?? '', 'workflows'))).toEqual(['mine.workflow.yaml']);
  });

  it('never removes the copy that it has just made, whatever the clock says', async () => {
    const path = await temporaryFolder();
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) await start(path, version);
    clock.setWallTime(Date.UTC(2020, 0, 1));
    await start(path, '1.4.0');
    expect((await backupsIn(path)).map((name) => name.split(' from ')[1])).toEqual([
      '1.3.0',
      '1.1.0',
      '1.2.0',
    ]);
  });

  it('keeps the three newest copies, also on the way back to an older version', async () => {
    const path = await temporaryFolder();
    for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.2.0']) await start(path, version);
    const names = await backupsIn(path);
    expect(names.map((name) => name.split(' from ')[1])).toEqual(['1.1.0', '1.2.0', '1.3.0']);
  });

  it('does not go on without the copy, and makes it whole the next time', async () => {
    const path = await temporaryFolder();
    await start(path, '1.0.0');
    const before = await readFile(join(path, 'settings.json'), 'utf8');
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const fullDisk: FileSystem = {
      ...nodeFileSystem,
      open: (file, mode) =>
        mode === 'create' && file.includes('.draft') ? Promise.reject(full) : nodeFileSystem.open(file, mode),
    };
    await expect(start(path, '1.1.0', fullDisk)).rejects.toThrow('no space left');
    expect(await readFile(join(path, 'settings.json'), 'utf8')).toBe(before);
    await start(path, '1.1.0');
    expect(await backupsIn(path)).toHaveLength(1);
  });
});

it('nothing is copied for the same version, nor from a new folder', async () => {
  const path = await temporaryFolder();
  await start(path, '1.0.0');
  await start(path, '1.0.0');
  expect(await backupsIn(path)).toEqual([]);
  expect(await readFile(join(path, 'version'), 'utf8')).toBe('1.0.0\n');
});
