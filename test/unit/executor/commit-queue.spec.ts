import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deferred, type Deferred } from '../../../src-main/base/deferred.ts';
import type { RowFailure } from '../../../src-main/domain/run/row-failure.ts';
import { readRowState, rowStateBytes } from '../../../src-main/domain/run/row-state.ts';
import { CommitQueue, type OrderedResult } from '../../../src-main/executor/run/commit-queue.ts';
import type { BatchResult } from '../../../src-main/domain/run/stored-run.ts';

const result = (firstRow: number, rows: number, failure?: RowFailure): OrderedResult => ({
  firstRow,
  endsRun: failure !== undefined,
  result: {
    rows,
    outputs: Buffer.from(Array.from({ length: rows }, (_, index) => `${firstRow + index}\n`).join('')),
    states: new Uint8Array(rows * rowStateBytes),
    failures: failure === undefined ? [] : [failure],
    trace: Buffer.from(`${firstRow}\n`),
    nodes: [],
  },
});

/** A queue on a sink that holds each commit until it is let go. */
function gatedQueue() {
  const commits: { result: BatchResult; gate: Deferred<void> }[] = [];
  const events: unknown[] = [];
  const queue = new CommitQueue({
    firstRow: 1,
    sink: {
      async commit(committed) {
        const gate = deferred();
        commits.push({ result: committed, gate });
        await gate.promise;
      },
    },
    onCommitted: (committed) => events.push(committed),
    onBroken: (error) => events.push(error),
  });
  return { queue, commits, facts: events };
}

const textOf = (committed: BatchResult | undefined): string =>
  Buffer.from(committed?.outputs ?? []).toString();

describe('CommitQueue', () => {
  it('waits for the row that is next', () => {
    const { queue, commits } = gatedQueue();
    queue.addResult(result(3, 2));
    expect(commits).toHaveLength(0);
    queue.addResult(result(1, 2));
    expect(textOf(commits[0]?.result)).toBe('1\n2\n3\n4\n');
  });

  it('knows which row others wait for, and whether any does', async () => {
    const { queue, commits } = gatedQueue();
    queue.addResult(result(2, 1));
    expect(queue.waiting).toEqual({ rows: 1, forRow: 1 });
    queue.addResult(result(4, 2));
    expect(queue.waiting).toEqual({ rows: 3, forRow: 1 });
    queue.addResult(result(1, 1));
    expect(queue.waiting).toEqual({ rows: 2, forRow: 3 });
    queue.addResult(result(3, 1));
    commits[0]?.gate.resolve();
    await expect.poll(() => queue.waiting).toBeUndefined();
    queue.addResult(result(8, 1));
    commits[1]?.gate.resolve();
    await expect.poll(() => queue.waiting).toEqual({ rows: 1, forRow: 6 });
    await queue.close();
    expect(queue.waiting).toBeUndefined();
  });

  it('counts rows that have ended as unsaved until they are committed, failed ones apart', async () => {
    const { queue, commits } = gatedQueue();
    const failed = { row: 5, nodeId: 'x', message: 'no', attempts: 1 };
    queue.addResult({ ...result(4, 2, failed), endsRun: false });
    expect(queue.unsaved).toEqual({ rowsDone: 1, rowsFailed: 1 });
    queue.addResult(result(1, 3));
    expect(queue.unsaved).toEqual({ rowsDone: 4, rowsFailed: 1 });
    for (const [index, unsaved] of [
      { rowsDone: 1, rowsFailed: 1 },
      { rowsDone: 0, rowsFailed: 0 },
    ].entries()) {
      await expect.poll(() => commits.length).toBeGreaterThan(0);
      commits[index]?.gate.resolve();
      if (commits.length === 1) break;
      await expect.poll(() => queue.unsaved).toEqual(unsaved);
    }
    await expect.poll(() => queue.unsaved).toEqual({ rowsDone: 0, rowsFailed: 0 });
  });

  it('gathers what is ready while a commit is under way', async () => {
    const { queue, commits, facts: events } = gatedQueue();
    queue.addResult(result(1, 1));
    queue.addResult(result(2, 1));
    queue.addResult(result(3, 1));
    expect(commits).toHaveLength(1);
    commits[0]?.gate.resolve();
    await expect.poll(() => commits.length).toBe(2);
    expect(textOf(commits[1]?.result)).toBe('2\n3\n');
    commits[1]?.gate.resolve();
    await expect.poll(() => queue.isIdle).toBe(true);
    expect(events).toEqual([
      { rows: 1, failed: 0 },
      { rows: 2, failed: 0 },
    ]);
    expect([queue.nextRow, queue.bytes]).toEqual([4, 0]);
  });

  it('commits nothing after a row that ends the run', async () => {
    const failure = { row: 2, nodeId: 'x', message: 'no', attempts: 1 };
    const { queue, commits, facts: events } = gatedQueue();
    queue.addResult(result(3, 1));
    queue.addResult(result(2, 1, failure));
    queue.addResult(result(1, 1));
    expect(textOf(commits[0]?.result)).toBe('1\n2\n');
    commits[0]?.gate.resolve();
    await expect.poll(() => events).toEqual([{ rows: 2, failed: 1, endsRun: failure }]);
    expect(commits).toHaveLength(1);
  });

  it('tells of a sink that fails, and commits nothing more', async () => {
    const { queue, commits, facts: events } = gatedQueue();
    queue.addResult(result(1, 1));
    commits[0]?.gate.reject('disk full');
    await expect.poll(() => events).toEqual(['disk full']);
    queue.addResult(result(2, 1));
    expect(commits).toHaveLength(1);
  });

  it('closed, it lets the commit under way end and begins no other', async () => {
    const { queue, commits } = gatedQueue();
    queue.addResult(result(1, 1));
    queue.addResult(result(2, 1));
    const closed = queue.close();
    commits[0]?.gate.resolve();
    await closed;
    expect(commits).toHaveLength(1);
  });

  it('keeps what waits when it is closed so, with the rows between it unfinished', async () => {
    const { queue, commits } = gatedQueue();
    queue.addResult(result(1, 1));
    queue.addResult(result(4, 1));
    queue.addResult(result(3, 1));
    queue.addResult(result(6, 2));
    expect(queue.waiting).toEqual({ rows: 4, forRow: 2 });
    const closed = queue.closeKeepingResults();
    commits[0]?.gate.resolve();
    await expect.poll(() => commits.length).toBe(2);
    commits[1]?.gate.resolve();
    await closed;
    const last = commits[1]?.result;
    expect(textOf(last)).toBe('\n3\n4\n\n6\n7\n');
    const view = new DataView(Uint8Array.from(last?.states ?? []).buffer);
    const isUnfinished = (row: number) => readRowState(view, row * rowStateBytes).state === 'unfinished';
    expect([0, 1, 2, 3, 4, 5].filter(isUnfinished)).toEqual([0, 3]);
    expect(commits).toHaveLength(2);
    expect([queue.nextRow, queue.bytes]).toEqual([8, 0]);
  });

  it('keeps a waiting row that ends the run, and none after it', async () => {
    const failure = { row: 3, nodeId: 'x', message: 'no', attempts: 1 };
    const { queue, commits } = gatedQueue();
    queue.addResult(result(4, 1));
    queue.addResult(result(3, 1, failure));
    const closed = queue.closeKeepingResults();
    await expect.poll(() => commits.length).toBe(1);
    commits[0]?.gate.resolve();
    await closed;
    expect(textOf(commits[0]?.result)).toBe('\n\n3\n');
    expect(commits).toHaveLength(1);
  });

  it('gives each row once and in order, whatever order results come in', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });
    const orders = sizes.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows.keys()], { minLength: rows.length })),
    );
    await fc.assert(
      fc.asyncProperty(orders, async ([rows, order]) => {
        let text = '';
        const queue = new CommitQueue({
          firstRow: 1,
          sink: { commit: async (committed) => void (text += textOf(committed)) },
          onCommitted: () => undefined,
          onBroken: () => undefined,
        });
        const firstRows = rows.map(
          (_, index) => 1 + rows.slice(0, index).reduce((sum, each) => sum + each, 0),
        );
        for (const index of order) queue.addResult(result(firstRows[index] ?? 0, rows[index] ?? 0));
        await expect.poll(() => queue.isIdle, { interval: 0 }).toBe(true);
        const total = rows.reduce((sum, each) => sum + each, 0);
        expect(text).toBe(Array.from({ length: total }, (_, index) => `${index + 1}\n`).join(''));
      }),
      { numRuns: 50 },
    );
  });
});
