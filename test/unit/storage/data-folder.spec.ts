import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { defaultSettings } from '../../../src-main/domain/settings.ts';
import type { FileSystem } from '../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../src-main/files/node-file-system.ts';
import { readServerInfo } from '../../../src-main/storage/documents/server-info-file.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { openFolder } from '../../builders/open-data-folder.ts';

/** The pid of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

const lockOf = (owner: { pid: number; start?: string | null }): string =>
  JSON.stringify({ start: null, token: 'somebody', ...owner });

async function modesBelow(folder: string): Promise<Record<string, string>> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const modes = names.map(async (name) => {
    const found = await stat(join(folder, name));
    return [name, `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`] as const;
  });
  return Object.fromEntries(await Promise.all(modes));
}

describe('opening a data folder', () => {
  it('makes it, with default settings and no keys', async () => {
    const folder = await openFolder(join(await temporaryFolder(), 'a', 'b c é'));
    expect(folder.settings.value).toEqual(defaultSettings);
    expect(folder.keys.value).toEqual({ version: 1, keys: [] });
    expect(folder).toMatchObject({ wasCrashed: false, notices: [] });
    await folder.close();
  });

  it('gives files to their owner alone, whatever the umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => void process.umask(before));
    const path = join(await temporaryFolder(), 'data');
    const folder = await openFolder(path);
    await folder.settings.update((settings) => ({ ...settings, runsAtOnce: 3 }));
    await folder.serverInfo.write(serverInfo(process.pid));
    const modes = Object.values(await modesBelow(path));
    expect(modes.length).toBeGreaterThan(4);
    expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']));
    await folder.close();
  });

  it('closes a folder of ours that was opened to others, and leaves the mode of one that holds other things', async () => {
    const ours = join(await temporaryFolder(), 'ours');
    const before = await openFolder(ours);
    await before.settings.update((settings) => ({ ...settings, runsAtOnce: 3 }));
    await before.close();
    const mixed = join(await temporaryFolder(), 'mixed');
    await mkdir(join(mixed, 'photos'), { recursive: true });
    for (const path of [ours, mixed]) {
      await chmod(path, 0o755);
      await (await openFolder(path)).close();
    }
    expect((await modesBelow(ours))['.']).toBe('folder 700');
    const modes = await modesBelow(mixed);
    expect([modes['.'], modes['cassettes']]).toEqual(['folder 755', 'folder 700']);
  });

  it('clears away unfinished writes', async () => {
    const path = await temporaryFolder();
    await (await openFolder(path)).close();
    await writeFile(join(path, 'keys.json.1234.tmp'), '{');
    await writeFile(join(path, 'cassettes', 'x.1234.tmp'), '{');
    const folder = await openFolder(path);
    expect((await readdir(path, { recursive: true })).filter((name) => name.includes('tmp'))).toEqual([]);
    await folder.close();
  });

  it('leaves runs in the format of an earlier version as they are, and says where they lie', async () => {
    const path = await temporaryFolder();
    await mkdir(join(path, 'runs', '0197a000-0000-7000-8000-000000000001'), { recursive: true });
    const folder = await openFolder(path);
    expect(folder.notices).toEqual([
      expect.stringContaining(`${join(path, 'runs')} holds runs in the format of an earlier version`),
    ]);
    expect(await readdir(join(path, 'runs'))).toEqual(['0197a000-0000-7000-8000-000000000001']);
    await folder.close();
  });

  it('tells what it set aside', async () => {
    const path = await temporaryFolder();
    const before = await openFolder(path);
    await before.settings.update((settings) => ({ ...settings, runsAtOnce: 3 }));
    await before.settings.update((settings) => ({ ...settings, runsAtOnce: 4 }));
    await before.close();
    await writeFile(join(path, 'settings.json'), '{}');
    const folder = await openFolder(path);
    expect(folder.settings.value.runsAtOnce).toBe(3);
    expect(folder.notices).toEqual([expect.stringContaining('settings.json: version: Missing value.')]);
    await folder.close();
  });

  it('fails, and lets go of the folder, when a document cannot be read', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'keys.json'), 'damage');
    for (let start = 1; start <= 2; start += 1) {
      await expect(openFolder(path)).rejects.toMatchObject({
        code: 'data_unreadable',
        message: 'Stored data cannot be read: keys.json: it is damaged',
      });
    }
    expect(await readFile(join(path, 'keys.json'), 'utf8')).toBe('damage');
  });
});

describe('a data folder has one writer', () => {
  it('refuses a second one and names the first', async () => {
    const path = await temporaryFolder();
    const first = await openFolder(path);
    await expect(openFolder(path)).rejects.toMatchObject({
      code: 'data_folder_locked',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
    await first.close();
    const next = await openFolder(path);
    expect(next.wasCrashed).toBe(false);
    await next.close();
  });

  it('refuses while another process has it, and leaves everything as it is', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'lock'), lockOf({ pid: process.ppid }));
    await expect(openFolder(path)).rejects.toMatchObject({
      code: 'data_folder_locked',
      message: expect.stringContaining(`process ${process.ppid}`) as string,
    });
    expect(await readdir(path)).toEqual(['lock']);
  });

  it.each([
    ['whose process has ended', () => lockOf({ pid: endedPid() })],
    ['whose pid is now another process', () => lockOf({ pid: process.ppid, start: '1' })],
    ['whose writer died before it wrote its name', () => ''],
    ['that is damaged', () => '{"pid":'],
  ])('takes over a lock %s', async (_, text) => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'lock'), text());
    const folder = await openFolder(path);
    expect(folder.wasCrashed).toBe(true);
    await folder.close();
    expect(await readdir(path)).not.toContain('lock');
  });

  it('takes over a take-over whose process has ended', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'lock'), lockOf({ pid: endedPid() }));
    await writeFile(join(path, 'lock.takeover'), lockOf({ pid: endedPid() }));
    const folder = await openFolder(path);
    await folder.close();
    expect((await readdir(path)).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  it.each([
    ['no lock', undefined],
    ['a stale lock', () => lockOf({ pid: endedPid() })],
    ['a stale lock and a stale take-over', () => lockOf({ pid: endedPid() }), true],
  ])('lets exactly one of many starters in when there is %s', async (_, text, isTakeoverStale = false) => {
    for (let round = 0; round < 4; round += 1) {
      const path = await temporaryFolder();
      if (text !== undefined) await writeFile(join(path, 'lock'), text());
      if (text !== undefined && isTakeoverStale) await writeFile(join(path, 'lock.takeover'), text());
      const starts = await Promise.allSettled(
        Array.from({ length: 8 }, () => openFolder(path, undefined, { clock: systemClock })),
      );
      const started = starts.filter((start) => start.status === 'fulfilled');
      const refused = starts.filter((start) => start.status === 'rejected');
      expect(started).toHaveLength(1);
      for (const { reason } of refused) expect(reason).toMatchObject({ code: 'data_folder_locked' });
      await Promise.all(started.map(({ value }) => value.close()));
    }
  });

  it('never removes a lock that was taken between a look at it and the take-over', async () => {
    const path = await temporaryFolder();
    const lock = join(path, 'lock');
    const opened: Awaited<ReturnType<typeof openFolder>>[] = [];
    let looks = 0;
    // To the late one the lock is there at first, then gone, and then its next owner comes in at the last moment.
    const late: FileSystem = {
      ...nodeFileSystem,
      async open(name, mode) {
        if (name !== lock || opened.length > 0) return nodeFileSystem.open(name, mode);
        if (mode === 'create') throw Object.assign(new Error('there'), { code: 'EEXIST' });
        looks += 1;
        if (looks === 2) opened.push(await openFolder(path));
        throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      },
    };
    await expect(openFolder(path, late)).rejects.toMatchObject({ code: 'data_folder_locked' });
    await expect(openFolder(path)).rejects.toMatchObject({ code: 'data_folder_locked' });
    expect(opened).toHaveLength(1);
    await opened[0]?.close();
  });

  it('leaves a lock alone that another process has taken over', async () => {
    const path = await temporaryFolder();
    const folder = await openFolder(path);
    await writeFile(join(path, 'lock'), lockOf({ pid: 1 }));
    await folder.close();
    expect(await readFile(join(path, 'lock'), 'utf8')).toBe(lockOf({ pid: 1 }));
  });
});

const serverInfo = (pid: number) => ({
  pid,
  url: 'http://127.0.0.1:4170',
  controlToken: 'secret',
  startedAt: '2026-01-01T00:00:00.000Z',
});

describe('the server file', () => {
  it('is found by another process while its server lives, and gone afterwards', async () => {
    const path = await temporaryFolder();
    const folder = await openFolder(path);
    expect(await readServerInfo(path)).toBeUndefined();
    await folder.serverInfo.write(serverInfo(process.pid));
    expect(await readServerInfo(path)).toEqual(serverInfo(process.pid));
    await folder.serverInfo.remove();
    expect(await readServerInfo(path)).toBeUndefined();
    await folder.close();
  });

  it('counts for nothing when its process has ended or it is damaged', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'server.json'), JSON.stringify(serverInfo(endedPid())));
    expect(await readServerInfo(path)).toBeUndefined();
    await writeFile(join(path, 'server.json'), '{');
    expect(await readServerInfo(path)).toBeUndefined();
    expect(await readServerInfo(join(path, 'nowhere'))).toBeUndefined();
  });

  it('of a server that crashed is gone once the next one has the folder', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'server.json'), JSON.stringify(serverInfo(process.pid)));
    const folder = await openFolder(path);
    expect(await readServerInfo(path)).toBeUndefined();
    await folder.close();
  });
});
