// A run of 1,000 rows failed now and then with "The rows ended before all rows of the run were read": after a commit,
// the execution asked whether the queue was idle, just before the next commit began.
import { expect, it } from 'vitest';
import { CommitQueue } from '../../src-main/executor/run/commit-queue.ts';
import type { BatchResult } from '../../src-main/domain/run/stored-run.ts';

const oneRow: BatchResult = {
  rows: 1,
  outputs: Buffer.from('{}\n'),
  states: new Uint8Array(8),
  failures: [],
  trace: new Uint8Array(),
  nodes: [],
};

it('a commit queue is not idle between two commits that follow each other', async () => {
  const idleAtCommit: boolean[] = [];
  let release = (): void => undefined;
  const queue: CommitQueue = new CommitQueue({
    firstRow: 1,
    sink: { commit: () => new Promise<void>((resolve) => (release = resolve)) },
    onCommitted: () => idleAtCommit.push(queue.isIdle),
    onBroken: () => undefined,
  });
  queue.addResult({ firstRow: 1, result: oneRow, endsRun: false });
  queue.addResult({ firstRow: 2, result: oneRow, endsRun: false });
  release();
  await expect.poll(() => idleAtCommit).toEqual([false]);
  release();
  await expect.poll(() => idleAtCommit).toEqual([false, true]);
});
