import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryDatabase } from '../../builders/query-database.ts';
import { runCli } from '../../builders/run-cli.ts';
import { openStores } from '../../builders/run-stores.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const cliFile = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
let dataDir = '';

/** A store whose copy takes much longer than a signal to the process that makes it. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rowbench-backup-'));
  await (await openStores(dataDir)).close();
  await queryDatabase(
    dataDir,
    ['create table filler (content blob)'],
    [
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) insert into filler select randomblob(1000000) from n',
    ],
  );
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function emptyFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'backups');
  await mkdir(folder);
  return folder;
}

/** Sends the signal as soon as the copy is under way. Resolves to the signal that ended the process. */
async function backupEndedBy(signal: NodeJS.Signals, folder: string): Promise<unknown> {
  const watcher = watch(folder);
  const child = spawn(process.execPath, [cliFile, 'backup', join(folder, 'copy.db'), '--data', dataDir]);
  const ended = once(child, 'close');
  try {
    await once(watcher, 'change');
    expect(existsSync(join(folder, 'copy.db.partial'))).toBe(true);
    child.kill(signal);
    const [, endedBy] = (await ended) as [unknown, unknown];
    return endedBy;
  } finally {
    watcher.close();
    child.kill('SIGKILL');
  }
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a backup that %s stops leaves no file', async (signal) => {
  const folder = await emptyFolder();
  expect(await backupEndedBy(signal, folder)).toBe(signal);
  expect(await readdir(folder)).toEqual([]);
});

it('a backup replaces the partial file of one that was killed', async () => {
  const folder = await emptyFolder();
  expect(await backupEndedBy('SIGKILL', folder)).toBe('SIGKILL');
  expect(await readdir(folder)).toContain('copy.db.partial');
  // SQLite has one while it writes the copy; the signal may come before or after.
  await writeFile(join(folder, 'copy.db.partial-journal'), 'a journal of the killed backup');
  const again = await runCli(['backup', join(folder, 'copy.db'), '--data', dataDir]);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('written to') as string });
  expect(await readdir(folder)).toEqual(['copy.db']);
});
