// The ports of stored runs: results as they are committed, and as they are read back.
import { describe, expect, it } from 'vitest';
import { countLines } from '../../../src-main/domain/rows/line-bytes.ts';
import { rowNumberAt } from '../../../src-main/domain/run/row-numbers.ts';
import { parseTraceLine } from '../../../src-main/domain/results/row-trace.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import type { TraceLine } from '../../../src-main/domain/run/stored-run.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { backends } from '../../builders/store-backends.ts';
import {
  failuresOf,
  isTraced,
  linesOf,
  outputLine,
  resultOf,
  resultsOf,
  rowLine,
  runOf,
  textOf,
} from '../../builders/stored-rows.ts';

describe.each(backends)('results of runs in %s', (_, create) => {
  const queried = queriedStores(create);
  let lastRun = 0;

  /** A run with rows, of which rows up to these were committed one after the other. */
  async function storedRun(rows: number, ...commits: readonly number[]): Promise<Run> {
    const run = await acceptedRun(rows);
    const results = await queried.stores.runs.openResults(run.runId, true);
    for (const last of commits) await results.commit(resultsOf(results.committedRows + 1, last));
    return run;
  }

  async function acceptedRun(rows: number, numbers?: readonly number[]): Promise<Run> {
    const run = runOf((lastRun += 1), rows);
    const writer = await queried.stores.runs.openRunWriter();
    if (numbers !== undefined) writer.setNumbers(numbers);
    await writer.append({ bytes: Buffer.from(linesOf(rowLine, 1, rows)) });
    await writer.commit(run);
    return run;
  }

  async function tracesOf({ runId }: Run, from: number, to: number): Promise<TraceLine[]> {
    const lines: TraceLine[] = [];
    for await (const line of queried.stores.runs.readTraces(runId, from, to)) lines.push(line);
    return lines;
  }

  it('a run without results has none of an earlier run', async () => {
    const { runs } = queried.stores;
    await storedRun(20, 20);
    const { runId, ...run } = await storedRun(20);
    expect(await textOf(runs.readOutputs(runId))).toBe('');
    expect(await textOf(runs.readOutputPieces(runId))).toBe('');
    expect(await runs.readStates(runId, 1, 10)).toEqual([]);
    expect(await runs.readFailures(runId, 10)).toEqual([]);
    expect(await runs.readCounts(runId)).toEqual({ rowsDone: 0, rowsFailed: 0 });
    expect(await runs.readStatistics(runId)).toBeUndefined();
    expect(await tracesOf({ ...run, runId }, 1, 20)).toEqual([]);
  });

  it.each([
    ['a row at a time', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['all at once', [5000]],
    ['in few and many rows', [1, 3000, 3001, 3002, 6000]],
    ['in 400 commits', Array.from({ length: 400 }, (__, index) => 13 * (index + 1))],
  ])('outputs, states, traces and failures come back as they were committed: %s', async (_how, commits) => {
    const { runs } = queried.stores;
    const rows = commits.at(-1) ?? 0;
    const run = await storedRun(rows, ...commits);
    const { runId } = run;
    expect(await textOf(runs.readOutputs(runId, rows))).toBe(linesOf(outputLine, 1, rows));
    const states = await runs.readStates(runId, 1, rows + 10);
    expect(states).toHaveLength(rows);
    expect(states.map(({ durationMicros }) => durationMicros)).toEqual(
      Array.from({ length: rows }, (__, index) => index + 1),
    );
    expect(states.filter(({ state }) => state === 'failed')).toHaveLength(Math.floor(rows / 5));
    expect(await runs.readFailures(runId, rows)).toEqual(failuresOf(rows));
    expect(await runs.readFailures(runId, 1)).toEqual(failuresOf(5));
    expect((await tracesOf(run, 1, rows)).map(({ row }) => row)).toEqual(
      Array.from({ length: rows }, (__, index) => index + 1).filter(isTraced),
    );
    const rowsFailed = Math.floor(rows / 5);
    expect(await runs.readCounts(runId)).toEqual({ rowsDone: rows - rowsFailed, rowsFailed });
    expect(await runs.readStatistics(runId)).toMatchObject({ rows, nodes: resultsOf(1, rows).nodes });
  });

  it('results are found from any row on', async () => {
    const { runs } = queried.stores;
    const run = await storedRun(3000, 10, 1010, 1011, 2999, 3000);
    for (const row of [1, 10, 11, 500, 1010, 1011, 1012, 2999, 3000]) {
      const [state] = await runs.readStates(run.runId, row, 1);
      expect(state?.durationMicros).toBe(row);
      const [first] = await tracesOf(run, row, 3000);
      expect(first?.row ?? row).toBeLessThanOrEqual(row + 1);
      let next = 0;
      for await (const { firstRow, bytes } of runs.readOutputs(run.runId, undefined, row)) {
        if (next === 0) expect(firstRow).toBeLessThanOrEqual(row);
        else expect(firstRow).toBe(next);
        next = firstRow + countLines(bytes);
        expect(Buffer.from(bytes).toString()).toBe(linesOf(outputLine, firstRow, next - 1));
      }
      expect(next).toBe(3001);
    }
    expect(await runs.readStates(run.runId, 3001, 5)).toEqual([]);
    expect(await tracesOf(run, 3001, 4000)).toEqual([]);
    const [failed] = await tracesOf(run, 35, 35);
    expect(parseTraceLine(failed?.line ?? '')).toMatchObject({ row: 35, failure: { nodeId: 'check' } });
  });

  it('results go on where an earlier opening of them ended', async () => {
    const { runs } = queried.stores;
    const { runId } = await storedRun(60, 20, 40);
    const results = await runs.openResults(runId, false);
    expect([results.committedRows, results.counts]).toEqual([40, { rowsDone: 32, rowsFailed: 8 }]);
    expect(results.traceBytes).toBe(resultsOf(1, 40).trace.length);
    await results.commit(resultsOf(41, 60));
    expect(await textOf(runs.readOutputs(runId, 60))).toBe(linesOf(outputLine, 1, 60));
    expect(await runs.readStatistics(runId)).toMatchObject({ rows: 60, nodes: resultsOf(1, 60).nodes });
  });

  it('outputs of a completed run are refused when there are fewer, before one is handed out', async () => {
    const { runId } = await storedRun(60, 20, 40);
    const handedOut: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const piece of queried.stores.runs.readOutputs(runId, 60)) handedOut.push(piece);
    };
    await expect(read()).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(handedOut).toEqual([]);
  });

  it('the record that a commit brings along is stored with its results', async () => {
    const { runs } = queried.stores;
    const run = await acceptedRun(10);
    const results = await runs.openResults(run.runId, true);
    const running: Run = { ...runOf(lastRun, 10), status: 'running' };
    await results.commit(resultsOf(1, 4), running);
    expect(await runs.find(run.runId)).toEqual({ run: running, counts: { rowsDone: 4, rowsFailed: 0 } });
    const counts = results.countsWith(resultsOf(5, 10));
    const finishedAt = '2026-01-01T00:00:01.000Z';
    const completed: Run = { ...running, status: 'completed', finishedAt, counts };
    await results.commit(resultsOf(5, 10), completed);
    expect(await runs.find(run.runId)).toEqual({ run: completed, counts: { rowsDone: 8, rowsFailed: 2 } });
  });

  it('neither results nor record are stored where one of them cannot be', async () => {
    const { runs } = queried.stores;
    const run = await storedRun(10, 5);
    const results = await runs.openResults(run.runId, false);
    const other: Run = { ...runOf(999_999, 10), status: 'running' };
    await expect(results.commit(resultsOf(6, 10), other)).rejects.toThrow();
    expect(await runs.find(run.runId)).toMatchObject({ run, counts: { rowsDone: 4, rowsFailed: 1 } });
    expect(await textOf(runs.readOutputs(run.runId))).toBe(linesOf(outputLine, 1, 5));
  });

  describe('large outputs', () => {
    const large = (n: number): string => `"${n}${'é'.repeat(3_000_000)}"\n`;

    it('an output of 6 MB is handed out whole, or in pieces of at most 1 MB', async () => {
      const { runs } = queried.stores;
      const { runId } = await acceptedRun(4);
      const results = await runs.openResults(runId, true);
      const lines = ['"small"\n', large(2), '\n', large(4)];
      for (const line of lines) await results.commit(resultOf(line));
      const expected = lines.join('');
      expect((await textOf(runs.readOutputs(runId, 4))) === expected).toBe(true);
      let text = '';
      for await (const { firstRow, bytes } of runs.readOutputPieces(runId, 4)) {
        expect(bytes.length).toBeLessThanOrEqual(1024 * 1024);
        const piece = Buffer.from(bytes).toString('latin1');
        expect(firstRow).toBe(text.split('\n').length);
        text += piece;
      }
      expect(Buffer.from(text, 'latin1').toString() === expected).toBe(true);
    });

    it('a commit of 20 MB is handed out in pieces of at most 1 MB, each with the numbers of its rows', async () => {
      const { runs } = queried.stores;
      const numbers = Array.from({ length: 100 }, (__, index) => 10 * (index + 1));
      const { runId } = await acceptedRun(100, numbers);
      const results = await runs.openResults(runId, true);
      const lines = numbers.map((number) => `"${number}${'x'.repeat(200_000)}"\n`);
      const many = resultsOf(1, 100);
      await results.commit({ ...many, outputs: Buffer.from(lines.join('')) });
      let isInside = false;
      const found: number[] = [];
      for await (const piece of runs.readOutputPieces(runId, 100)) {
        expect(piece.bytes.length).toBeLessThanOrEqual(1024 * 1024);
        const parts = Buffer.from(piece.bytes).toString('latin1').split('\n');
        parts.forEach((part, index) => {
          const isStart = !(isInside && index === 0) && part !== '';
          if (isStart) found.push(rowNumberAt(piece, index));
        });
        isInside = parts.at(-1) !== '';
      }
      expect(found).toEqual(numbers);
    });
  });

  it('results keep the numbers of their rows', async () => {
    const { runs } = queried.stores;
    const numbers = Array.from({ length: 2500 }, (__, index) => 3 * index + 2);
    const run = await acceptedRun(2500, numbers);
    const results = await runs.openResults(run.runId, true);
    const traced = (position: number) => {
      const one = resultsOf(position, position);
      const trace = Buffer.from(`{"row":${numbers[position - 1]},"nodes":[1]}\n`);
      return { ...one, trace };
    };
    for (let position = 1; position <= 300; position += 1) await results.commit(traced(position));
    await results.commit(resultsOf(301, 2500));
    const found: number[] = [];
    for await (const piece of runs.readOutputs(run.runId, 2500)) found.push(...(piece.numbers ?? []));
    expect(found).toEqual(numbers);
    const [from = 0, to = 0] = [numbers[99], numbers[102]];
    expect((await tracesOf(run, from - 1, to)).map(({ row }) => row)).toEqual(numbers.slice(99, 103));
  });
});
