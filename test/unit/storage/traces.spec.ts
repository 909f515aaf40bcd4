import fc from 'fast-check';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTraceHead, parseTraceLine } from '../../../src-main/domain/run/row-trace.ts';
import { nodeFileSystem } from '../../../src-main/storage/node-file-system.ts';
import { noCommit, writeCommit } from '../../../src-main/storage/rows/output-index.ts';
import { traceLinesFrom } from '../../../src-main/storage/rows/read-traces.ts';
import type { RunStore, TraceLine } from '../../../src-main/storage/run-store.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { acceptRun, openWithFolders, resultsOf, runIdOf } from './storage-fixture.ts';

const runId = runIdOf(1);

/** The results of a run of 400 rows, committed up to these rows, one opening of the file after the other. */
async function storedRun(...openings: readonly (readonly number[])[]) {
  const path = join(await temporaryFolder(), 'data');
  const { runs } = await acceptedRun(path);
  let first = 1;
  for (const commits of openings) {
    const outputs = await runs.openOutputs(runId);
    for (const last of commits) {
      await outputs.commit(resultsOf(first, last));
      first = last + 1;
    }
    await outputs.close();
  }
  return { runs, file: (name: string) => join(path, 'runs', runId, name) };
}

async function acceptedRun(path: string) {
  const folder = await openWithFolders(path);
  await acceptRun(folder, 1, 400);
  return folder;
}

async function tracesOf(runs: RunStore, from: number, to: number): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  for await (const line of runs.readTraces(runId, from, to)) lines.push(line);
  return lines;
}

const traced = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
    (row) => row % 5 === 0 || row % 2 === 0,
  );

describe('traces', () => {
  it('are found by row, those of failed rows with their failure', async () => {
    const { runs } = await storedRun([3, 40, 41], [400]);
    expect((await tracesOf(runs, 1, 400)).map(({ row }) => row)).toEqual(traced(1, 400));
    expect((await tracesOf(runs, 38, 47)).map(({ row }) => row)).toEqual(traced(38, 47));
    const [failed] = await tracesOf(runs, 35, 35);
    expect(parseTraceLine(failed?.line ?? '')).toMatchObject({ row: 35, failure: { nodeId: 'check' } });
    expect(await tracesOf(runs, 401, 500)).toEqual([]);
  });

  it('that are not committed are not there', async () => {
    const { runs, file } = await storedRun([40]);
    await appendFile(file('trace.ndjson'), '{"row":41,"nodes":[1]}\n');
    expect((await tracesOf(runs, 39, 50)).map(({ row }) => row)).toEqual([40]);
  });

  it('of an older version have failures alone', async () => {
    const { runs, file } = await storedRun([]);
    const failures = [3, 7].map((row) => ({ row, nodeId: 'a', message: 'no', attempts: 1 }));
    const text = failures.map((failure) => `${JSON.stringify(failure)}\n`).join('');
    await writeFile(file('trace.ndjson'), text);
    const commit = { ...noCommit, rows: 9, outputsBytes: 9, rowsFailed: 2, traceBytes: text.length };
    await writeFile(file('outputs.index'), writeCommit(commit, noCommit).line);
    expect(await runs.readFailures(runId, 10)).toEqual(failures);
    expect(await runs.readStatistics(runId)).toBeUndefined();
    const [line] = await tracesOf(runs, 7, 7);
    expect(parseTraceLine(line?.line ?? '')).toBeUndefined();
    expect(parseTraceHead(line?.line ?? '')).toBeUndefined();
  });

  it('are found in a large file by reading little of it', async () => {
    const path = join(await temporaryFolder(), 'trace.ndjson');
    const sizes = fc.sample(fc.oneof(fc.nat(200), fc.nat(200), fc.nat(90_000)), { numRuns: 600, seed: 1 });
    const lines = sizes.map((size, index) =>
      size % 7 === 0
        ? `{"unreadable":${index}}`
        : `{"row":${index},"nodes":[${size}],"values":["${'x'.repeat(size)}"]}`,
    );
    await writeFile(path, lines.join('\n') + '\n');
    const file = await nodeFileSystem.open(path, 'read');
    let read = 0;
    const counting = new Proxy(file, {
      get: (of, name) =>
        name === 'read'
          ? (into: Uint8Array, at: number) => ((read += into.length), of.read(into, at))
          : (Reflect.get(of, name) as unknown),
    });
    const size = await file.size();
    for (let row = 0; row < lines.length; row += 13) {
      read = 0;
      const wanted = sizes.findIndex((each, index) => index >= row && each % 7 !== 0);
      const found = await traceLinesFrom({ file: counting, from: 0, to: size }, row).next();
      expect(found.value).toEqual(wanted < 0 ? undefined : { row: wanted, line: lines[wanted] });
      expect(read).toBeLessThan(2_500_000);
    }
    expect(size).toBeGreaterThan(5_000_000);
    await file.close();
  });
});

describe('statistics', () => {
  it('are the sums of all commits, also of those before a restart', async () => {
    const { runs } = await storedRun([3, 40, 41], [300], [400]);
    const { nodes } = resultsOf(1, 400);
    expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 400, rows: 400, nodes });
  });

  it('that are damaged are counted anew, and the run goes on', async () => {
    const { runs, file } = await storedRun([40]);
    for (const name of ['statistics.0', 'statistics.1']) {
      const text = await readFile(file(name), 'utf8');
      await writeFile(file(name), text.replace('rows', 'sows'));
    }
    expect(await runs.readStatistics(runId)).toBeUndefined();
    const outputs = await runs.openOutputs(runId);
    await outputs.commit(resultsOf(41, 50));
    await outputs.close();
    expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 50, rows: 10 });
  });

  it.each([
    ['the first', [40], 0],
    ['a later', [40, 50], 40],
  ])(
    'that a power cut kept from %s commit, whose line it left, let its rows run again',
    async (_, commits, kept) => {
      const { runs, file } = await storedRun(commits);
      const last = commits.at(-1) ?? 0;
      for (const name of ['statistics.0', 'statistics.1'])
        if ((await readFile(file(name), 'utf8')).includes(`"upTo":${last},`)) await writeFile(file(name), '');
      const outputs = await runs.openOutputs(runId);
      expect(outputs.committedRows).toBe(kept);
      await outputs.commit(resultsOf(kept + 1, last));
      await outputs.close();
      const { nodes } = resultsOf(1, last);
      expect(await runs.readStatistics(runId)).toMatchObject({ upTo: last, rows: last, nodes });
    },
  );

  it('of a commit that did not come about give way to those of the last one', async () => {
    const { runs, file } = await storedRun([40, 41]);
    const index = await readFile(file('outputs.index'), 'utf8');
    await writeFile(file('outputs.index'), index.slice(0, index.lastIndexOf('\n', index.length - 2) + 1));
    expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 40, rows: 40 });
    const outputs = await runs.openOutputs(runId);
    await outputs.commit(resultsOf(41, 50));
    await outputs.close();
    const { nodes } = resultsOf(1, 50);
    expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 50, rows: 50, nodes });
  });

  it('of many small commits take no more of the disk than those of few', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => index + 1);
    const { runs, file } = await storedRun(rows);
    const traces = await readFile(file('trace.ndjson'), 'utf8');
    expect(traces.split('\n').filter(Boolean)).toHaveLength(traced(1, 400).length);
    const { nodes } = resultsOf(1, 400);
    expect(await runs.readStatistics(runId)).toMatchObject({ upTo: 400, rows: 400, nodes });
  });
});
