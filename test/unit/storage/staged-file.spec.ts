// Rows that arrive go on to the disk while more of them come. What fails on the way unseen is told in the end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FaultyFileSystem, type Operation } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { openWithFolders, runIdOf, runOf } from './storage-fixture.ts';

const runId = runIdOf(1);
const row = `{"text":"${'x'.repeat(990)}"}\n`;
const mebibyte = 1024 * 1024;

async function intakeOn(fileSystem: FaultyFileSystem) {
  const path = await temporaryFolder();
  const folder = await openWithFolders(path, fileSystem);
  fileSystem.calls.length = 0;
  const rowsFile = join(path, 'runs', runId, 'rows.ndjson');
  return { folder, rowsFile, intake: await folder.runs.beginIntake(runId) };
}

it('many bytes in pieces of any size are what is there in the end, synced on the way', async () => {
  const fileSystem = new FaultyFileSystem();
  const { intake, rowsFile } = await intakeOn(fileSystem);
  const rows = 9000;
  const bytes = Buffer.from(row.repeat(rows));
  const sizes = [1, 100, 65_536, 300_000, 7, 900_000];
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const given = Buffer.from(bytes.subarray(at, at + (sizes[piece % sizes.length] ?? 1)));
    await intake.write(given);
    // They are the caller's again.
    given.fill(0);
    at += given.length;
  }
  await intake.commit(runOf(1, rows));
  expect((await readFile(rowsFile)).equals(bytes)).toBe(true);
  const early = fileSystem.calls.filter(({ operation }) => operation === 'file.dataSync');
  expect(early.length).toBeGreaterThan(0);
});

it.each<Operation>(['file.write', 'file.dataSync'])(
  '%s that fails once, unseen, prevents the run',
  async (failing) => {
    const fileSystem = new FaultyFileSystem();
    const { folder, intake } = await intakeOn(fileSystem);
    fileSystem.calls.length = 0;
    fileSystem.plan = { fault: 'EIO', at: 1, times: 1, counts: (operation) => operation === failing };
    const accept = async (): Promise<void> => {
      for (let bytes = 0; bytes < 5 * mebibyte; bytes += row.length) await intake.write(Buffer.from(row));
      await intake.commit(runOf(1, 1));
    };
    await expect(accept()).rejects.toMatchObject({ code: 'store_degraded' });
    await intake.abandon();
    expect(await folder.runs.listIds()).toEqual([]);
  },
);
