// A run that is written into the file of one that was removed: it is accepted before its own name is on the disk, so
// whatever a power cut leaves of names, it is there, whole, and one that was removed or refused is not.
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DataFolder } from '../../../src-main/storage/data-folder.ts';
import { encodeCompact } from '../../../src-main/storage/rows/compact-format.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { keptData, nothingKept, PowerCutFileSystem, type Cut } from '../../builders/power-cut-file-system.ts';
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

const rows = 9;
const ended = (n: number) =>
  ({
    ...runOf(n, rows),
    status: 'completed',
    finishedAt: '2026-01-01T00:00:01.000Z',
    counts: { rowsDone: 8, rowsFailed: 1 },
  }) as const;

/** A folder where that run has come and gone, so that the next one is written into its file. */
async function withSpare(disk: PowerCutFileSystem | FaultyFileSystem, n = 1): Promise<DataFolder> {
  const folder = await openFolder('/data', disk);
  await acceptRun(folder, n, rows);
  await folder.runs.save(ended(n));
  expect([...(await folder.runs.removeAll([runIdOf(n)]))]).toEqual([]);
  return folder;
}

async function complete({ runs }: DataFolder, n: number): Promise<void> {
  const outputs = await runs.openOutputs(runIdOf(n), rows);
  await outputs.commit(resultsOf(1, rows));
  await outputs.close();
  await runs.save(ended(n));
}

async function afterCut(disk: PowerCutFileSystem, cut: Cut) {
  const { left, folder } = await openAfterCut(disk, cut);
  return { left, folder, ids: await folder.runs.listIds(), names: await left.list('/data/runs') };
}

const cuts: readonly Cut[] = [true, false].flatMap((kept) =>
  keptData.map((data) => ({ entries: () => kept, data })),
);

describe('a run in a file that was spare', () => {
  it('waits for the disk once until it is accepted', async () => {
    const disk = new FaultyFileSystem(undefined, new PowerCutFileSystem());
    const folder = await withSpare(disk);
    disk.plan = { fault: 'EIO', at: Infinity, times: 1, counts: (call) => /sync/i.test(call) };
    disk.calls.length = 0;
    await acceptRun(folder, 2, rows);
    expect(disk.calls.map(({ operation }) => operation)).toEqual(['file.dataSync']);
  });

  it('is there after a power cut that took its name, and has it again', async () => {
    const disk = new PowerCutFileSystem();
    const folder = await withSpare(disk);
    await acceptRun(folder, 2, rows);
    const next = await afterCut(disk, nothingKept);
    expect([next.ids, next.names]).toEqual([[runIdOf(2)], [`${runIdOf(2)}.run`]]);
    expect(await textOf(next.folder.runs.readRows(runIdOf(2)))).toBe(linesOf(rowLine, 1, rows));
    expect(next.folder.notices).toEqual([]);
    await complete(next.folder, 2);
    const last = await afterCut(next.left, nothingKept);
    expect([last.ids, await last.folder.runs.read(runIdOf(2))]).toMatchObject([
      [runIdOf(2)],
      { status: 'completed' },
    ]);
  });

  it('has its end, too, where all of it came to pass before its name was on the disk', async () => {
    const disk = new PowerCutFileSystem();
    const folder = await withSpare(disk);
    await acceptRun(folder, 2, rows);
    await complete(folder, 2);
    const next = await afterCut(disk, nothingKept);
    expect(await next.folder.runs.read(runIdOf(2))).toMatchObject({ status: 'completed' });
    expect(await textOf(next.folder.runs.readOutputs(runIdOf(2), rows))).toBe(linesOf(outputLine, 1, rows));
  });

  it('is all there or not at all, whenever the power goes while it is accepted', async () => {
    const disk = new PowerCutFileSystem();
    const folder = await withSpare(disk);
    const moments: PowerCutFileSystem[] = [];
    disk.beforeChange = () => moments.push(...cuts.map((cut) => disk.afterCut(cut)));
    await acceptRun(folder, 2, rows);
    disk.beforeChange = () => undefined;
    const found = new Set<number>();
    for (const moment of moments) {
      const { folder: next, ids } = await afterCut(moment, nothingKept);
      found.add(ids.length);
      for (const runId of ids)
        expect(await textOf(next.runs.readRows(runId))).toBe(linesOf(rowLine, 1, rows));
      expect(next.notices).toEqual([]);
    }
    expect(moments.length).toBeGreaterThanOrEqual(3 * cuts.length);
    expect([...found].sort()).toEqual([0, 1]);
  });

  it.each([
    ['a folder', 4, runIdOf(2), { rowsDone: 4, rowsFailed: 0 }],
    ['an end', rows, `${runIdOf(2)}.run`, { rowsDone: 8, rowsFailed: 1 }],
  ])(
    'that has %s by now is that alone, although there is a copy of what it was',
    async (_, done, ...kept) => {
      const disk = new PowerCutFileSystem();
      const folder = await withSpare(disk);
      await acceptRun(folder, 2, rows);
      const spare = disk.afterCut(nothingKept);
      const [name = ''] = await spare.list('/data/runs');
      const outputs = await folder.runs.openOutputs(runIdOf(2), rows);
      await outputs.commit(resultsOf(1, done));
      await outputs.close();
      if (done === rows) await folder.runs.save(ended(2));
      const bytes = Buffer.alloc(20_000);
      const read = await (await spare.open(`/data/runs/${name}`, 'read')).read(bytes, 0);
      const file = await disk.open(`/data/runs/${name}`, 'create');
      await file.write([bytes.subarray(0, read)], 0);
      await file.sync();
      await disk.syncFolder('/data/runs');
      const next = await afterCut(disk, nothingKept);
      const counts = await next.folder.runs.readCounts(runIdOf(2));
      expect([next.ids, next.names, counts]).toEqual([[runIdOf(2)], [kept[0]], kept[1]]);
    },
  );
});

describe('a run that was removed', () => {
  it('never comes back out of its file, which holds it until it is filled anew', async () => {
    const disk = new PowerCutFileSystem();
    const folder = await withSpare(disk);
    // Written into the first one's file, and removed in its turn.
    await acceptRun(folder, 2, rows);
    await folder.runs.save(ended(2));
    await folder.runs.removeAll([runIdOf(2)]);
    for (const cut of cuts) {
      const next = await afterCut(disk, cut);
      expect([next.ids, next.names, next.folder.notices]).toEqual([[], [], []]);
    }
  });

  it('never comes back out of its file under a name that another process gives out, too', async () => {
    const disk = new PowerCutFileSystem();
    const before = await withSpare(disk);
    await acceptRun(before, 2, rows);
    await before.runs.save(ended(2));
    await before.close();
    const folder = await openFolder('/data', disk);
    // So that numbers which began anew would meet.
    await acceptRun(folder, 3, rows);
    await folder.runs.removeAll([runIdOf(2)]);
    const next = await afterCut(disk, nothingKept);
    expect([next.ids, next.names]).toEqual([[runIdOf(3)], [`${runIdOf(3)}.run`]]);
  });
});

it.each(keptData)(
  'a run that a killed process wrote and did not sync is synced by the next start, or a cut would leave it torn: %s',
  async (data) => {
    const disk = new PowerCutFileSystem();
    const faulty = new FaultyFileSystem(undefined, disk);
    const folder = await withSpare(faulty);
    faulty.breakFrom((call) => call === 'file.dataSync');
    await expect(acceptRun(folder, 2, rows)).rejects.toThrow();
    await disk.remove('/data/lock');
    const started = await openFolder('/data', disk);
    expect(await started.runs.listIds()).toEqual([runIdOf(2)]);
    const next = await afterCut(disk, { entries: () => false, data });
    expect(await next.folder.runs.read(runIdOf(2))).toMatchObject({ status: 'queued' });
    expect(await textOf(next.folder.runs.readRows(runIdOf(2)))).toBe(linesOf(rowLine, 1, rows));
  },
);

describe('a run that was refused does not count at the next start, whatever is left of its file', () => {
  it.each([
    ['written into a spare file that cannot be renamed', true, 'rename'],
    ['in a new file that cannot be renamed', false, 'rename'],
    ['in a new file whose name cannot be synced', false, 'syncFolder'],
  ])('%s', async (_, hasSpare, failing) => {
    const disk = new PowerCutFileSystem();
    const faulty = new FaultyFileSystem(undefined, disk);
    const folder = hasSpare ? await withSpare(faulty) : await openFolder('/data', faulty);
    const counts = (call: string, path: string): boolean => call === failing && path.startsWith('/data/runs');
    faulty.calls.length = 0;
    faulty.plan = { fault: 'EIO', at: 1, times: Infinity, counts };
    await expect(acceptRun(folder, 2, rows)).rejects.toThrow();
    for (const cut of cuts) expect(await readable((await afterCut(disk, cut)).folder)).toEqual([]);
  });
});

/** Runs that a start would take up; a file of nothing but zeros is refused as damaged. */
async function readable({ runs }: DataFolder): Promise<string[]> {
  const ids: string[] = [];
  for (const runId of await runs.listIds())
    if ((await runs.read(runId).catch(() => undefined)) !== undefined) ids.push(runId);
  return ids;
}

it('a spare file that somebody took away is not missed', async () => {
  const disk = new PowerCutFileSystem();
  const folder = await withSpare(disk);
  const [name = ''] = await disk.list('/data/runs');
  await disk.remove(`/data/runs/${name}`);
  await disk.syncFolder('/data/runs');
  await acceptRun(folder, 2, rows);
  expect((await afterCut(disk, nothingKept)).ids).toEqual([runIdOf(2)]);
});

describe('a spare file', () => {
  const name = 'spare-0123456789ab-1';
  async function startWith(bytes: Uint8Array) {
    const disk = new PowerCutFileSystem();
    await (await openFolder('/data', disk)).close();
    const file = await disk.open(`/data/runs/${name}`, 'create');
    await file.write([bytes], 0);
    await file.sync();
    await disk.syncFolder('/data/runs');
    return afterCut(disk, nothingKept);
  }
  const accepted = (runId: string): Buffer =>
    encodeCompact({ ...runOf(2, rows), runId }, { rows: Buffer.from(linesOf(rowLine, 1, rows)) }, name).bytes;

  it('that holds a run under its own name becomes that run', async () => {
    expect((await startWith(accepted(runIdOf(2)))).names).toEqual([`${runIdOf(2)}.run`]);
  });

  it('with an id that leads elsewhere goes nowhere', async () => {
    const { names, left } = await startWith(accepted('../../elsewhere'));
    expect([names, await left.list('/')]).toEqual([[], ['data']]);
  });

  it('of a newer Rowbench is told and left as it is', async () => {
    const newer = 'run 2 whatever it has';
    const line = `${newer} ${crc32(newer).toString(16).padStart(8, '0')} 000000000000\n`;
    const { names, folder } = await startWith(Buffer.from(line));
    expect([names, folder.notices]).toEqual([[name], [expect.stringContaining('newer Rowbench')]]);
  });
});

it('a spare file that cannot be read may be a run: it is told, and left as it is', async () => {
  const disk = new PowerCutFileSystem();
  const folder = await withSpare(disk);
  await acceptRun(folder, 2, rows);
  const left = disk.afterCut(nothingKept);
  await left.remove('/data/lock');
  const [name = ''] = await left.list('/data/runs');
  const counts = (call: string, path: string): boolean => call === 'file.read' && path.endsWith(name);
  const next = await openFolder(
    '/data',
    new FaultyFileSystem({ fault: 'EIO', at: 1, times: 9, counts }, left),
  );
  expect(next.notices).toEqual([expect.stringMatching(/^runs\/spare-.*EIO/)]);
  await next.close();
  expect((await afterCut(left, nothingKept)).ids).toEqual([runIdOf(2)]);
});
