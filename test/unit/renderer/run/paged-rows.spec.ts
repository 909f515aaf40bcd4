import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../src-renderer/state/run/row-columns.ts';
import { PagedRows } from '../../../../src-renderer/state/run/paged-rows.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A server with so many rows, which are their own positions; at most `most` an answer. */
function server(options: { there: number; most?: number }) {
  const requests: number[] = [];
  const problems: unknown[] = [];
  let changes = 0;
  const state = { ...options };
  return {
    state,
    requests,
    problems,
    changes: () => changes,
    parts: {
      fetch: async (from: number, count: number) => {
        requests.push(from);
        if (from < 0) throw new Error('refused');
        const end = Math.min(from + Math.min(count, state.most ?? count), state.there + 1);
        const rows = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index);
        return { rows, next: Math.max(from, end), there: state.there };
      },
      onChange: () => (changes += 1),
      onProblem: (error: unknown) => problems.push(error),
    },
  };
}

describe('PagedRows', () => {
  it('fetches pages once, when they become visible', async () => {
    const { parts, requests } = server({ there: 1_000 });
    const pages = new PagedRows(parts);
    pages.show(0, 30);
    await turn();
    pages.show(80, 120);
    await turn();
    expect(requests).toEqual([1, 101]);
    expect([pages.at(0), pages.at(119), pages.at(999)]).toEqual([1, 120, undefined]);
  });

  it('repeats a failed request, after a pause or at once, and reports it once', async () => {
    const { parts, problems } = server({ there: 100 });
    let isAway = true;
    const fetch = async (from: number, count: number) => {
      if (isAway) throw new Error('away');
      return parts.fetch(from, count);
    };
    const slow = new PagedRows({ ...parts, fetch, retryMs: 60_000 });
    const quick = new PagedRows({ ...parts, fetch, retryMs: 1 });
    slow.show(0, 30);
    quick.show(0, 30);
    await expect.poll(() => problems.length).toBe(2);
    isAway = false;
    await expect.poll(() => quick.at(0)).toBe(1);
    expect(slow.at(0)).toBeUndefined();
    slow.retry();
    await expect.poll(() => slow.at(0)).toBe(1);
    expect(problems).toHaveLength(2);
  });

  // A run that ended while its rows were being fetched showed its last rows as never ended.
  it('fetches a page again that was on its way when the list grew', async () => {
    const { parts, state } = server({ there: 4 });
    const fetch = async (from: number, count: number) => {
      const answer = await parts.fetch(from, count);
      await turn();
      return answer;
    };
    const pages = new PagedRows({ ...parts, fetch });
    pages.show(0, 30);
    state.there = 5;
    pages.grow();
    await expect.poll(() => pages.at(4)).toBe(5);
  });

  it('never requests rows that a fast scroll passes', async () => {
    const { parts, requests } = server({ there: 100_000 });
    const pages = new PagedRows(parts);
    for (let first = 0; first <= 90_000; first += 1_000) pages.show(first, first + 30);
    await turn();
    expect(requests).toEqual([1, 90_001]);
    expect(pages.at(90_000)).toBe(90_001);
  });

  it('combines several answers if rows are large', async () => {
    const { parts, requests } = server({ there: 250, most: 40 });
    const pages = new PagedRows(parts);
    pages.show(200, 230);
    await turn();
    expect(requests).toEqual([201, 241]);
    expect(pages.at(249)).toBe(250);
  });

  it('requests pages that were not full again when there are more rows', async () => {
    const { parts, state, requests } = server({ there: 50 });
    const pages = new PagedRows(parts);
    pages.show(0, 60);
    await turn();
    expect(pages.at(55)).toBeUndefined();
    state.there = 60;
    pages.grow();
    await turn();
    expect(pages.at(55)).toBe(56);
    pages.grow();
    await turn();
    expect(requests).toEqual([1, 1, 1]);
  });

  it('fetches only the visible ones of rows that are far apart', async () => {
    const { parts, requests } = server({ there: 100_000 });
    const pages = new PagedRows(parts);
    pages.showRanges([
      { first: 0, end: 3 },
      { first: 50_000, end: 50_010 },
    ]);
    await turn();
    expect(requests).toEqual([1, 50_001]);
    expect([pages.at(2), pages.at(50_009)]).toEqual([3, 50_010]);
  });

  it('requests a full page again while one of its rows is pending', async () => {
    const { parts, requests } = server({ there: 100 });
    let ended = 90;
    const pages = new PagedRows({ ...parts, isPending: (row) => row > ended });
    pages.show(0, 30);
    await turn();
    pages.grow();
    await turn();
    ended = 100;
    pages.grow();
    await turn();
    expect(requests).toEqual([1, 1]);
  });

  it('drops old pages, but never the first one, which the columns need', async () => {
    const { parts } = server({ there: 100_000 });
    const pages = new PagedRows(parts);
    for (let first = 0; first < 10_000; first += 100) {
      pages.show(first, first + 30);
      await turn();
    }
    const loaded = Array.from({ length: 100 }, (_, page) => pages.at(page * 100)).filter(
      (row) => row !== undefined,
    );
    expect(loaded.length).toBeLessThanOrEqual(31);
    expect([loaded[0], loaded.at(-1)]).toEqual([1, 9_901]);
  });
});

it('columns are those of the first rows, in their order, with the first kind that is one', () => {
  const text = (name: string, value: string) => ({ name, kind: 'text' as const, text: value });
  const none = { name: 'a', kind: 'null' as const, text: 'null' };
  const columns = columnsOf([{ fields: [none] }, { fields: [text('a', 'x'.repeat(500)), text('b', 'y')] }]);
  expect(columns).toEqual([
    { name: 'a', kind: 'text', width: 320 },
    { name: 'b', kind: 'text', width: 72 },
  ]);
});
