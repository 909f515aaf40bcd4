// Faults that an attack on runs in one file found: each is held here by the smallest story that shows it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/storage/file-system.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { PowerCutFileSystem } from '../../builders/power-cut-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  linesOf,
  openAfterCut,
  openFolder,
  outputLine,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);
const path = `/data/runs/${runId}.run`;
const running = (n: number, rows: number): Run => ({
  ...runOf(n, rows),
  status: 'running',
  finishedAt: null,
});
const ended = (n: number, rows: number, rowsFailed = 0, rowsDone = rows - rowsFailed): Run => ({
  ...runOf(n, rows),
  status: 'cancelled',
  finishedAt: '2026-01-01T00:00:01.000Z',
  counts: { rowsDone, rowsFailed },
});

async function bytesOf(disk: FileSystem): Promise<Buffer> {
  const file = await disk.open(path, 'read');
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  return bytes;
}

async function put(disk: FileSystem, bytes: Buffer): Promise<void> {
  const file = await disk.open(path, 'update');
  await file.truncate(0);
  await file.write([bytes], 0);
  await file.sync();
}

async function commitAll({ runs }: DataFolder, n: number, rows: number): Promise<void> {
  const outputs = await runs.openOutputs(runIdOf(n), rows);
  await outputs.commit(resultsOf(1, rows));
  await outputs.close();
}

/** A run that has ended, in a folder that was closed. */
async function diskWithEnded(): Promise<PowerCutFileSystem> {
  const disk = new PowerCutFileSystem();
  const folder = await openFolder('/data', disk);
  await acceptRun(folder, 1, 9);
  await commitAll(folder, 1, 9);
  await folder.runs.save(ended(1, 9, 1));
  await folder.close();
  return disk;
}

/** A run whose last record, that it is running, has a changed byte; in a folder that was closed. */
async function diskWithDamage(): Promise<PowerCutFileSystem> {
  const disk = new PowerCutFileSystem();
  const before = await openFolder('/data', disk);
  await acceptRun(before, 1, 9);
  await before.runs.save(running(1, 9));
  await before.close();
  const bytes = await bytesOf(disk);
  bytes[bytes.lastIndexOf('"running"') + 2] = 0x58;
  await put(disk, bytes);
  return disk;
}

it('a save after damage was repaired survives a power cut', async () => {
  const disk = await diskWithDamage();
  const folder = await openFolder('/data', disk);
  expect(await folder.runs.read(runId)).toMatchObject({ status: 'queued' });
  await folder.runs.save(ended(1, 9, 0, 0));
  const { folder: next } = await openAfterCut(disk);
  expect(await next.runs.read(runId)).toMatchObject({ status: 'cancelled' });
});

it.each(['even sectors', 'odd sectors', 'torn'] as const)(
  'results of which %s reached the disk never come back once they did not count',
  async (data) => {
    const disk = new PowerCutFileSystem();
    const before = await openFolder('/data', disk);
    await acceptRun(before, 1, 40);
    await before.runs.save(running(1, 40));
    await commitAll(before, 1, 40);
    const { left, folder } = await openAfterCut(disk, { entries: () => true, data });
    const outputs = await folder.runs.openOutputs(runId, 40);
    expect(outputs.committedRows).toBe(0);
    await outputs.close();
    await folder.runs.save(ended(1, 40, 0, 0));
    await folder.close();
    const next = await openFolder('/data', left);
    expect(await next.runs.readCounts(runId)).toEqual({ rowsDone: 0, rowsFailed: 0 });
    expect(await textOf(next.runs.readOutputs(runId))).toBe('');
  },
);

describe('a store that can no longer write', () => {
  it('gives runs that have ended', async () => {
    const folder = await openFolder('/data', await diskWithEnded());
    folder.health.degrade(new Error('ENOSPC'));
    expect(await folder.runs.read(runId)).toMatchObject({ status: 'cancelled' });
    expect(await textOf(folder.runs.readOutputs(runId, 9))).toBe(linesOf(outputLine, 1, 9));
  });

  it('gives runs that a killed process did not sync', async () => {
    const disk = new PowerCutFileSystem();
    const killed = await openFolder('/data', disk);
    await acceptRun(killed, 1, 9);
    await commitAll(killed, 1, 9);
    await disk.remove('/data/lock');
    const faulty = new FaultyFileSystem(undefined, disk);
    const folder = await openFolder('/data', faulty);
    faulty.calls.length = 0;
    faulty.plan = { fault: 'ENOSPC', at: 1, times: Infinity, counts: (call) => call === 'file.write' };
    expect(await folder.runs.read(runId)).toMatchObject({ status: 'queued' });
    expect(await textOf(folder.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, 9));
  });
});

it('results whose first line is damaged are refused, not read as none', async () => {
  const disk = await diskWithEnded();
  const bytes = await bytesOf(disk);
  const at = bytes.indexOf('results 1') + 10;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await put(disk, bytes);
  const folder = await openFolder('/data', disk);
  await expect(textOf(folder.runs.readOutputs(runId))).rejects.toMatchObject({ code: 'data_unreadable' });
  await expect(folder.runs.readCounts(runId)).rejects.toMatchObject({ code: 'data_unreadable' });
});

it('a run is written through one object, however large the runs are that are read meanwhile', async () => {
  const disk = new PowerCutFileSystem();
  const before = await openFolder('/data', disk);
  await acceptRun(before, 2, 1);
  const outputs = await before.runs.openOutputs(runIdOf(2), 1);
  await outputs.commit({ ...resultsOf(1, 1), outputs: Buffer.from(`"${'z'.repeat(17_000_000)}"\n`) });
  await outputs.close();
  await before.runs.save(ended(2, 1));
  await before.close();
  const folder = await openFolder('/data', disk);
  for (let turns = 0; turns < 45; turns += 1) {
    const n = 10 + turns;
    await acceptRun(folder, n, 9);
    // Not in memory any more, since it has no room there.
    const large = folder.runs.read(runIdOf(2));
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const opened = await folder.runs.openOutputs(runIdOf(n), 9);
    await large;
    await folder.runs.save(running(n, 9));
    await opened.commit(resultsOf(1, 9));
    await folder.runs.save(ended(n, 9, 1));
    await opened.close();
  }
  await folder.close();
  const next = await openFolder('/data', disk);
  for (let n = 10; n < 55; n += 1) {
    expect(await next.runs.read(runIdOf(n))).toMatchObject({ status: 'cancelled' });
    expect(await textOf(next.runs.readOutputs(runIdOf(n), 9))).toBe(linesOf(outputLine, 1, 9));
  }
  expect(next.notices).toEqual([]);
});

it('a save beside the removal of its run leaves nothing, and spoils no other run', async () => {
  for (let turns = 0; turns < 30; turns += 1) {
    const disk = new PowerCutFileSystem();
    const folder = await openFolder('/data', disk);
    await acceptRun(folder, 1, 9);
    const save = folder.runs.save(ended(1, 9, 0, 0)).catch(() => undefined);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await folder.runs.removeAll([runId]);
    await acceptRun(folder, 2, 9).catch(() => undefined);
    await save;
    await folder.close();
    const next = await openFolder('/data', disk);
    expect(await next.runs.listIds()).not.toContain(runId);
    if (folder.health.degraded) continue;
    expect(await textOf(next.runs.readRows(runIdOf(2)))).toBe(linesOf(rowLine, 1, 9));
    expect(next.notices).toEqual([]);
  }
});

it('copies of a damaged file go with their run, at the next start', async () => {
  const disk = await diskWithDamage();
  const folder = await openFolder('/data', disk);
  await folder.runs.save(ended(1, 9, 0, 0));
  await folder.close();
  const copies = async (): Promise<number> =>
    (await disk.list('/data/runs')).filter((name) => name.includes('.corrupt-')).length;
  const again = await openFolder('/data', disk);
  expect(await copies()).toBe(1);
  await again.runs.removeAll([runId]);
  await again.close();
  await openFolder('/data', disk);
  expect(await copies()).toBe(0);
});

it.each([1, Infinity])(
  'a run whose results are too large for its file keeps its rows, and its end once that is told: any call fails %s times',
  { timeout: 60_000 },
  async (times) => {
    const output = `"${'x'.repeat(2 ** 20)}"\n`;
    let told = 0;
    for (let at = 1; told === 0; at += 1) {
      expect(at).toBeLessThan(60);
      const root = await temporaryFolder();
      const disk = new FaultyFileSystem();
      const folder = await openFolder(root, disk);
      await acceptRun(folder, 1, 1);
      disk.calls.length = 0;
      disk.plan = { fault: 'EIO', at, times };
      const end = async (): Promise<void> => {
        const outputs = await folder.runs.openOutputs(runId, 1);
        await outputs
          .commit({ ...resultsOf(1, 1), outputs: Buffer.from(output) })
          .finally(() => outputs.close());
        await folder.runs.save(ended(1, 1));
      };
      const isTold = await end().then(
        () => true,
        () => false,
      );
      if (isTold && disk.calls.length < at) told = at;
      await folder.close().catch(() => undefined);
      await writeFile(join(root, 'lock'), '');
      const next = await openFolder(root);
      expect(await textOf(next.runs.readRows(runId))).toBe(rowLine(1));
      const { status } = (await next.runs.read(runId)) ?? {};
      if (isTold) expect(status).toBe('cancelled');
      const again = await next.runs.openOutputs(runId, 1);
      if (isTold || status === 'cancelled') expect(again.committedRows).toBe(1);
      if (again.committedRows === 1) expect(await textOf(next.runs.readOutputs(runId))).toBe(output);
      await again.close();
      await next.close();
    }
    expect(told).toBeGreaterThan(15);
  },
);
