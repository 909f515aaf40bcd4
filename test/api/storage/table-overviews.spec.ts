// The port of questions over all rows of a table at once: counts, the strip in the order shown, and places of rows.
import { describe, expect, it } from 'vitest';
import { allRows, type RowSelection } from '../../../src-main/domain/query/row-selection.ts';
import type { LocateRequest, TableOverview } from '../../../src-main/domain/query/table-page.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { done, type StoredRow } from '../../builders/rows-with-results.ts';
import { backends } from '../../builders/store-backends.ts';

type Overview = Extract<TableOverview, { readonly isReady: true }>;

const took = (number: number, ms: number, score: number): StoredRow => ({
  ...done(number, { n: number }, { score }),
  ms,
});
const failed = (number: number): StoredRow => ({
  number,
  input: { n: number },
  state: 'failed',
  ms: 1,
  failure: { nodeId: 'check', message: 'no' },
});
const waiting = (number: number): StoredRow => ({ number, input: {}, state: undefined });

describe.each(backends)('the overview of a table in %s', (_, create) => {
  const opened = queriedStores(create);

  async function overview(
    runIds: readonly string[],
    selection: Partial<RowSelection> = {},
    pieces = 3,
  ): Promise<Overview> {
    for (;;) {
      const request = { selection: { ...allRows, ...selection }, pieces, hasSkipped: true };
      const answer = await opened.stores.queries.overview(runIds, request);
      if (answer.isReady) return answer;
    }
  }

  async function locate(
    runIds: readonly string[],
    target: LocateRequest['target'],
    selection: Partial<RowSelection> = {},
  ): Promise<number | null> {
    for (;;) {
      const request = { selection: { ...allRows, ...selection }, target, hasSkipped: false };
      const answer = await opened.stores.queries.locate(runIds, request);
      if (answer.isReady) return answer.index;
    }
  }

  const byScore = { sort: { column: { of: 'output', name: 'score' }, descending: true } } as const;
  const rows: readonly StoredRow[] = [
    took(1, 1, 30),
    failed(2),
    { ...took(3, 100, 50), retries: 1, cells: [[2, 0, 0]] },
    took(4, 1, 40),
    failed(5),
    { number: 6, input: {}, state: 'unfinished' },
    waiting(7),
  ];

  it('counts all rows and draws those of the selection in its order', async () => {
    const runId = await opened.store(rows, { rowsInCommit: 2 });
    const all = await overview([runId], {}, 4);
    expect(all).toMatchObject({
      counts: { failed: 2, slow: 0, skipped: 1, retried: 1, unfinished: 1 },
      total: 7,
      rowsPerPiece: 2,
    });
    expect(all.pieces).toEqual([
      [1, 0, 2, 1],
      [0, 0, 2, 50.5],
      [1, 0, 1, 1],
      [0, 0, 0, 0],
    ]);
    const sorted = await overview([runId], byScore, 6);
    expect([sorted.total, sorted.counts, sorted.slowMs]).toEqual([6, all.counts, all.slowMs]);
    // Rows 3, 4 and 1, then those without a score.
    expect(sorted.pieces.map(([failures, slow, ended]) => [failures, slow, ended])).toEqual([
      [0, 0, 1],
      [0, 0, 1],
      [0, 0, 1],
      [1, 0, 1],
      [1, 0, 1],
      [0, 0, 0],
    ]);
    const onlyFailed = await overview([runId], { conditions: [{ of: 'state', states: ['failed'] }] });
    expect([onlyFailed.total, onlyFailed.pieces.map(([failures]) => failures)]).toEqual([2, [1, 1]]);
  });

  it('has the newest answers of several runs, and gaps for rows that have not run', async () => {
    const first = await opened.store([failed(3), waiting(4)]);
    const second = await opened.store([took(3, 5, 1), took(5, 5, 1)]);
    const { counts, total, pieces } = await overview([first, second], {}, 3);
    expect([counts.failed, total]).toEqual([0, 3]);
    expect(pieces.map(([, , ended]) => ended)).toEqual([1, 0, 1]);
  });

  it('finds the place of a row by its number', async () => {
    const runId = await opened.store(rows);
    expect(await locate([runId], { row: 4 })).toBe(4);
    expect(await locate([runId], { row: 8 })).toBeNull();
    expect(await locate([runId], { row: 1 }, byScore)).toBe(3);
    const onlyFailed = { conditions: [{ of: 'state', states: ['failed'] }] } as const;
    expect(await locate([runId], { row: 5 }, onlyFailed)).toBe(2);
    expect(await locate([runId], { row: 4 }, onlyFailed)).toBeNull();
    const numbered = await opened.store([took(3, 1, 1), took(9, 1, 2), failed(11)]);
    expect(await Promise.all([3, 4, 11].map((row) => locate([numbered], { row })))).toEqual([1, null, 3]);
    expect(await locate([numbered, runId], { row: 9 })).toBe(8);
  });

  it('finds the next and the previous failed row in the order shown', async () => {
    const runId = await opened.store(rows);
    const next = (failedFrom: number, step: 1 | -1, selection = {}) =>
      locate([runId], { failedFrom, step }, selection);
    expect([await next(0, 1), await next(2, 1), await next(5, 1), await next(5, -1)]).toEqual([
      2,
      5,
      null,
      2,
    ]);
    expect([await next(0, 1, byScore), await next(4, 1, byScore), await next(4, -1, byScore)]).toEqual([
      4,
      5,
      null,
    ]);
  });
});
