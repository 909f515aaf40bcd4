// A trigger of one row took as long as a hash of the workflow's tables, although they had been stored long before.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { withRunStores } from '../builders/run-stores.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Computing time of this process, in ms. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it('a table is kept for a thousand runs in the time that it takes to hash it fifty times', async () => {
  await withRunStores(await temporaryFolder(), async ({ snapshots }) => {
    const table = 'key,value\n'.repeat(200_000);
    const hash = hashOf(table);
    await snapshots.put(hash, table, 'table');
    const hashing = await costOf(() => {
      for (let time = 0; time < 50; time += 1) hashOf(table);
    });
    const keeping = await costOf(async () => {
      for (let run = 0; run < 1000; run += 1) await snapshots.put(hash, table, 'table');
    });
    expect(keeping).toBeLessThan(hashing);
  });
});
