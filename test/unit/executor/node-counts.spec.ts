import { expect, it } from 'vitest';
import { NodeCounts } from '../../../src-main/executor/worker/node-counts.ts';
import {
  nodeEndCodes,
  TraceBuffer,
  type NodeEndCode,
} from '../../../src-main/executor/worker/trace-buffer.ts';

function counted(...rows: readonly { end: NodeEndCode; attempts: number; items?: number }[]) {
  const counts = new NodeCounts(['a']);
  for (const { items = 0, ...row } of rows) {
    const notes = new TraceBuffer(1);
    Object.assign(notes.nodes[0] ?? {}, { ...row, items, micros: 2 });
    counts.countRow(notes);
  }
  return counts.statistics;
}

it('each way to end is counted, and the time of those that ran', () => {
  const ends = [
    nodeEndCodes.done,
    nodeEndCodes.done,
    nodeEndCodes.failed,
    nodeEndCodes.replaced,
    nodeEndCodes.skipped,
  ];
  const [node] = counted(...ends.map((end) => ({ end, attempts: end === nodeEndCodes.skipped ? 0 : 1 })));
  const timed = { retries: 0, micros: 8, buckets: [2, 4] };
  expect(node).toEqual({ nodeId: 'a', done: 2, failed: 1, replaced: 1, skipped: 1, ...timed });
});

it('attempts beyond one an item are retries', () => {
  const [node] = counted(
    { end: nodeEndCodes.done, attempts: 3 },
    { end: nodeEndCodes.done, attempts: 5, items: 1 + 4 },
  );
  expect(node?.retries).toBe(2 + 1);
});

it('a node that was not reached, or whose value was reused, is not counted', () => {
  expect(
    counted({ end: nodeEndCodes.notReached, attempts: 0 }, { end: nodeEndCodes.reused, attempts: 0 }),
  ).toEqual([]);
});
