// A data folder that the version before chains wrote: format 1 of `rowbench.db`.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { expect, it } from 'vitest';
import { openStoredRuns } from '../../../src-main/storage/runs/open-run-stores.ts';
import { queryDatabase } from '../../builders/query-database.ts';
import { storageThread, withRunStores } from '../../builders/run-stores.ts';
import { linesOf, rowLine, runIdOf, runOf } from '../../builders/stored-rows.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const workflow = 'rowbench: 1';
const workflowHash = createHash('sha256').update(workflow).digest('hex');
const [first, fixed, last, again] = [1, 2, 3, 4].map(runIdOf) as [string, string, string, string];

/** Format 2 differs from format 1 in a column and its index alone. */
async function folderOfFormat1(): Promise<string> {
  const dataDir = await temporaryFolder();
  await withRunStores(dataDir, async ({ runs, snapshots }) => {
    await snapshots.put(workflowHash, workflow, 'workflow');
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
  });
  await queryDatabase(
    dataDir,
    ['drop index runs_by_chain'],
    ['alter table runs drop column chain_id'],
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
