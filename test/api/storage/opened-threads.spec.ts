// Opens the two threads of `rowbench.db` together, as a server does at its start.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { RunDatabase } from '../../../src-main/storage/runs/run-database.ts';
import { openForWriting } from '../../../src-main/storage/sqlite/open-database.ts';
import { formatNumber } from '../../../src-main/storage/sqlite/schema.ts';
import { StoreHealth } from '../../../src-main/storage/runs/store-health.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const script = join(import.meta.dirname, '../../../dist/storage-thread.cjs');

/** Threads that died unexpectedly are added to `died`. */
const open = (folder: string, died: Error[] = []): Promise<RunDatabase> =>
  RunDatabase.open({
    folder,
    script,
    health: new StoreHealth(silentLog),
    onDied: (error) => died.push(error),
  });

const threads = async (): Promise<number> => (await readdir('/proc/self/task')).length;

it('the reading thread finds the tables that the writing thread has just made', async () => {
  const database = await open(await temporaryFolder());
  onTestFinished(() => database.close());
  expect(await database.read('run', 'no-such-run')).toBeUndefined();
});

it.runIf(process.platform === 'linux').each([
  [
    'damaged',
    (path: string) => writeFile(path, 'not a database, but long enough to have a header'.repeat(20)),
  ],
  [
    'of a newer version',
    async (path: string) => {
      const database = await openForWriting(path);
      database.exec(`pragma user_version = ${formatNumber + 1}`);
      database.close();
    },
  ],
])('both threads end when the file is %s', async (_, make) => {
  const [folder, died] = [await temporaryFolder(), [] as Error[]];
  await make(join(folder, 'rowbench.db'));
  const before = await threads();
  // The writer's own reason, not that the reader was ended for it.
  await expect(open(folder, died)).rejects.toThrow(/not a database|has format/);
  await expect.poll(threads).toBeLessThanOrEqual(before);
  expect(died).toEqual([]);
});
