import { appendFile, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OutputSink } from '../../../src-main/executor/ports.ts';
import { unfinishedRows } from '../../../src-main/executor/unfinished-rows.ts';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  linesOf,
  openWithFolders,
  outputLine,
  failuresOf,
  resultsOf,
  runIdOf,
  textOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);
const unreadable = { code: 'data_unreadable' };

/** A run of `rows` rows whose commits ended with these rows. */
async function runWith({
  rows = 30,
  commits = [] as readonly number[],
  fileSystem = new FaultyFileSystem(),
} = {}) {
  const path = await temporaryFolder();
  const folder = await openWithFolders(path, fileSystem);
  const { runs } = folder;
  await acceptRun(folder, 1, rows);
  const file = (name: string): string => join(path, 'runs', runId, name);
  let done = 0;
  const outputs = await runs.openOutputs(runId);
  for (const last of commits) {
    await outputs.commit(resultsOf(done + 1, last));
    done = last;
  }
  await outputs.close();
  return { folder, runs, file, rows };
}

type Story = Awaited<ReturnType<typeof runWith>>;

/** Opens the outputs, sees how many rows are committed, and executes the rest. */
async function goOn({ runs, rows }: Story): Promise<number> {
  const outputs = await runs.openOutputs(runId);
  const { committedRows } = outputs;
  if (committedRows < rows) await outputs.commit(resultsOf(committedRows + 1, rows));
  await outputs.close();
  return committedRows;
}

async function expectComplete({ runs, rows, file }: Story): Promise<void> {
  const expected = linesOf(outputLine, 1, rows);
  expect(await textOf(runs.readOutputs(runId))).toBe(expected);
  expect(await readFile(file('outputs.ndjson'), 'utf8')).toBe(expected);
  expect((await stat(file('rows.state'))).size).toBe(8 * rows);
  expect(await runs.readFailures(runId, 1000)).toEqual(failuresOf(rows));
  expect(await runs.readCounts(runId)).toEqual({ rowsDone: rows - rows / 5, rowsFailed: rows / 5 });
}

async function flipByte(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

describe('committed results', () => {
  it('are counted, and are read back line by line, an empty line for a row without output', async () => {
    const story = await runWith({ commits: [4, 9] });
    const outputs = await story.runs.openOutputs(runId);
    const sink: OutputSink = outputs;
    await sink.commit({ ...resultsOf(10, 30), failures: [] });
    expect(outputs.committedRows).toBe(30);
    expect(outputs.counts).toEqual({ rowsDone: 24, rowsFailed: 6 });
    await outputs.close();
    await expectComplete(story);
  });

  it('have their folder synced with the first: files may have been made for it, which a power cut must not take', async () => {
    const fileSystem = new FaultyFileSystem();
    const story = await runWith({ fileSystem });
    const outputs = await story.runs.openOutputs(runId);
    fileSystem.calls.length = 0;
    await outputs.commit(resultsOf(1, 4));
    await outputs.commit(resultsOf(5, 9));
    await outputs.close();
    const folder = dirname(story.file('run.json'));
    const synced = fileSystem.calls.filter(
      ({ operation, path }) => operation === 'syncFolder' && path === folder,
    );
    expect(synced).toHaveLength(1);
  });

  it('wait for the disk once: all that belongs to them is synced together', async () => {
    const fileSystem = new FaultyFileSystem();
    const story = await runWith({ fileSystem });
    const outputs = await story.runs.openOutputs(runId);
    fileSystem.calls.length = 0;
    await outputs.commit(resultsOf(1, 9));
    await outputs.close();
    const operations = fileSystem.calls.map(({ operation }) => operation);
    const isSync = (operation: string): boolean => /sync/i.test(operation);
    const syncs = operations.filter(isSync);
    expect(syncs.length).toBeGreaterThan(4);
    expect(operations.slice(operations.findIndex(isSync)).slice(0, syncs.length)).toEqual(syncs);
  });

  it('can be read while the run goes on', async () => {
    const story = await runWith({ commits: [4] });
    const outputs = await story.runs.openOutputs(runId);
    await outputs.commit(resultsOf(5, 9));
    expect(await textOf(story.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, 9));
    expect(await story.runs.readCounts(runId)).toEqual({ rowsDone: 8, rowsFailed: 1 });
    await outputs.close();
  });

  it('share one round of syncs when they arrive while another is written', async () => {
    const fileSystem = new FaultyFileSystem();
    const story = await runWith({ fileSystem });
    const outputs = await story.runs.openOutputs(runId);
    fileSystem.calls.length = 0;
    const commits = Array.from({ length: 30 }, (_, row) => outputs.commit(resultsOf(row + 1, row + 1)));
    await Promise.all(commits);
    await outputs.close();
    const syncs = fileSystem.calls.filter(({ operation }) => operation === 'file.dataSync');
    // Outputs, states, statistics and index for the first commit, and traces too for all the others together.
    expect(syncs).toHaveLength(4 + 5);
    await expectComplete(story);
  });

  it('are all written when the file is closed at once', async () => {
    const story = await runWith({ commits: [] });
    const outputs = await story.runs.openOutputs(runId);
    const commits = [outputs.commit(resultsOf(1, 9)), outputs.commit(resultsOf(10, 30))];
    await outputs.close();
    await Promise.all(commits);
    await expectComplete(story);
  });

  it('come in pieces that hold whole commits, with the number of their first row', async () => {
    const rows = 40_000;
    const story = await runWith({
      rows,
      commits: Array.from({ length: rows / 250 }, (_, n) => (n + 1) * 250),
    });
    let next = 1;
    let pieces = 0;
    for await (const { firstRow, bytes } of story.runs.readOutputs(runId)) {
      expect(firstRow).toBe(next);
      expect(bytes.length).toBeLessThan(300_000);
      const text = Buffer.from(bytes).toString();
      next += text.split('\n').length - 1;
      expect(text).toBe(linesOf(outputLine, firstRow, next - 1));
      pieces += 1;
    }
    expect([next, pieces]).toEqual([rows + 1, 3]);
  });

  it('count unfinished rows by themselves, over a restart too, and have no trace of them', async () => {
    const story = await runWith({ commits: [4] });
    const outputs = await story.runs.openOutputs(runId);
    await outputs.commit(unfinishedRows(3));
    await outputs.commit(resultsOf(8, 9));
    await outputs.close();
    const counts = { rowsDone: 6, rowsFailed: 0, rowsUnfinished: 3 };
    expect(await story.runs.readCounts(runId)).toEqual(counts);
    expect(await textOf(story.runs.readOutputs(runId))).toBe(
      `${linesOf(outputLine, 1, 4)}\n\n\n${linesOf(outputLine, 8, 9)}`,
    );
    const states = await story.runs.readStates(runId, 4, 5);
    expect(states.map(({ state }) => state)).toEqual([
      'done',
      'unfinished',
      'unfinished',
      'unfinished',
      'done',
    ]);
    expect(await story.runs.readStatistics(runId)).toMatchObject({ upTo: 9, rows: 6 });
    for await (const { row } of story.runs.readTraces(runId, 5, 7)) expect(row).toBeUndefined();
    const again = await story.runs.openOutputs(runId);
    expect([again.committedRows, again.counts]).toEqual([9, counts]);
    await again.close();
  });

  it('have a state for any slice of rows', async () => {
    const { runs } = await runWith({ commits: [4, 30] });
    expect(await runs.readStates(runId, 4, 3)).toEqual([
      { state: 'done', retries: 1, durationMicros: 4 },
      { state: 'failed', retries: 2, durationMicros: 5 },
      { state: 'done', retries: 0, durationMicros: 6 },
    ]);
    expect(await runs.readStates(runId, 29, 100)).toHaveLength(2);
    expect(await runs.readStates(runId, 31, 100)).toEqual([]);
  });

  it('list the first failures up to a limit', async () => {
    const { runs } = await runWith({ commits: [30] });
    expect((await runs.readFailures(runId, 2)).map(({ row }) => row)).toEqual([5, 10]);
  });

  it('must be one line and one state a row', async () => {
    const { runs } = await runWith();
    const outputs = await runs.openOutputs(runId);
    const good = resultsOf(1, 2);
    for (const bad of [
      { ...good, rows: 3 },
      { ...good, outputs: Buffer.from('{}\n{}') },
      { ...good, outputs: Buffer.from('{}\n{}\n{}\n') },
      { ...good, states: new Uint8Array(8) },
    ]) {
      expect(() => outputs.commit(bad)).toThrow('Broken assumption: one');
    }
    await outputs.close();
  });

  it('are refused after a failed write, and those before it remain', async () => {
    const fileSystem = new FaultyFileSystem();
    const story = await runWith({ fileSystem });
    const outputs = await story.runs.openOutputs(runId);
    await outputs.commit(resultsOf(1, 4));
    fileSystem.plan = { fault: 'EIO', at: 1, times: 1, counts: (operation) => operation === 'file.dataSync' };
    fileSystem.calls.length = 0;
    const commits = [outputs.commit(resultsOf(5, 9)), outputs.commit(resultsOf(10, 12))];
    const outcomes = await Promise.allSettled([...commits, outputs.commit(resultsOf(13, 14))]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'store_degraded' } });
    }
    expect(outputs.committedRows).toBe(4);
    expect(story.folder.health.degraded).toBe(true);
    await outputs.close();
    expect(await textOf(story.runs.readOutputs(runId))).toBe(linesOf(outputLine, 1, 4));
  });
});

describe('opening outputs after a crash', () => {
  it.each(['outputs.ndjson', 'rows.state', 'trace.ndjson'])(
    'cuts what %s holds beyond the last commit',
    async (name) => {
      const story = await runWith({ commits: [4, 9] });
      await appendFile(story.file(name), '{"half'.repeat(1000));
      expect(await goOn(story)).toBe(9);
      await expectComplete(story);
      expect(story.folder.notices).toEqual([]);
    },
  );

  it.each([1, 10, 20])('cuts a last index line that lost its last %i bytes', async (lost) => {
    const story = await runWith({ commits: [4, 9] });
    await truncate(story.file('outputs.index'), (await stat(story.file('outputs.index'))).size - lost);
    expect(await goOn(story)).toBe(4);
    await expectComplete(story);
    expect(story.folder.notices).toEqual([]);
  });

  it('cuts an index that a power cut filled with zeros', async () => {
    const story = await runWith({ commits: [4, 9] });
    await appendFile(story.file('outputs.index'), '\0'.repeat(4096));
    expect(await goOn(story)).toBe(9);
    await expectComplete(story);
  });

  it('begins anew when the outputs were never made', async () => {
    const story = await runWith({ commits: [4] });
    for (const name of ['outputs.ndjson', 'outputs.index', 'rows.state', 'trace.ndjson'])
      await rm(story.file(name));
    expect(await goOn(story)).toBe(0);
    await expectComplete(story);
  });

  it('says so when the run is gone, and the store stays well', async () => {
    const { runs, folder } = await runWith();
    await expect(runs.openOutputs(runIdOf(2))).rejects.toMatchObject(unreadable);
    expect(folder.health.degraded).toBe(false);
  });
});

describe('damaged results', () => {
  it.each(['outputs.ndjson', 'rows.state', 'trace.ndjson'])(
    'of the last commit in %s run again without a word: a power cut leaves the same',
    async (name) => {
      const story = await runWith({ commits: [4, 9, 12] });
      await flipByte(story.file(name), (await stat(story.file(name))).size - 3);
      expect(await goOn(story)).toBe(9);
      await expectComplete(story);
      expect(story.folder.notices).toEqual([]);
    },
  );

  it('of commits before the last run again, and that is reported', async () => {
    const story = await runWith({ commits: [4, 9, 12] });
    for (const row of [9, 12])
      await flipByte(story.file('outputs.ndjson'), linesOf(outputLine, 1, row).length - 3);
    expect(await goOn(story)).toBe(4);
    await expectComplete(story);
    expect(story.folder.notices).toEqual([
      expect.stringMatching(/outputs.index: the outputs of rows 5 to 9 are damaged; these rows run again.$/),
    ]);
  });

  it.each(['outputs.ndjson', 'rows.state', 'trace.ndjson'])(
    'of which %s is too short run again',
    async (name) => {
      const story = await runWith({ commits: [4, 9, 15] });
      await truncate(story.file(name), (await stat(story.file(name))).size - 1);
      expect(await goOn(story)).toBe(9);
      await expectComplete(story);
    },
  );

  it('run again from an index line that is damaged, and the index is kept aside', async () => {
    const story = await runWith({ commits: [4, 9, 12] });
    const before = await readFile(story.file('outputs.index'), 'utf8');
    const lines = before.split('\n');
    await flipByte(story.file('outputs.index'), (lines[0] ?? '').length + 2);
    expect(await goOn(story)).toBe(4);
    await expectComplete(story);
    const aside = (await readdir(story.file('.'))).filter((name) => name.includes('corrupt'));
    expect(aside).toEqual([expect.stringMatching(/^outputs\.index\.corrupt-[-0-9TZ.]+$/)]);
    expect(await readFile(story.file(aside[0] ?? ''), 'utf8')).toHaveLength(before.length);
    expect(story.folder.notices).toEqual([expect.stringContaining('outputs.index: line 2 is damaged')]);
  });

  const lineStories: [string, (lines: string[]) => string[], number][] = [
    ['is missing', ([a = '', , c = '']) => [a, c], 4],
    ['is there twice', ([a = '', b = '', c = '']) => [a, b, b, c], 9],
    ['has changed places', ([a = '', b = '', c = '']) => [b, a, c], 0],
    ['ends with a carriage return', ([a = '', b = '', c = '']) => [a, `${b}\r`, c], 4],
    ['is joined to the next', ([a = '', b = '', c = '']) => [a, b + c], 4],
    ['is followed by an empty one', ([a = '', b = '', c = '']) => [a, b, '', c], 9],
  ];
  it.each(lineStories)('are noticed when an index line %s', async (_, change, committed) => {
    const story = await runWith({ commits: [4, 9, 12] });
    const lines = (await readFile(story.file('outputs.index'), 'utf8')).trimEnd().split('\n');
    await writeFile(
      story.file('outputs.index'),
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await expect(textOf(story.runs.readOutputs(runId))).rejects.toMatchObject(unreadable);
    expect(await goOn(story)).toBe(committed);
    await expectComplete(story);
    expect(story.folder.notices).toHaveLength(1);
  });

  it('are never handed out: reading fails at any flipped byte of the outputs', async () => {
    const story = await runWith({ commits: [4, 9, 30] });
    const { size } = await stat(story.file('outputs.ndjson'));
    for (let at = 0; at < size; at += 13) {
      await flipByte(story.file('outputs.ndjson'), at);
      await expect(textOf(story.runs.readOutputs(runId))).rejects.toMatchObject(unreadable);
      await flipByte(story.file('outputs.ndjson'), at);
    }
    await expectComplete(story);
  });

  it('are never handed out: reading fails when the outputs are cut or gone', async () => {
    const story = await runWith({ commits: [4, 9] });
    await truncate(story.file('outputs.ndjson'), 20);
    await expect(textOf(story.runs.readOutputs(runId))).rejects.toMatchObject(unreadable);
    await rm(story.file('outputs.ndjson'));
    await expect(textOf(story.runs.readOutputs(runId))).rejects.toMatchObject(unreadable);
  });

  it('in the failures are reported, not skipped', async () => {
    const story = await runWith({ commits: [30] });
    await flipByte(story.file('trace.ndjson'), 0);
    await expect(story.runs.readFailures(runId, 10)).rejects.toMatchObject(unreadable);
  });
});
