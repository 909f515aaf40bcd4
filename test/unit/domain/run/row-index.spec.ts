import { describe, expect, it } from 'vitest';
import { RowIndex } from '../../../../src-main/domain/run/row-index.ts';
import type { RowState } from '../../../../src-main/domain/run/row-state.ts';
import { hasSkippedNode } from '../../../../src-main/domain/results/scan-trace-line.ts';

const row = (ms: number, more: Partial<RowState> = {}): RowState => ({
  state: 'done',
  retries: 0,
  durationMicros: ms * 1000,
  ...more,
});

const indexOf = (states: readonly RowState[]): RowIndex => {
  const index = new RowIndex();
  index.add(states);
  return index;
};

describe('slow rows', () => {
  it('are slower than 95 of 100 rows', () => {
    const index = indexOf([
      ...Array.from({ length: 96 }, () => row(100)),
      row(400),
      row(500),
      row(600),
      row(700),
    ]);
    expect(index.slowMs).toBeGreaterThan(100);
    expect(index.slowMs).toBeLessThan(120);
    expect([...index.positions('slow')]).toEqual([97, 98, 99, 100]);
  });

  it('are none where all rows take about the same', () => {
    const index = indexOf(Array.from({ length: 1000 }, () => row(250)));
    expect(index.positions('slow')).toHaveLength(0);
  });

  it('take longer than anybody notices, however quick the others are', () => {
    const index = indexOf([...Array.from({ length: 999 }, () => row(0.05)), row(9)]);
    expect(index.slowMs).toBe(10);
    expect(index.positions('slow')).toHaveLength(0);
  });
});

it('rows are picked out by how they ended, in every state that they can have', () => {
  const index = indexOf([
    row(1),
    row(1, { state: 'failed', retries: 2 }),
    row(0, { state: 'unfinished' }),
    row(1, { retries: 1 }),
  ]);
  index.markSkipped(4);
  index.markSkipped(99);
  expect([...index.positions('failed')]).toEqual([2]);
  expect([...index.positions('retried')]).toEqual([2, 4]);
  expect([...index.positions('skipped')]).toEqual([4]);
  expect(index.unfinished).toBe(1);
});

it('the strip has a piece for rows that have not ended, and counts each row once', () => {
  const states = Array.from({ length: 2500 }, (_, at) => row(2, at % 100 === 0 ? { state: 'failed' } : {}));
  const minimap = indexOf(states).minimap(4000, 1000);
  expect(minimap.map(({ rows, failed }) => [rows, failed])).toEqual([
    [1000, 10],
    [1000, 10],
    [500, 5],
    [0, 0],
  ]);
  expect(minimap[0]?.meanMicros).toBe(2000);
});

describe('a skipped node in a line of the trace', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['{"row":1,"nodes":[8,[2,0,0],3]}', true],
    ['{"row":1,"nodes":[8,[1,30,3],[4,0,0]],"values":[[2,0,0]]}', false],
    ['{"row":1,"nodes":[12,[5,2,1]]}', false],
    ['{"row":1,"nodeId":"a","message":",\\"nodes\\":[[2,","attempts":1}', false],
    ['{"row":1,"nodeId":"a","message":"[2,","attempts":1,"nodes":[1,[2,0,0],[1,4,1]],"values":[]}', true],
    ['{"row":1,"nodes":[2,8]}', false],
    ['torn', false],
  ];
  for (const [line, isThere] of cases)
    it(`${line} ${isThere ? 'has' : 'has not'}`, () => expect(hasSkippedNode(line)).toBe(isThere));
});
