import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src-renderer/state/run/row-columns.ts';
import { PagedRows } from '../../../src-renderer/state/run/paged-rows.ts';
import { RowSearch } from '../../../src-renderer/state/run/row-search.ts';

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A server with so many rows, which are their own positions; at most `most` an answer. */
function server(given: { there: number; most?: number }) {
  const asked: number[] = [];
  const problems: unknown[] = [];
  let changes = 0;
  const state = { ...given };
  return {
    state,
    asked,
    problems,
    changes: () => changes,
    parts: {
      fetch: async (from: number, count: number) => {
        asked.push(from);
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

describe('pages of rows', () => {
  it('are fetched as they come into sight, once', async () => {
    const { parts, asked } = server({ there: 1_000 });
    const pages = new PagedRows(parts);
    pages.show(0, 30);
    await turn();
    pages.show(80, 120);
    await turn();
    expect(asked).toEqual([1, 101]);
    expect([pages.at(0), pages.at(119), pages.at(999)]).toEqual([1, 120, undefined]);
  });

  it('that failed are asked for again, after a pause or at once, and told once', async () => {
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

  it('that a fast scroll passes are never asked for', async () => {
    const { parts, asked } = server({ there: 100_000 });
    const pages = new PagedRows(parts);
    for (let first = 0; first <= 90_000; first += 1_000) pages.show(first, first + 30);
    await turn();
    expect(asked).toEqual([1, 90_001]);
    expect(pages.at(90_000)).toBe(90_001);
  });

  it('of large rows are put together from several answers', async () => {
    const { parts, asked } = server({ there: 250, most: 40 });
    const pages = new PagedRows(parts);
    pages.show(200, 230);
    await turn();
    expect(asked).toEqual([201, 241]);
    expect(pages.at(249)).toBe(250);
  });

  it('that were not full are asked for again when there is more', async () => {
    const { parts, state, asked } = server({ there: 50 });
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
    expect(asked).toEqual([1, 1, 1]);
  });

  it('stay few, with the first one among them for the columns', async () => {
    const { parts } = server({ there: 100_000 });
    const pages = new PagedRows(parts);
    for (let first = 0; first < 10_000; first += 100) {
      pages.show(first, first + 30);
      await turn();
    }
    const kept = Array.from({ length: 100 }, (_, page) => pages.at(page * 100)).filter(
      (row) => row !== undefined,
    );
    expect(kept.length).toBeLessThanOrEqual(31);
    expect([kept[0], kept.at(-1)]).toEqual([1, 9_901]);
  });
});

describe('a search', () => {
  it('goes on until enough is found, and further when it is scrolled', async () => {
    const { parts, asked } = server({ there: 1_000 });
    const search = new RowSearch(parts);
    await turn();
    expect(asked).toEqual([1]);
    expect(search.progress).toEqual({ looked: 100, there: 1_000 });
    search.show(20);
    await turn();
    expect(search.rows).toHaveLength(100);
    search.show(90);
    await turn();
    expect(search.rows).toHaveLength(200);
    expect(search.isDone).toBe(false);
  });

  it('ends at the end', async () => {
    const { parts } = server({ there: 30 });
    const search = new RowSearch(parts);
    await turn();
    expect([search.isDone, search.state, search.rows.length]).toEqual([true, 'done', 30]);
  });

  it('that is stopped asks no more', async () => {
    const { parts, asked } = server({ there: 1_000, most: 1 });
    const search = new RowSearch(parts);
    search.stop();
    await turn();
    expect([asked, search.state]).toEqual([[1], 'stopped']);
    search.resume();
    await turn();
    expect(asked.length).toBeGreaterThan(1);
    expect([search.state, search.rows.length, search.rows[0]]).toEqual(['done', 100, 1]);
  });

  it('that failed says so, is not the end, and goes on where it was', async () => {
    const { parts, state, problems } = server({ there: 300, most: 50 });
    let calls = 0;
    const fetch = async (from: number, count: number) => {
      calls += 1;
      if (calls === 2) throw new Error('away');
      return parts.fetch(from, count);
    };
    const search = new RowSearch({ ...parts, fetch });
    await turn();
    expect([search.state, search.isDone, search.rows.length, problems.length]).toEqual([
      'failed',
      false,
      50,
      1,
    ]);
    state.most = 100;
    search.resume();
    await turn();
    expect([search.state, search.rows.length]).toEqual(['done', 150]);
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
