import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowReader } from '../../../src-main/executor/ports.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  linesOf,
  openWithFolders,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
  textOf,
} from './storage-fixture.ts';

async function openStore() {
  const path = await temporaryFolder();
  const folder = await openWithFolders(path);
  return { folder, runs: folder.runs, runFolder: (n: number) => join(path, 'runs', runIdOf(n)), path };
}

async function accept(text: Uint8Array | string, rows: number) {
  const store = await openStore();
  const intake = await store.runs.beginIntake(runIdOf(1));
  await intake.write(Buffer.from(text));
  await intake.commit(runOf(1, rows));
  return store;
}

async function allBatches(reader: RowReader, maxRows: number, maxBytes: number) {
  const batches: { firstRow: number; rows: number; text: string }[] = [];
  for (
    let batch = await reader.next(maxRows, maxBytes);
    batch;
    batch = await reader.next(maxRows, maxBytes)
  ) {
    batches.push({ firstRow: batch.firstRow, rows: batch.rows, text: Buffer.from(batch.bytes).toString() });
  }
  await reader.close();
  return batches;
}

describe('an intake', () => {
  it('is no run until it is committed', async () => {
    const { runs, path } = await openStore();
    const intake = await runs.beginIntake(runIdOf(1));
    await intake.write(Buffer.from(rowLine(1)));
    expect(await runs.listIds()).toEqual([]);
    expect(await runs.read(runIdOf(1))).toBeUndefined();
    await intake.commit(runOf(1, 1));
    expect(await runs.listIds()).toEqual([runIdOf(1)]);
    expect(await runs.read(runIdOf(1))).toMatchObject(runOf(1, 1));
    expect(await readdir(join(path, 'incoming'))).toEqual([]);
  });

  it('keeps every byte, however the rows are cut into writes', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => `${JSON.stringify({ text })}\n`);
    const { runs } = await openStore();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        async (lines, size) => {
          const bytes = Buffer.from(lines.join(''));
          const run = runOf((n += 1), lines.length);
          const intake = await runs.beginIntake(run.runId);
          for (let at = 0; at < bytes.length; at += size) await intake.write(bytes.subarray(at, at + size));
          await intake.commit(run);
          expect(await textOf(runs.readRows(run.runId))).toBe(lines.join(''));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('does not hold on to the bytes of a write', async () => {
    const { runs } = await openStore();
    const intake = await runs.beginIntake(runIdOf(1));
    const buffer = Buffer.alloc(rowLine(1).length + 1);
    for (const row of [1, 2]) {
      await intake.write(buffer.subarray(0, buffer.write(rowLine(row))));
    }
    await intake.commit(runOf(1, 2));
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe(linesOf(rowLine, 1, 2));
  });

  it('writes small pieces together', async () => {
    const path = await temporaryFolder();
    const fileSystem = new FaultyFileSystem();
    const { runs } = await openWithFolders(path, fileSystem);
    const intake = await runs.beginIntake(runIdOf(1));
    for (let row = 1; row <= 5000; row += 1) await intake.write(Buffer.from(rowLine(row)));
    await intake.commit(runOf(1, 5000));
    const isRowWrite = (call: { operation: string; path: string }): boolean =>
      call.operation === 'file.write' && call.path.endsWith('rows.ndjson');
    expect(fileSystem.calls.filter(isRowWrite)).toHaveLength(1);
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe(linesOf(rowLine, 1, 5000));
  });

  it('ends a last row that has no newline', async () => {
    const { runs } = await accept('{"row":1}\n{"row":2}', 2);
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe('{"row":1}\n{"row":2}\n');
  });

  it('may have no rows', async () => {
    const { runs } = await accept('', 0);
    expect(await textOf(runs.readRows(runIdOf(1)))).toBe('');
    expect(await allBatches(await runs.openReader(runIdOf(1), 0), 256, 1000)).toEqual([]);
  });

  it('leaves nothing behind when it is abandoned, and nothing happens the second time', async () => {
    const { runs, path } = await openStore();
    const intake = await runs.beginIntake(runIdOf(1));
    await intake.write(Buffer.from(rowLine(1)));
    await intake.abandon();
    await intake.abandon();
    expect(await readdir(path, { recursive: true })).not.toContainEqual(expect.stringContaining(runIdOf(1)));
  });

  it('cannot be abandoned any more once it is committed', async () => {
    const { runs } = await openStore();
    const intake = await runs.beginIntake(runIdOf(1));
    await intake.commit(runOf(1, 0));
    await intake.abandon();
    expect(await runs.listIds()).toEqual([runIdOf(1)]);
  });

  it.each([
    ['under 200 MB are free', 199_999_999, 0],
    ['there is less room than twice what was announced', 1_999_999_999, 1_000_000_000],
  ])('is refused when %s', async (_, free, expected) => {
    const fileSystem = new FaultyFileSystem();
    fileSystem.freeBytes = async () => free;
    const path = await temporaryFolder();
    const { runs, health } = await openWithFolders(path, fileSystem);
    await expect(runs.beginIntake(runIdOf(1), expected)).rejects.toMatchObject({ code: 'disk_full' });
    expect(health.degraded).toBe(false);
    expect(await readdir(join(path, 'incoming'))).toEqual([]);
  });

  it.each(['..', '../x', 'x', '', `${runIdOf(1)}/..`, runIdOf(1).toUpperCase().replace('0', 'A')])(
    'has no path for %j, and neither has anything else',
    async (id) => {
      const { runs } = await openStore();
      expect(await runs.read(id)).toBeUndefined();
      await expect(runs.beginIntake(id)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(runs.openReader(id, 0)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(runs.openOutputs(id)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(runs.removeAll([id])).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(textOf(runs.readOutputs(id))).rejects.toMatchObject({ code: 'run_not_found' });
    },
  );
});

describe("a run's record", () => {
  it('is the last one saved when many are saved at once', async () => {
    const { runs } = await accept(rowLine(1), 1);
    const saves = Array.from({ length: 20 }, (_, n) => runs.save(runOf(1, 1, { fruitlessRecoveries: n })));
    const read = runs.read(runIdOf(1));
    await Promise.all(saves);
    expect(await read).toMatchObject({ fruitlessRecoveries: 19 });
    expect(await runs.read(runIdOf(1))).toMatchObject({ fruitlessRecoveries: 19 });
  });

  it('is the one before when it is damaged, and that is reported', async () => {
    const { runs, folder, runFolder } = await accept(rowLine(1), 1);
    await runs.save(runOf(1, 1, { status: 'running' }));
    await writeFile(join(runFolder(1), 'run.json'), '{"version":1');
    expect(await runs.read(runIdOf(1))).toMatchObject(runOf(1, 1));
    expect(folder.notices).toEqual([expect.stringMatching(/^runs\/[-0-9a-f]+\/run.json: it is damaged/)]);
  });

  it.each([
    ['damaged', (path: string) => writeFile(path, 'x')],
    ['missing', (path: string) => rm(path)],
  ])('is unreadable, not absent, when it is %s and has no generation before it', async (_, harm) => {
    const { runs, runFolder } = await accept(rowLine(1), 1);
    await harm(join(runFolder(1), 'run.json'));
    await expect(runs.read(runIdOf(1))).rejects.toMatchObject({ code: 'data_unreadable' });
  });
});

describe('the stored runs', () => {
  it('are listed oldest first, whatever else lies there', async () => {
    const { folder, runs, runFolder } = await openStore();
    for (const n of [3, 1, 2]) await acceptRun(folder, n, 1);
    await mkdir(`${runFolder(4)}.removed`);
    await writeFile(join(runFolder(1), '..', '.DS_Store'), '');
    expect(await runs.listIds()).toEqual([1, 2, 3].map(runIdOf));
  });

  it('are gone for good once removed', async () => {
    const { folder, runs, runFolder } = await openStore();
    await acceptRun(folder, 1, 1);
    await acceptRun(folder, 2, 1);
    expect(await runs.removeAll([runIdOf(1)])).toEqual(new Map());
    expect(await runs.removeAll([runIdOf(1)])).toEqual(new Map());
    expect(await runs.listIds()).toEqual([runIdOf(2)]);
    expect(await readdir(join(runFolder(1), '..'))).toEqual([runIdOf(2)]);
  });

  it('are gone for everybody although the files of one cannot be removed, and the store stays well', async () => {
    const path = await temporaryFolder();
    const fileSystem = new FaultyFileSystem();
    const folder = await openWithFolders(path, fileSystem);
    for (const n of [1, 2, 3]) await acceptRun(folder, n, 1);
    fileSystem.calls.length = 0;
    fileSystem.plan = { fault: 'EIO', at: 2, times: 1, counts: (operation) => operation === 'remove' };
    expect(await folder.runs.removeAll([1, 2, 3].map(runIdOf))).toEqual(new Map());
    expect(await folder.runs.listIds()).toEqual([]);
    expect(folder.health.degraded).toBe(false);
    expect(await readdir(join(path, 'runs'))).toEqual([`${runIdOf(2)}.removed`]);
    await folder.runs.clearLeftovers();
    expect(await readdir(join(path, 'runs'))).toEqual([]);
  });

  it('are kept, and the store stays well, when one that is being read cannot be removed', async () => {
    const path = await temporaryFolder();
    const fileSystem = new FaultyFileSystem();
    const folder = await openWithFolders(path, fileSystem);
    await acceptRun(folder, 1, 1);
    fileSystem.plan = {
      fault: 'EPERM',
      at: 1,
      times: Infinity,
      counts: (operation) => operation === 'rename',
    };
    fileSystem.calls.length = 0;
    const failures = await folder.runs.removeAll([runIdOf(1)]);
    expect(failures.get(runIdOf(1))).toMatchObject({ code: 'move_not_allowed' });
    expect(await folder.runs.listIds()).toEqual([runIdOf(1)]);
    expect(folder.health.degraded).toBe(false);
  });
});

describe('a row reader', () => {
  it('hands out all rows in order, within both bounds', async () => {
    const { runs } = await accept(linesOf(rowLine, 1, 1000), 1000);
    const batches = await allBatches(await runs.openReader(runIdOf(1), 0), 7, 100);
    let row = 1;
    for (const batch of batches) {
      expect(batch).toEqual({
        firstRow: row,
        rows: batch.rows,
        text: linesOf(rowLine, row, row + batch.rows - 1),
      });
      expect(batch.rows).toBeGreaterThan(0);
      expect(batch.rows).toBeLessThanOrEqual(7);
      expect(Buffer.byteLength(batch.text)).toBeLessThanOrEqual(100);
      row += batch.rows;
    }
    expect(row).toBe(1001);
  });

  it.each([0, 1, 499, 999, 1000])('goes on after row %i', async (afterRow) => {
    const { runs } = await accept(linesOf(rowLine, 1, 1000), 1000);
    const batches = await allBatches(await runs.openReader(runIdOf(1), afterRow), 256, 1e6);
    expect(batches.map(({ text }) => text).join('')).toBe(linesOf(rowLine, afterRow + 1, 1000));
    expect(batches[0]?.firstRow).toBe(afterRow === 1000 ? undefined : afterRow + 1);
  });

  it('hands out a row that is larger than the bound, and larger than what it reads at once, alone', async () => {
    const large = `{"text":"${'x'.repeat(5_000_000)}"}\n`;
    const { runs } = await accept(`{"row":1}\n${large}{"row":3}\n`, 3);
    const batches = await allBatches(await runs.openReader(runIdOf(1), 0), 256, 1000);
    expect(batches.map(({ firstRow, rows, text }) => [firstRow, rows, text.length])).toEqual([
      [1, 1, 10],
      [2, 1, large.length],
      [3, 1, 10],
    ]);
  });

  it('takes a carriage return before the newline as part of the row', async () => {
    const { runs } = await accept('{"row":1}\r\n{"row":2}\r\n', 2);
    const [batch] = await allBatches(await runs.openReader(runIdOf(1), 0), 256, 1000);
    expect(batch).toEqual({ firstRow: 1, rows: 2, text: '{"row":1}\r\n{"row":2}\r\n' });
  });

  it('says so when the file ends inside a row, or is gone', async () => {
    const { runs, runFolder } = await accept('{"row":1}\n{"row":2}\n', 2);
    const path = join(runFolder(1), 'rows.ndjson');
    await writeFile(path, '{"row":1}\n{"ro');
    const unreadable = { code: 'data_unreadable' };
    const reader = await runs.openReader(runIdOf(1), 0);
    await expect(allBatches(reader, 256, 1000)).rejects.toMatchObject(unreadable);
    await reader.close();
    await expect(textOf(runs.readRows(runIdOf(1)))).rejects.toMatchObject(unreadable);
    await rm(path);
    await expect(runs.openReader(runIdOf(1), 0)).rejects.toMatchObject(unreadable);
    await expect(textOf(runs.readRows(runIdOf(1)))).rejects.toMatchObject(unreadable);
  });
});

describe('rows that keep their numbers', () => {
  const numberOf = (row: number): number => row * 1000 + 7;
  const line = (row: number): string => (row % 2 === 0 ? `[["node",${row}]]\n` : '\n');

  async function acceptNumbered(rows: number) {
    const store = await openStore();
    const intake = await store.runs.beginIntake(runIdOf(1));
    for (let row = 1; row <= rows; row += 1) {
      await intake.write(Buffer.from(rowLine(row)));
      await intake.writeNumbers([numberOf(row)]);
      await intake.writeGiven(Buffer.from(line(row)));
    }
    await intake.commit(runOf(1, rows));
    return store;
  }

  it('have them, and what they are given, wherever reading begins', async () => {
    const { runs } = await acceptNumbered(100);
    const reader = await runs.openReader(runIdOf(1), 41);
    let row = 42;
    for (let batch = await reader.next(30, 1e6); batch; batch = await reader.next(30, 1e6)) {
      const last = row + batch.rows - 1;
      expect(batch.firstRow).toBe(row);
      expect(batch.numbers).toEqual(Array.from({ length: batch.rows }, (_, index) => numberOf(row + index)));
      expect(Buffer.from(batch.given ?? []).toString()).toBe(linesOf(line, row, last));
      row = last + 1;
    }
    expect(row).toBe(101);
    await reader.close();
  });

  it('are read with them, and so are their outputs', async () => {
    const { folder, runs } = await acceptNumbered(20);
    const outputs = await folder.runs.openOutputs(runIdOf(1));
    await outputs.commit(resultsOf(1, 8));
    await outputs.commit(resultsOf(9, 20));
    await outputs.close();
    const expected = Array.from({ length: 20 }, (_, index) => numberOf(index + 1));
    for (const lines of [runs.readRows(runIdOf(1)), runs.readOutputs(runIdOf(1), 20)]) {
      const numbers: number[] = [];
      for await (const piece of lines) numbers.push(...(piece.numbers ?? []));
      expect(numbers).toEqual(expected);
    }
  });

  it('are missed when their file is gone', async () => {
    const { runs, runFolder } = await acceptNumbered(3);
    const run = await runs.read(runIdOf(1));
    await rm(join(runFolder(1), 'rows.numbers'));
    await expect(runs.openReader(runIdOf(1), 0, run)).rejects.toThrow('rows.numbers is missing');
  });

  it('are not read when a number is missing', async () => {
    const { runs, runFolder } = await acceptNumbered(3);
    await writeFile(join(runFolder(1), 'rows.numbers'), Buffer.alloc(11));
    await expect(runs.openReader(runIdOf(1), 0)).rejects.toThrow('rows.numbers: it is not as long as it was');
    await expect(textOf(runs.readRows(runIdOf(1)))).rejects.toThrow(
      'rows.numbers: it is not as long as it was',
    );
  });
});

describe('reading rows', () => {
  it('comes in pieces of about 256 KB, whole lines, each with its first row', async () => {
    const rows = 40_000;
    const { runs } = await accept(linesOf(rowLine, 1, rows), rows);
    let next = 1;
    for await (const { firstRow, bytes } of runs.readRows(runIdOf(1))) {
      expect(firstRow).toBe(next);
      expect(bytes.length).toBeLessThanOrEqual(256 * 1024);
      const text = Buffer.from(bytes).toString();
      next += text.split('\n').length - 1;
      expect(text).toBe(linesOf(rowLine, firstRow, next - 1));
    }
    expect(next).toBe(rows + 1);
  });

  it.runIf(process.platform === 'linux')('lets go of the file when the reader stops early', async () => {
    const { runs } = await accept(linesOf(rowLine, 1, 40_000), 40_000);
    const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await open();
    for await (const { firstRow } of runs.readRows(runIdOf(1))) if (firstRow === 1) break;
    expect(await open()).toBe(before);
  });
});

describe('a run that has not started', () => {
  it('has no outputs, states, failures or counts', async () => {
    const { runs } = await accept(rowLine(1), 1);
    const runId = runIdOf(1);
    expect(await textOf(runs.readOutputs(runId))).toBe('');
    expect(await runs.readStates(runId, 1, 10)).toEqual([]);
    expect(await runs.readFailures(runId, 10)).toEqual([]);
    expect(await runs.readCounts(runId)).toEqual({ rowsDone: 0, rowsFailed: 0 });
  });
});
