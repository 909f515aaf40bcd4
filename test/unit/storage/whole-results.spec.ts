// The results of a run that was committed in one piece are one file. Whoever reads them sees no difference, and
// whatever happens to the file, nobody is given anything else than what was committed.
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FaultyFileSystem } from '../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import {
  acceptRun,
  failuresOf,
  linesOf,
  openWithFolders,
  outputLine,
  resultsOf,
  runIdOf,
  runOf,
  textOf,
} from './storage-fixture.ts';

const runId = runIdOf(1);
const rows = 10;

async function acceptedRun(fileSystem = new FaultyFileSystem()) {
  const path = await temporaryFolder();
  const folder = await openWithFolders(path, fileSystem);
  await acceptRun(folder, 1, rows);
  const at = join(path, 'runs', runId);
  return { folder, runs: folder.runs, at, results: join(at, 'results') };
}

async function committedRun(fileSystem?: FaultyFileSystem) {
  const run = await acceptedRun(fileSystem);
  const outputs = await run.runs.openOutputs(runId, rows);
  await outputs.commit(resultsOf(1, rows));
  await outputs.close();
  return run;
}

type Stored = Awaited<ReturnType<typeof acceptedRun>>;

/** Everything that can be read of the run's results; the message where that is refused. */
async function readAll({ runs }: Stored) {
  const read = async (what: Promise<unknown>): Promise<unknown> =>
    what.catch(({ message }: Error) => message);
  const traces = async (): Promise<unknown> => {
    const lines = [];
    for await (const line of runs.readTraces(runId, 1, rows)) lines.push(line);
    return lines;
  };
  return {
    outputs: await read(textOf(runs.readOutputs(runId, rows))),
    states: await read(runs.readStates(runId, 1, rows)),
    failures: await read(runs.readFailures(runId, 100)),
    traces: await read(traces()),
    statistics: await read(runs.readStatistics(runId)),
  };
}

/** The run goes on, as after a crash. Resolves to the rows that were taken to be committed. */
async function goOn({ runs }: Stored): Promise<number> {
  const outputs = await runs.openOutputs(runId, rows);
  const { committedRows } = outputs;
  if (committedRows < rows) await outputs.commit(resultsOf(committedRows + 1, rows));
  await outputs.close();
  return committedRows;
}

describe('a run that is committed in one piece', () => {
  it('has one file of results, and reads like one with several', async () => {
    const run = await committedRun();
    expect((await readdir(run.at)).sort()).toEqual(['results', 'rows.ndjson', 'run.json']);
    const several = await acceptedRun();
    const outputs = await several.runs.openOutputs(runId);
    await outputs.commit(resultsOf(1, rows));
    await outputs.close();
    const read = await readAll(run);
    const withoutPace = (all: typeof read): object => ({
      ...all,
      statistics: { ...Object(all.statistics), pace: undefined } as object,
    });
    expect(withoutPace(read)).toEqual(withoutPace(await readAll(several)));
    expect(read.outputs).toBe(linesOf(outputLine, 1, rows));
    expect(read.failures).toEqual(failuresOf(rows));
    expect(await textOf(run.runs.readOutputs(runId, rows, 4))).toBe(read.outputs);
  });

  it('waits for the disk once', async () => {
    const fileSystem = new FaultyFileSystem();
    const run = await acceptedRun(fileSystem);
    fileSystem.calls.length = 0;
    await goOn(run);
    const done = fileSystem.calls.map(({ operation }) => operation).filter((name) => name !== 'stat');
    expect(done).toEqual(['open', 'file.write', 'file.dataSync', 'syncFolder', 'file.close']);
  });

  it('is taken up where it was, after a crash too', async () => {
    const run = await committedRun();
    expect(await goOn(run)).toBe(rows);
    const outputs = await run.runs.openOutputs(runId, rows);
    expect(outputs.counts).toEqual({ rowsDone: 8, rowsFailed: 2 });
    await outputs.close();
  });

  it('has files of their own for commits that are a part of it', async () => {
    const run = await acceptedRun();
    const outputs = await run.runs.openOutputs(runId, rows);
    await outputs.commit(resultsOf(1, 4));
    await outputs.close();
    expect(await goOn(run)).toBe(4);
    expect(await readdir(run.at)).not.toContain('results');
    expect((await readAll(run)).outputs).toBe(linesOf(outputLine, 1, rows));
  });

  it('makes no file before there is anything to write', async () => {
    const run = await acceptedRun();
    await (await run.runs.openOutputs(runId, rows)).close();
    expect((await readdir(run.at)).sort()).toEqual(['rows.ndjson', 'run.json']);
  });
});

describe('results in one file', () => {
  it('are given as they were or refused, whichever byte changed', async () => {
    const run = await committedRun();
    await run.runs.save({
      ...runOf(1, rows),
      status: 'completed',
      finishedAt: '2026-01-01T00:00:01.000Z',
      counts: { rowsDone: 8, rowsFailed: 2 },
    });
    const whole = await readFile(run.results);
    const sound = await readAll(run);
    let noticed = 0;
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(run.results, bytes);
      const read = await readAll(run);
      const changed = Object.entries(read).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(sound[name as keyof typeof sound]),
      );
      noticed += Math.min(1, changed.length);
      // Statistics may be told as not there: nothing is lost with them but figures.
      for (const [name, value] of changed)
        expect(String(value), `byte ${at}, ${name}`).toMatch(
          name === 'statistics' ? /undefined|cannot be read/ : /cannot be read/,
        );
    }
    // All but the space behind the statistics' checksum, which says nothing.
    expect(noticed).toBe(whole.length - 1);
  });

  it('of which a byte changed before the run ended are thrown away, and the rows run again', async () => {
    const run = await committedRun();
    const whole = await readFile(run.results);
    for (let at = 0; at < whole.length; at += 13) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(run.results, bytes);
      expect(await goOn(run), `byte ${at}`).toBe(0);
      expect((await readAll(run)).outputs).toBe(linesOf(outputLine, 1, rows));
    }
  });

  it('of any other length than it was are none, or refused', async () => {
    const run = await committedRun();
    const whole = await readFile(run.results);
    for (let size = 0; size < whole.length; size += 17) {
      await writeFile(run.results, whole);
      await truncate(run.results, size);
      expect(await run.runs.readCounts(runId), `${size} bytes`).toEqual({ rowsDone: 0, rowsFailed: 0 });
      expect((await readAll(run)).outputs).toMatch(/0 of 10 rows are there/);
      expect(await goOn(run), `${size} bytes`).toBe(0);
      expect((await readAll(run)).outputs).toBe(linesOf(outputLine, 1, rows));
    }
    await writeFile(run.results, `${whole.toString('latin1')}more`, 'latin1');
    expect((await readAll(run)).outputs).toMatch(/results: it is damaged/);
    expect(await goOn(run)).toBe(0);
  });

  it('give way to commits of an older version, which did not look at them', async () => {
    const run = await acceptedRun();
    const outputs = await run.runs.openOutputs(runId);
    await outputs.commit(resultsOf(1, 4));
    await outputs.close();
    const other = await committedRun();
    await writeFile(run.results, await readFile(other.results));
    expect(await run.runs.readCounts(runId)).toEqual({ rowsDone: 4, rowsFailed: 0 });
    expect(await goOn(run)).toBe(4);
    expect((await readAll(run)).outputs).toBe(linesOf(outputLine, 1, rows));
  });

  it('of a newer version are refused, and kept', async () => {
    const run = await committedRun();
    const body = 'results 2 of another kind';
    const newer = `${body} ${crc32(body).toString(16).padStart(8, '0')}\n${'x'.repeat(300)}`;
    await writeFile(run.results, newer);
    const refusal = {
      code: 'data_unreadable',
      message: expect.stringMatching(/by a newer Rowbench/) as string,
    };
    await expect(run.runs.readCounts(runId)).rejects.toMatchObject(refusal);
    await expect(run.runs.openOutputs(runId, rows)).rejects.toMatchObject(refusal);
    expect(await readFile(run.results, 'utf8')).toBe(newer);
  });

  it.each(['file.write', 'file.dataSync', 'syncFolder'])('are none when %s fails', async (failing) => {
    const fileSystem = new FaultyFileSystem();
    const run = await acceptedRun(fileSystem);
    const outputs = await run.runs.openOutputs(runId, rows);
    fileSystem.calls.length = 0;
    fileSystem.plan = { fault: 'EIO', at: 1, times: 1, counts: (operation) => operation === failing };
    await expect(outputs.commit(resultsOf(1, rows))).rejects.toMatchObject({ code: 'store_degraded' });
    await outputs.close();
    expect(await run.runs.readCounts(runId)).toEqual({ rowsDone: 0, rowsFailed: 0 });
  });
});
