import { expect, it } from 'vitest';
import { rowStateBytes } from '../../../src-main/domain/run/row-state.ts';
import { CommitThrottle } from '../../../src-main/executor/run/commit-throttle.ts';
import { CommitQueue, type OrderedResult } from '../../../src-main/executor/run/commit-queue.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

const resultOf = (row: number, bytes = 2): OrderedResult => ({
  firstRow: row,
  endsRun: false,
  result: {
    rows: 1,
    outputs: Buffer.alloc(bytes, '\n'),
    states: new Uint8Array(rowStateBytes),
    failures: [],
    trace: Buffer.alloc(0),
    nodes: [],
  },
});

/** A queue whose sink takes what it is given at once, and the rows of each of its commits. */
function pacedQueue() {
  const clock = new FakeClock();
  const commits: number[] = [];
  let expectsNoMore = false;
  const queue = new CommitQueue({
    firstRow: 1,
    sink: { commit: ({ rows }) => Promise.resolve(void commits.push(rows)) },
    throttle: new CommitThrottle(clock, () => expectsNoMore),
    onCommitted: () => undefined,
    onBroken: (error) => expect(error).toBeUndefined(),
  });
  const add = async (row: number, bytes?: number): Promise<void> => {
    queue.addResult(resultOf(row, bytes));
    await settled();
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { clock, commits, queue, add, settled, await: () => (expectsNoMore = true) };
}

it('results that come soon after the start or a commit are committed together, a moment later', async () => {
  const { clock, commits, add, settled } = pacedQueue();
  clock.advance(25);
  for (const row of [1, 2, 3, 4]) await add(row);
  expect(commits).toEqual([1]);
  clock.advance(24);
  await settled();
  expect(commits).toEqual([1]);
  clock.advance(1);
  await settled();
  expect(commits).toEqual([1, 3]);
  clock.advance(1000);
  await add(5);
  expect(commits).toEqual([1, 3, 1]);
});

it('many bytes are committed at once', async () => {
  const { commits, add } = pacedQueue();
  await add(1);
  await add(2, 200_000);
  expect(commits).toEqual([]);
  await add(3, 400_000);
  expect(commits).toEqual([3]);
});

it('results that a caller waits for are committed at once', async () => {
  const paced = pacedQueue();
  await paced.add(1);
  await paced.add(2);
  paced.await();
  paced.queue.flush();
  await paced.settled();
  await paced.add(3);
  expect(paced.commits).toEqual([2, 1]);
});

it('a cancel commits all that waits, and nothing is left to remind of', async () => {
  const { clock, commits, queue, add } = pacedQueue();
  await add(1);
  await add(2);
  await queue.closeKeepingResults();
  expect(commits).toEqual([2]);
  expect(clock.pending).toBe(0);
});

it('a stop drops what waits, and nothing is left to remind of', async () => {
  const { clock, commits, queue, add } = pacedQueue();
  await add(1);
  await add(2);
  await queue.close();
  clock.advance(1000);
  expect(commits).toEqual([]);
  expect(clock.pending).toBe(0);
});
