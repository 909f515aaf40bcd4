import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { openStoredRuns } from '../../../src-main/storage/open-stored-runs.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { acceptRun, openWithFolders, runIdOf, runOf } from './storage-fixture.ts';

it('reading a damaged record without the lock gives the one before it and moves nothing', async () => {
  const path = await temporaryFolder();
  const folder = await openWithFolders(path);
  await acceptRun(folder, 1, 1);
  await folder.runs.save(runOf(1, 1, { status: 'running' }));
  const runFolder = join(path, 'runs', runIdOf(1));
  await writeFile(join(runFolder, 'run.json'), '{"version":1');
  const before = await readdir(runFolder);
  const stored = openStoredRuns(path, { clock: systemClock, log: silentLog });
  expect(await stored.read(runIdOf(1))).toMatchObject(runOf(1, 1));
  expect(await readdir(runFolder)).toEqual(before);
  await folder.close();
});
