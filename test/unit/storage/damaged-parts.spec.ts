// A byte that changed on the disk in what is stored of a run beside its rows and outputs is noticed by whoever reads it.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunStore } from '../../../src-main/storage/run-store.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  failuresOf,
  openWithFolders,
  resultsOf,
  rowLine,
  runIdOf,
  runOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

/** A run of 60 rows, committed by twenties. */
async function storedRun() {
  const path = join(await temporaryFolder(), 'data');
  const folder = await openWithFolders(path);
  await acceptRun(folder, 1, 60);
  const outputs = await folder.runs.openOutputs(runId);
  for (const last of [20, 40, 60]) await outputs.commit(resultsOf(last - 19, last));
  await outputs.close();
  return { runs: folder.runs, file: (name: string) => join(path, 'runs', runId, name) };
}

const numberOf = (row: number): number => row * 1000;

/** Rows with numbers and values of their own, not begun. */
async function numberedRun(rows: number) {
  const path = join(await temporaryFolder(), 'data');
  const folder = await openWithFolders(path);
  const { runs } = folder;
  const intake = await runs.beginIntake(runId);
  for (let row = 1; row <= rows; row += 1) {
    await intake.write(Buffer.from(rowLine(row)));
    await intake.writeNumbers([numberOf(row)]);
    await intake.writeGiven(Buffer.from(`[["node",${row}]]\n`));
  }
  const run = await intake.commit(runOf(1, rows));
  const reopened = async (): Promise<RunStore> => {
    await folder.close();
    return (await openWithFolders(path)).runs;
  };
  return { run, runs, reopened, file: (name: string) => join(path, 'runs', runId, name) };
}

async function tracedRows(runs: RunStore, from: number, to: number): Promise<number[]> {
  const rows: number[] = [];
  for await (const { row } of runs.readTraces(runId, from, to)) rows.push(row);
  return rows;
}

describe('row states', () => {
  it('of a commit are refused whichever byte of them changed, those of others are not', async () => {
    const { runs, file } = await storedRun();
    for (let at = 20 * 8; at < 40 * 8; at += 7) {
      await flip(file('rows.state'), at);
      const said = 'rows.state: what it holds of rows 21 to 40 is damaged';
      await expect(runs.readStates(runId, 21, 1)).rejects.toThrow(said);
      await expect(runs.readStates(runId, 1, 60)).rejects.toThrow(said);
      expect(await runs.readStates(runId, 1, 20)).toHaveLength(20);
      expect((await runs.readStates(runId, 41, 100)).map(({ durationMicros }) => durationMicros)).toEqual(
        Array.from({ length: 20 }, (_, index) => 41 + index),
      );
      await flip(file('rows.state'), at);
    }
  });
});

describe('traces', () => {
  it('of a commit are refused whichever byte of them changed, those of others are not', async () => {
    const { runs, file } = await storedRun();
    const text = await readFile(file('trace.ndjson'), 'latin1');
    const [first, end] = [text.indexOf('{"row":22'), text.indexOf('{"row":42')];
    for (let at = first; at < end; at += 11) {
      await flip(file('trace.ndjson'), at);
      const said = 'trace.ndjson: what it holds of rows 21 to 40 is damaged';
      await expect(tracedRows(runs, 22, 22)).rejects.toThrow(said);
      await expect(runs.readFailures(runId, 100)).rejects.toThrow(said);
      expect(await runs.readFailures(runId, 4)).toEqual(failuresOf(20));
      expect(await tracedRows(runs, 1, 5)).toEqual([2, 4, 5]);
      expect(await tracedRows(runs, 57, 60)).toEqual([58, 60]);
      await flip(file('trace.ndjson'), at);
    }
  });
});

describe('the numbers of rows', () => {
  it.each([0, 5, 399])('are refused when byte %i of them changed, by whoever looks first', async (at) => {
    const { runs, reopened, file } = await numberedRun(100);
    expect(await runs.positionOf(runId, numberOf(70))).toBe(70);
    await flip(file('rows.numbers'), at);
    const again = await reopened();
    const said = 'rows.numbers: the numbers are not those that were accepted';
    await expect(again.positionOf(runId, numberOf(70))).rejects.toThrow(said);
    await expect(again.readRowNumbers(runId, 50, 1)).rejects.toThrow(said);
    await expect(again.openReader(runId, 0)).rejects.toThrow(said);
    await expect(tracedRows(again, 1, 2)).rejects.toThrow(said);
  });
});

describe('values that rows are given', () => {
  it('are not handed out to the last when one of them changed', async () => {
    const { run, runs, file } = await numberedRun(40);
    await flip(file('rows.given'), 11);
    const reader = await runs.openReader(runId, 0, run);
    const read = async (): Promise<void> => {
      while ((await reader.next(16, 1e6)) !== undefined) continue;
    };
    await expect(read()).rejects.toThrow('rows.given: the rows are not those that were accepted');
    await reader.close();
  });
});

it('what an older version stored without checksums is read as it is', async () => {
  const { run, runs, file, reopened } = await numberedRun(10);
  const { numbersCrc, givenCrc, ...older } = run;
  expect([numbersCrc, givenCrc]).toEqual([expect.any(Number), expect.any(Number)]);
  await runs.save(older);
  await flip(file('rows.numbers'), 1);
  const again = await reopened();
  expect(await again.readRowNumbers(runId, 1, 1)).toEqual([numberOf(1) ^ 256]);
});
