import { expect, it } from 'vitest';
import { FakeClock } from '../../builders/fake-clock.ts';
import { RunningRows } from '../../../src-main/executor/run/running-rows.ts';

const wait = (row: number, nodeId: string) =>
  ({ type: 'wait', wait: row, batchId: 1, ms: 1, row, nodeId }) as const;
const call = (row: number, site: string) =>
  ({
    type: 'call',
    call: row,
    batchId: 1,
    origin: { row, site, attempt: 1 },
    request: { method: 'GET', url: 'https://api.example.com/', headers: [] },
  }) as const;
const batch = (firstRow: number, rows: number) => ({ firstRow, rows, bytes: new Uint8Array() });

it('knows in which node each row waits and since when, in the order of the rows', () => {
  const clock = new FakeClock();
  const start = clock.now();
  const running = new RunningRows(clock);
  running.add(wait(2, 'ask'), batch(1, 2));
  clock.advance(10);
  running.add(call(1, 'ask'), batch(1, 2));
  clock.advance(10);
  // A second attempt of the same node, then the next node.
  running.add(wait(2, 'ask'), batch(1, 2));
  running.add(call(1, 'send/inner/0'), batch(1, 2));
  expect(running.list).toEqual([
    { position: 1, nodeId: 'send', sinceMs: start + 20 },
    { position: 2, nodeId: 'ask', sinceMs: start },
  ]);
  running.removeBatch(batch(1, 2));
  expect(running.list).toEqual([]);
});

it('finds the position of a row that keeps the number of an earlier run', () => {
  const running = new RunningRows(new FakeClock());
  running.add(wait(90, 'ask'), { firstRow: 5, numbers: [80, 90] });
  expect(running.list.map(({ position }) => position)).toEqual([6]);
});

it('reports no more rows than a page shows', () => {
  const running = new RunningRows(new FakeClock());
  for (let row = 1; row <= 1_000; row += 1) running.add(wait(row, 'ask'), batch(1, 1_000));
  expect(running.list).toHaveLength(200);
});
