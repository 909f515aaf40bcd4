// The port of the search for a text in the values of all runs.
import { describe, expect, it } from 'vitest';
import type { FindHit, FindPage, FindQuery } from '../../../src-main/domain/query/find-values.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { backends } from '../../builders/store-backends.ts';
import { done, type StoredRow } from '../../builders/rows-with-results.ts';
import type { runOf } from '../../builders/stored-rows.ts';

const hostileTexts = [
  '"quoted" \\ back',
  'ÄÖÜ ß é',
  '日本語',
  '\u0000',
  '\ud800 alone',
  "'; drop table runs --",
  '%_*?[a]',
  '\u2028',
  '</script>',
];

describe.each(backends)('search over the runs in %s', (_, create) => {
  const opened = queriedStores(create);
  const stored = (rows: readonly StoredRow[], overrides: Parameters<typeof runOf>[2] = {}): Promise<string> =>
    opened.store(rows, { overrides });

  /** All pages of a search. */
  async function pagesOf(query: Omit<FindQuery, 'limit' | 'cursor'>, limit = 100): Promise<FindPage[]> {
    const pages: FindPage[] = [];
    let cursor: FindQuery['cursor'];
    do {
      const page = await opened.stores.queries.find({ ...query, limit, cursor });
      pages.push(page);
      cursor = page.next;
    } while (cursor !== undefined);
    return pages;
  }

  const hitsOf = async (query: Omit<FindQuery, 'limit' | 'cursor'>, limit?: number): Promise<FindHit[]> =>
    (await pagesOf(query, limit)).flatMap(({ hits }) => hits);

  it('hits name run, row number, column and value, of the newest run first', async () => {
    const older = await stored([done(1, { name: 'first Ada' }, { label: 'nothing' })]);
    const newer = await stored([
      done(3, { name: 'Bob' }, { label: 'x' }),
      done(17, { name: 'ADA second' }, { label: 'is ada', other: 1 }),
    ]);
    const common = { workflowId: 'score-leads' };
    expect(await hitsOf({ text: 'ada' })).toEqual([
      {
        ...common,
        runId: newer,
        row: 17,
        label: 'ADA second',
        column: { of: 'input', name: 'name' },
        before: '',
        match: 'ADA',
        after: ' second',
      },
      {
        ...common,
        runId: newer,
        row: 17,
        label: 'ADA second',
        column: { of: 'output', name: 'label' },
        before: 'is ',
        match: 'ada',
        after: '',
      },
      {
        ...common,
        runId: older,
        row: 1,
        label: 'first Ada',
        column: { of: 'input', name: 'name' },
        before: 'first ',
        match: 'Ada',
        after: '',
      },
    ]);
    expect(await hitsOf({ text: 'ada', of: 'output' })).toHaveLength(1);
    expect(await hitsOf({ text: 'ada', of: 'input' })).toHaveLength(2);
  });

  it.each(hostileTexts)('the text %j is found in a row and in an output', async (text) => {
    const runId = await stored([
      done(1, { a: 'other' }, {}),
      done(2, { nested: { list: ['x', `-${text}-`] } }, { b: text }),
    ]);
    const hits = (await hitsOf({ text })).filter((hit) => hit.runId === runId);
    expect(hits).toMatchObject([
      { row: 2, column: { of: 'input', name: 'nested' }, before: '-', match: text, after: '-' },
      { row: 2, column: { of: 'output', name: 'b' }, match: text },
    ]);
  });

  it.each(hostileTexts)('the text %j is not found where it is only the name of a column', async (text) => {
    const runId = await stored([done(1, { [text]: 1, deep: { [text]: 2 } }, { [text]: [] })]);
    expect((await hitsOf({ text })).filter((hit) => hit.runId === runId)).toEqual([]);
  });

  it('pages of one hit find the same as one page', async () => {
    const rows = Array.from({ length: 40 }, (_, index) =>
      done(index * 2 + 5, { id: index, tag: index % 3 === 0 ? 'needle' : '' }, { tag: `needle ${index}` }),
    );
    await stored(rows);
    await stored(rows.slice(0, 9));
    const whole = await hitsOf({ text: 'needle' });
    expect(whole).toHaveLength(14 + 40 + 3 + 9);
    expect(await hitsOf({ text: 'needle' }, 1)).toEqual(whole);
    expect(await hitsOf({ text: 'needle' }, 7)).toEqual(whole);
  });

  it('only runs of a workflow are searched, and progress counts those alone', async () => {
    const rows = [done(1, { note: 'only there' }, {})];
    const runId = await stored(rows, { workflowId: 'another' });
    await stored(rows);
    const [page, ...more] = await pagesOf({ text: 'only there', workflowId: 'another' });
    expect(more).toEqual([]);
    expect(page).toMatchObject({ hits: [{ runId, workflowId: 'another' }], runs: 1, runsSearched: 1 });
    expect(await pagesOf({ text: 'x', workflowId: 'none' })).toMatchObject([{ runs: 0, runsSearched: 0 }]);
  });

  it('a page says how many runs have been searched', async () => {
    const rows = [done(1, { note: 'progress' }, {})];
    const older = await stored(rows);
    const newest = await stored(rows);
    const page = await opened.stores.queries.find({ text: 'progress', limit: 1 });
    expect(page).toMatchObject({ runsSearched: 0, next: { runId: newest } });
    const second = await opened.stores.queries.find({ text: 'progress', limit: 1, cursor: page.next });
    expect(second).toMatchObject({ runs: page.runs, runsSearched: 1, hits: [{ runId: older }] });
  });

  it('a run that was removed since the last page is left out', async () => {
    const rows = [done(1, { note: 'going' }, {}), done(2, { note: 'going' }, {})];
    const remaining = await stored(rows);
    const removed = await stored(rows);
    const page = await opened.stores.queries.find({ text: 'going', limit: 1 });
    expect(page.hits).toMatchObject([{ runId: removed }]);
    await opened.stores.database.removeRuns([removed], ['a'.repeat(64)]);
    const rest = await opened.stores.queries.find({ text: 'going', limit: 10, cursor: page.next });
    expect(rest.hits.map(({ runId }) => runId)).toEqual([remaining, remaining]);
  });

  it('a row above 1 MB is left out and counted', async () => {
    await stored([
      done(1, { note: `${'x'.repeat(1_200_000)}oversized` }, {}),
      done(2, { note: 'oversized' }, {}),
    ]);
    const [page] = await pagesOf({ text: 'oversized' });
    expect(page).toMatchObject({ hits: [{ row: 2 }], largeLines: 1, unreadableRuns: [] });
  });

  it('other reads are answered while a search goes on', async () => {
    await stored(Array.from({ length: 5_000 }, (_, index) => done(index + 1, { note: 'x'.repeat(500) }, {})));
    let isOver = false;
    const search = pagesOf({ text: 'not there' }).finally(() => (isOver = true));
    await opened.stores.runs.list({ limit: 1 });
    expect(isOver).toBe(false);
    expect((await search).at(-1)?.hits).toEqual([]);
  });
});
