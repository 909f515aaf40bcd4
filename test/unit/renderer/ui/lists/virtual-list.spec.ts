import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assignElements,
  rangeToDraw,
  startToShow,
  VirtualList,
} from '../../../../../src-renderer/ui/lists/virtual-list.ts';

const list = (count: number, scrollTop = 0) =>
  new VirtualList({ count, rowHeight: 30, height: 600, scrollTop });

describe('the range to draw', () => {
  it('holds the rows in view and a few more, for any count and scroll position', () => {
    const start = fc.nat({ max: 3_200_000 });
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), start, fc.nat({ max: 2_000 }), (count, start, length) => {
        const { first, end } = rangeToDraw({ count, size: 32 }, { start, length });
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - first).toBe(Math.min(count, Math.ceil(length / 32) + 17));
        const inView = Math.floor(start / 32);
        if (inView < count && length > 0) {
          expect(first).toBeLessThanOrEqual(inView);
          expect(end).toBeGreaterThan(inView);
        }
      }),
    );
  });

  it('is as long at the end of a list as in its middle', () => {
    for (const start of [0, 15, 1_000, 2_700, 99_999]) {
      const { first, end } = rangeToDraw({ count: 100, size: 30, overscan: 5 }, { start, length: 300 });
      expect(end - first).toBe(21);
    }
  });
});

it('rows keep their elements while the range moves', () => {
  const before = assignElements({ first: 100, end: 110 });
  const after = assignElements({ first: 103, end: 113 });
  expect(after.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => 103 + at));
  expect(after.filter((index, element) => before[element] === index)).toHaveLength(7);
  expect(assignElements({ first: 0, end: 0 })).toEqual([]);
});

it('a row that is in view is not scrolled to', () => {
  const view = { start: 320, length: 320 };
  expect([9, 10, 19, 20].map((row) => startToShow(row, 32, view))).toEqual([288, undefined, undefined, 352]);
});

describe('a virtual list', () => {
  it('reveals a row at the nearest edge or in the middle', () => {
    const element = { scrollTop: 0 };
    list(1_000).reveal(element, 19);
    expect(element.scrollTop).toBe(0);
    list(1_000).reveal(element, 20);
    expect(element.scrollTop).toBe(30);
    list(1_000).reveal(element, 500, true);
    expect(element.scrollTop).toBe(500 * 30 - 285);
    list(1_000).scrollTo(element, 7);
    expect(element.scrollTop).toBe(210);
  });

  it('knows which of its rows are visible', () => {
    expect(list(1_000, 45).visibleRows).toEqual({ first: 1, end: 22 });
    expect(list(5).visibleRows).toEqual({ first: 0, end: 5 });
  });

  it('is as tall as its rows where a browser can lay it out', () => {
    const short = list(100_000, 777);
    expect([short.contentHeight, short.topOf(10)]).toEqual([3_000_000, 300]);
  });

  it('reaches both ends when it is taller than a browser can lay out', () => {
    const { contentHeight } = list(1_000_000);
    expect(contentHeight).toBe(10_000_000);
    const atEnd = list(1_000_000, contentHeight - 600);
    expect(atEnd.visibleRows.end).toBe(1_000_000);
    expect(atEnd.topOf(1_000_000)).toBeCloseTo(contentHeight);
    const element = { scrollTop: 0 };
    atEnd.scrollTo(element, 500_000);
    expect(list(1_000_000, element.scrollTop).visibleRows.first).toBeCloseTo(500_000, -1);
  });
});
