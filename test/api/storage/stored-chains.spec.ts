// What the version before chains wrote: format 1 of `rowbench.db`, and a team's database without the column.
import { createHash } from 'node:crypto';
import { readdir, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openStoredRuns } from '../../../src-main/storage/runs/open-run-stores.ts';
import type { RunStore } from '../../../src-main/storage/runs/run-store.ts';
import { addTeamChains } from '../../../src-main/team/admin/chain-migration.ts';
import { migrateDatabase } from '../../../src-main/team/admin/migrate-database.ts';
import { migrations } from '../../../src-main/team/admin/schema.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { openTeamStores } from '../../builders/team-stores.ts';
import { queryDatabase } from '../../builders/query-database.ts';
import { storageThread, withRunStores } from '../../builders/run-stores.ts';
import { linesOf, rowLine, runIdOf, runOf } from '../../builders/stored-rows.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workflow = 'rowbench: 1';
const workflowHash = createHash('sha256').update(workflow).digest('hex');
const [first, fixed, last, again] = [1, 2, 3, 4].map(runIdOf) as [string, string, string, string];

/** A run, a rerun of two of its rows, one of a row of these, and one of all rows. */
async function acceptRuns(runs: RunStore): Promise<void> {
  const accept = async (n: number, rows: number, rerunOf?: string, numbers?: number[]): Promise<void> => {
    const writer = await runs.openRunWriter();
    if (numbers !== undefined) writer.setNumbers(numbers);
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, rows)) });
    await writer.commit(runOf(n, rows, { workflowHash, ...(rerunOf === undefined ? {} : { rerunOf }) }));
  };
  await accept(1, 5);
  await accept(2, 2, first, [2, 4]);
  await accept(3, 1, fixed, [4]);
  await accept(4, 5, first);
}

/** Later formats add a column with its index, and a table. */
async function folderOfFormat1(): Promise<string> {
  const dataDir = await temporaryFolder();
  await withRunStores(dataDir, async ({ runs, snapshots }) => {
    await snapshots.put(workflowHash, workflow, 'workflow');
    await acceptRuns(runs);
  });
  await queryDatabase(
    dataDir,
    ['drop index runs_by_chain'],
    ['alter table runs drop column chain_id'],
    ['drop table shared_answers'],
    ['pragma user_version = 1'],
  );
  return dataDir;
}

it('each run of an earlier format is in one chain once the folder is opened, and the file of before stays', async () => {
  const dataDir = await folderOfFormat1();
  await withRunStores(dataDir, async ({ runs }) => {
    expect(await runs.attemptsOf(first, 9)).toEqual([first, fixed, last]);
    expect(await runs.attemptsOf(again, 9)).toEqual([again]);
    const listed = await runs.list({});
    expect(listed.map(({ run }) => run.chainId)).toEqual([undefined, first, first, undefined]);
    expect((await runs.find(last))?.run.chainId).toBe(first);
  });
  expect(await readdir(dataDir)).toContain('rowbench.db.format-1');
  const [copied] = await queryDatabase(dataDir, ['select count(*) as runs from runs where chain_id is null']);
  expect(copied).toEqual([{ runs: 0 }]);
  // A second start finds nothing to do.
  await withRunStores(dataDir, async ({ runs }) => {
    expect(await runs.attemptsOf(first, 9)).toHaveLength(3);
  });
});

it('a file of an earlier format is read with its chains while another version has it, and stays as it is', async () => {
  const dataDir = await folderOfFormat1();
  const { runs, database } = await openStoredRuns(dataDir, {
    script: storageThread,
    clock: systemClock,
    log: silentLog,
  });
  try {
    expect(await runs.attemptsOf(first, 9)).toEqual([first, fixed, last]);
    expect((await runs.find(fixed))?.run.chainId).toBe(first);
    expect((await runs.find(again))?.run.chainId).toBeUndefined();
  } finally {
    await database.close();
  }
  const [format] = await queryDatabase(dataDir, ['pragma user_version']);
  expect(format).toEqual([{ user_version: 1 }]);
  expect(await readdir(dataDir)).not.toContain('rowbench.db.format-1');
});

it('a file of an earlier format stays as it is while the disk has no room for a copy, and the message says how much is needed', async () => {
  const dataDir = await folderOfFormat1();
  const path = join(dataDir, 'rowbench.db');
  const { size } = await stat(path);
  const { bavail, bsize } = await statfs(dataDir);
  // SQLite knows from its header where its pages end; the rest takes no room on the disk.
  await truncate(path, Math.ceil(bavail * bsize * 1.5));
  await expect(withRunStores(dataDir, () => Promise.resolve())).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(
      /first copies the file: \d+ MB are free on its disk, \d+ MB are needed\. Free that space and start again$/,
    ) as string,
  });
  await truncate(path, size);
  expect((await readdir(dataDir)).filter((name) => name.includes('format-1'))).toEqual([]);
  const [format] = await queryDatabase(dataDir, ['pragma user_version']);
  expect(format).toEqual([{ user_version: 1 }]);
  await withRunStores(dataDir, async ({ runs }) => {
    expect(await runs.attemptsOf(first, 9)).toEqual([first, fixed, last]);
  });
});

it.skipIf(whyNoPostgres !== undefined)(
  'the migration of a team’s database puts each stored run into one chain, also while a server of the version before adds runs',
  async () => {
    const { url } = await createTestDatabase();
    const number = migrations.indexOf(addTeamChains) + 1;
    const { runs, snapshots, close } = await openTeamStores(openPool(url));
    await snapshots.put(workflowHash, workflow, 'workflow');
    await acceptRuns(runs);
    await close();
    const pool = openPool(url);
    onTestFinished(() => pool.close());
    await pool.run(`
      drop table rowbench.shared_answers;
      drop index rowbench.runs_by_chain;
      alter table rowbench.runs drop column chain_id;
      delete from rowbench.migrations where number >= ${number}`);
    expect(await migrateDatabase(pool)).toMatchObject({ from: number - 1, to: migrations.length });
    // A server of the version before leaves the column empty.
    await pool.run(`update rowbench.runs set chain_id = null where run_id = '${again}'`);
    const stores = await openTeamStores(openPool(url));
    onTestFinished(() => stores.close());
    expect(await stores.runs.attemptsOf(first, 9)).toEqual([first, fixed, last]);
    expect(await stores.runs.attemptsOf(again, 9)).toEqual([again]);
    const listed = await stores.runs.list({});
    expect(listed.map(({ run }) => run.chainId)).toEqual([undefined, first, first, undefined]);
  },
  60_000,
);
