// A small run is one file from its acceptance to its end. Whoever reads it sees no difference to one with a folder, and
// whatever happens to the file, nobody is given anything else than what was stored.
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { openStoredRuns } from '../../../src-main/storage/open-stored-runs.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  failuresOf,
  linesOf,
  openFolder,
  outputLine,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);
const rows = 9;
const ended: Run = {
  ...runOf(1, rows),
  status: 'completed',
  finishedAt: '2026-01-01T00:00:01.000Z',
  counts: { rowsDone: 8, rowsFailed: 1 },
};

async function accepted(fileSystem = new FaultyFileSystem()) {
  const path = await temporaryFolder();
  const folder = await openFolder(path, fileSystem);
  await acceptRun(folder, 1, rows);
  const stored = async (): Promise<readonly string[]> => readdir(join(path, 'runs'));
  return { path, folder, runs: folder.runs, stored, file: join(path, 'runs', `${runId}.run`) };
}

type Accepted = Awaited<ReturnType<typeof accepted>>;

async function commitAll({ runs }: Pick<Accepted, 'runs'>): Promise<void> {
  const outputs = await runs.openOutputs(runId, rows);
  if (outputs.committedRows === 0) await outputs.commit(resultsOf(1, rows));
  await outputs.close();
}

async function completed(fileSystem?: FaultyFileSystem): Promise<Accepted> {
  const run = await accepted(fileSystem);
  await commitAll(run);
  const { rowsCrc } = (await run.runs.read(runId)) ?? {};
  await run.runs.save({ ...ended, rowsCrc });
  return run;
}

/** The next process. */
async function again(path: string) {
  await writeFile(join(path, 'lock'), '');
  return openFolder(path);
}

/** Everything that can be read of the run; the message where that is refused. */
async function readAll({ runs }: Pick<Accepted, 'runs'>) {
  const read = async (what: Promise<unknown>): Promise<unknown> =>
    what.catch(({ message }: Error) => message);
  return {
    record: await read(runs.read(runId)),
    rows: await read(runs.read(runId).then((run) => textOf(runs.readRows(runId, 1, run?.rowsCrc)))),
    outputs: await read(textOf(runs.readOutputs(runId, rows))),
    states: await read(runs.readStates(runId, 1, rows)),
    failures: await read(runs.readFailures(runId, 100)),
    statistics: await read(runs.readStatistics(runId)),
  };
}

describe('a small run', () => {
  it('is one file from its acceptance to its end, and reads like one with a folder', async () => {
    const run = await accepted();
    expect(await run.stored()).toEqual([`${runId}.run`]);
    await commitAll(run);
    const { rowsCrc } = (await run.runs.read(runId)) ?? {};
    await run.runs.save({ ...ended, rowsCrc });
    expect(await run.stored()).toEqual([`${runId}.run`]);
    expect(await readdir(join(run.path, 'incoming'))).toEqual([]);
    const seen = await readAll(run);
    expect(seen).toMatchObject({
      record: { status: 'completed', counts: { rowsDone: 8, rowsFailed: 1 } },
      rows: linesOf(rowLine, 1, rows),
      outputs: linesOf(outputLine, 1, rows),
      failures: failuresOf(rows),
    });
    await run.folder.close();
    expect(await readAll(await openFolder(run.path))).toEqual(seen);
    const elsewhere = openStoredRuns(run.path, { clock: systemClock, log: silentLog });
    expect(await elsewhere.listIds()).toEqual([runId]);
    expect(await textOf(elsewhere.readOutputs(runId, rows))).toBe(linesOf(outputLine, 1, rows));
  });

  it('waits for the disk three times where no file is spare: for the file, its name, and its end', async () => {
    const fileSystem = new FaultyFileSystem();
    fileSystem.plan = { fault: 'EIO', at: Infinity, times: 1, counts: (call) => /sync/i.test(call) };
    const path = await temporaryFolder();
    const folder = await openFolder(path, fileSystem);
    fileSystem.calls.length = 0;
    await acceptRun(folder, 1, rows);
    expect(fileSystem.calls.map(({ operation }) => operation)).toEqual(['file.sync', 'syncFolder']);
    await commitAll(folder);
    expect(fileSystem.calls).toHaveLength(2);
    await folder.runs.save(ended);
    expect(fileSystem.calls.slice(2).map(({ operation }) => operation)).toEqual(['file.dataSync']);
  });

  it('has a folder once it is committed in several pieces', async () => {
    const run = await accepted();
    await run.runs.save({ ...runOf(1, rows), status: 'running', finishedAt: null });
    const outputs = await run.runs.openOutputs(runId, rows);
    await outputs.commit(resultsOf(1, 4));
    expect(await run.stored()).toEqual([runId]);
    expect(await run.runs.read(runId)).toMatchObject({ status: 'running' });
    await outputs.commit(resultsOf(5, rows));
    await outputs.close();
    await run.runs.save(ended);
    expect(await readAll(run)).toMatchObject({
      record: { status: 'completed' },
      rows: linesOf(rowLine, 1, rows),
      outputs: linesOf(outputLine, 1, rows),
    });
  });

  it.each([
    ['as large as fit', 0, false],
    ['a byte larger', 1, true],
  ])(
    'whose results are %s: whether it has a folder, so that nobody holds them whole',
    async (_, more, has) => {
      const path = await temporaryFolder();
      const folder = await openFolder(path);
      await acceptRun(folder, 1, 1);
      const outputs = await folder.runs.openOutputs(runId, 1);
      const output = `"${'x'.repeat(1024 * 1024 + more - 3)}"\n`;
      await outputs.commit({ ...resultsOf(1, 1), outputs: Buffer.from(output), trace: Buffer.of() });
      expect(outputs.lastsWithRecord).toBe(!has);
      await outputs.close();
      await folder.runs.save({ ...ended, rows: 1, counts: { rowsDone: 1, rowsFailed: 0 } });
      expect(await readdir(join(path, 'runs'))).toEqual([has ? runId : `${runId}.run`]);
      expect(await textOf(folder.runs.readOutputs(runId, 1))).toBe(output);
    },
  );

  it('keeps the numbers of its rows and what they are given, in a folder too', async () => {
    const path = await temporaryFolder();
    const folder = await openFolder(path);
    const intake = await folder.runs.beginIntake(runId);
    await intake.write(Buffer.from(linesOf(rowLine, 1, 3)));
    await intake.writeNumbers([2, 5, 9]);
    await intake.writeGiven(Buffer.from('{"a":1}\n\n{"a":3}\n'));
    const stored = await intake.commit(runOf(1, 3));
    const given = async (): Promise<unknown> => {
      const reader = await folder.runs.openReader(runId, 0, stored);
      const batch = await reader.next(9, 1000);
      await reader.close();
      return { numbers: batch?.numbers, given: Buffer.from(batch?.given ?? []).toString() };
    };
    const expected = { numbers: [2, 5, 9], given: '{"a":1}\n\n{"a":3}\n' };
    expect(await given()).toEqual(expected);
    const outputs = await folder.runs.openOutputs(runId, 3);
    await outputs.commit(resultsOf(1, 2));
    await outputs.close();
    expect((await readdir(join(path, 'runs', runId))).sort()).toEqual(
      expect.arrayContaining(['rows.given', 'rows.ndjson', 'rows.numbers', 'run.json']),
    );
    expect(await given()).toEqual(expected);
  });

  it.each([
    ['of one row', 1, false],
    ['of as many bytes as fit', 0, false],
    ['of a byte more', 1, true],
  ])('%s: whether it has a folder', async (what, more, hasFolder) => {
    const path = await temporaryFolder();
    const folder = await openFolder(path);
    const intake = await folder.runs.beginIntake(runId);
    const line = (bytes: number): Buffer => Buffer.from(`"${'x'.repeat(bytes - 3)}"\n`);
    const bytes = what === 'of one row' ? 10 : 64 * 1024 + more;
    for (const part of [line(4), line(bytes - 4)]) await intake.write(part);
    await intake.commit(runOf(1, 2));
    expect(await readdir(join(path, 'runs'))).toEqual([hasFolder ? runId : `${runId}.run`]);
    expect(Buffer.from(await textOf(folder.runs.readRows(runId)))).toHaveLength(bytes);
  });

  it('leaves nothing behind when its rows are refused, and makes no file before', async () => {
    const fileSystem = new FaultyFileSystem();
    const path = await temporaryFolder();
    const folder = await openFolder(path, fileSystem);
    fileSystem.calls.length = 0;
    const intake = await folder.runs.beginIntake(runId);
    await intake.write(Buffer.from(rowLine(1)));
    await intake.abandon();
    expect(fileSystem.calls.filter(({ operation }) => operation !== 'freeBytes')).toEqual([]);
    expect(await folder.runs.listIds()).toEqual([]);
  });
});

describe('the file of a small run', () => {
  it('is given as it was or refused, whichever byte changed', { timeout: 60_000 }, async () => {
    const run = await completed();
    const healthy = await readAll(run);
    const bytes = await readFile(run.file);
    await run.folder.close();
    const length = bytes.lastIndexOf('}\n') + 2;
    for (let at = 0; at < length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(run.file, changed);
      const folder = await openFolder(run.path);
      const found = await readAll(folder);
      const { notices } = folder;
      await folder.close();
      for (const [what, value] of Object.entries(found)) {
        const isRefused = typeof value === 'string' && value.startsWith('Stored data cannot be read');
        if (isRefused || (what === 'statistics' && value === undefined)) continue;
        // A record before it may be used, if that is told.
        if (what === 'record' && notices.length === 1) continue;
        expect(value, `${what} with byte ${at} changed`).toEqual(healthy[what as keyof typeof healthy]);
      }
    }
  });

  it('is missed, told or refused, wherever it is cut', { timeout: 60_000 }, async () => {
    const run = await completed();
    const healthy = await readAll(run);
    const bytes = await readFile(run.file);
    await run.folder.close();
    const length = bytes.lastIndexOf('}\n') + 2;
    for (let size = 0; size < length; size += 7) {
      await writeFile(run.file, bytes.subarray(0, size));
      const folder = await openFolder(run.path);
      const { record, rows: read } = await readAll(folder);
      const isRefused = typeof record === 'string';
      if (!isRefused) {
        expect(folder.notices, `cut at ${size}`).toHaveLength(1);
        expect(read).toBe(healthy.rows);
      }
      await folder.close();
    }
  });

  it('goes on from its rows when the power went while its end was written, and says nothing', async () => {
    const run = await accepted();
    const before = await readFile(run.file);
    await commitAll(run);
    await run.runs.save(ended);
    const bytes = await readFile(run.file);
    await run.folder.close();
    // Nothing of the end was told yet: it is as the disk had it, up to somewhere.
    const [head, rowsEnd] = [before.indexOf('\n'), before.lastIndexOf('\n') + 1];
    for (const size of [rowsEnd, bytes.lastIndexOf('results 1') + 40, bytes.lastIndexOf('record ') + 30]) {
      const torn = Buffer.concat([before.subarray(0, head), bytes.subarray(head, size)]);
      await writeFile(run.file, torn);
      const folder = await openFolder(run.path);
      expect(folder.notices).toEqual([]);
      expect(await folder.runs.read(runId)).toMatchObject({ status: 'queued' });
      await commitAll(folder);
      await folder.runs.save(ended);
      expect(await textOf(folder.runs.readOutputs(runId, rows))).toBe(linesOf(outputLine, 1, rows));
      await folder.close();
      const next = await openFolder(run.path);
      expect(await next.runs.read(runId)).toMatchObject({ status: 'completed' });
      expect(next.notices).toEqual([]);
      await next.close();
    }
  });

  it('is kept beside when its end is damaged and it goes on', async () => {
    const run = await accepted();
    await run.runs.save({ ...runOf(1, rows), status: 'running', finishedAt: null });
    await run.folder.close();
    const bytes = await readFile(run.file);
    bytes[bytes.indexOf('"running"') + 2] = 0x58;
    await writeFile(run.file, bytes);
    const folder = await openFolder(run.path);
    expect(await folder.runs.read(runId)).toMatchObject({ status: 'queued' });
    expect(folder.notices).toEqual([expect.stringContaining(`runs/${runId}.run: part of it is damaged`)]);
    await folder.runs.save({ ...runOf(1, rows), status: 'running', finishedAt: null });
    const kept = (await run.stored()).find((name) => name.includes('.corrupt-')) ?? '';
    expect(await readFile(join(run.path, 'runs', kept))).toEqual(bytes);
    await folder.close();
    const next = await openFolder(run.path);
    expect(await next.runs.read(runId)).toMatchObject({ status: 'running' });
    expect([await next.runs.listIds(), next.notices]).toEqual([[runId], []]);
  });

  it('of a newer version is refused, and kept', async () => {
    const run = await accepted();
    await run.folder.close();
    const newer = 'run 2 whatever it has';
    const { crc32 } = await import('node:zlib');
    await writeFile(run.file, `${newer} ${crc32(newer).toString(16).padStart(8, '0')} 000000000000\nrest`);
    const folder = await openFolder(run.path);
    await expect(folder.runs.read(runId)).rejects.toMatchObject({
      code: 'data_unreadable',
      message: expect.stringContaining('newer Rowbench') as string,
    });
    expect(await run.stored()).toEqual([`${runId}.run`]);
  });
});

describe('a folder and a file of one run', () => {
  it('are what a crash left of its move: the folder counts', async () => {
    const run = await accepted();
    const file = await readFile(run.file);
    const outputs = await run.runs.openOutputs(runId, rows);
    await outputs.commit(resultsOf(1, 4));
    await outputs.close();
    await run.folder.close();
    await writeFile(run.file, file);
    const folder = await openFolder(run.path);
    expect(await folder.runs.readCounts(runId)).toEqual({ rowsDone: 4, rowsFailed: 0 });
    expect(await run.stored()).toEqual([runId]);
  });

  it('are both gone when it is removed, although the file could not be', async () => {
    const fileSystem = new FaultyFileSystem();
    const run = await accepted(fileSystem);
    fileSystem.calls.length = 0;
    const counts = (call: string, path: string): boolean => call === 'remove' && path.endsWith('.run');
    fileSystem.plan = { fault: 'EIO', at: 1, times: 1, counts };
    const outputs = await run.runs.openOutputs(runId, rows);
    await outputs.commit(resultsOf(1, 4));
    await outputs.close();
    expect((await run.stored()).toSorted()).toEqual([runId, `${runId}.run`]);
    expect([...(await run.runs.removeAll([runId]))]).toEqual([]);
    expect(await run.stored()).toEqual([]);
  });
});

describe('files of runs that were removed', () => {
  it('hold nothing of them, and become those of others', async () => {
    const run = await completed();
    expect([...(await run.runs.removeAll([runId]))]).toEqual([]);
    expect(await run.runs.read(runId)).toBeUndefined();
    const [spare = '', ...others] = await run.stored();
    expect(others).toEqual([]);
    expect((await readFile(join(run.path, 'runs', spare))).every((byte) => byte === 0)).toBe(true);
    await acceptRun(run.folder, 2, 1);
    expect(await run.stored()).toEqual([`${runIdOf(2)}.run`]);
    expect(await run.runs.listIds()).toEqual([runIdOf(2)]);
    await run.folder.close();
    const folder = await again(run.path);
    expect(await textOf(folder.runs.readRows(runIdOf(2)))).toBe(rowLine(1));
    expect(folder.notices).toEqual([]);
  });

  it('are removed where they are long', async () => {
    const path = await temporaryFolder();
    const folder = await openFolder(path);
    await acceptRun(folder, 1, 900);
    await folder.runs.save(runOf(1, 900));
    await truncate(join(path, 'runs', `${runId}.run`), 80_000);
    await folder.runs.removeAll([runId]);
    expect(await readdir(join(path, 'runs'))).toEqual([]);
  });
});

it('many runs are more than is kept in memory, and are all there', { timeout: 60_000 }, async () => {
  const path = await temporaryFolder();
  const folder = await openFolder(path);
  const line = (n: number): string => `"${String(n).repeat(40_000).slice(0, 40_000)}"\n`;
  const many = 500;
  for (let n = 1; n <= many; n += 1) {
    const intake = await folder.runs.beginIntake(runIdOf(n));
    await intake.write(Buffer.from(line(n)));
    await intake.commit(runOf(n, 1));
  }
  for (const n of [1, 250, many]) {
    await folder.runs.save({ ...runOf(n, 1), status: 'running', finishedAt: null });
    expect(await textOf(folder.runs.readRows(runIdOf(n)))).toBe(line(n));
    expect(await folder.runs.read(runIdOf(n))).toMatchObject({ status: 'running' });
  }
});
