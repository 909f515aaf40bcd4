// The port of questions over the rows of several runs: each row once, with its newest answer.
import { describe, expect, it } from 'vitest';
import { allRows, type RowSelection } from '../../../src-main/domain/query/row-selection.ts';
import type { StoredTableRequest, TablePage } from '../../../src-main/domain/query/table-page.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { commitResults, done, type StoredRow } from '../../builders/rows-with-results.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { backends } from '../../builders/store-backends.ts';

type Page = Extract<TablePage, { readonly isReady: true }>;

const failed = (number: number, message: string): StoredRow => ({
  number,
  input: { n: number },
  state: 'failed',
  failure: { nodeId: 'check', message },
});
const waiting = (number: number): StoredRow => ({ number, input: { n: number }, state: undefined });
const answered = (number: number, score: number): StoredRow => done(number, { n: number }, { score });

describe.each(backends)('the rows of several runs in %s', (_, create) => {
  const opened = queriedStores(create);

  async function select(
    runIds: readonly string[],
    selection: Partial<RowSelection> = {},
    request: Partial<StoredTableRequest> = {},
  ): Promise<Page> {
    for (;;) {
      const page = await opened.stores.queries.select(runIds, {
        selection: { ...allRows, ...selection },
        from: 1,
        count: 500,
        ...request,
      });
      if (page.isReady) return page;
    }
  }

  const numbersOf = ({ rows }: Page): number[] => rows.map(({ row }) => row);
  const sort = (name: string, descending = false): Partial<RowSelection> => ({
    sort: { column: { of: 'output', name }, descending },
  });
  /** A sample of rows 2 and 5, and its rest. */
  const sampleAndRest = async (): Promise<readonly string[]> => [
    await opened.store([answered(2, 20), failed(5, 'no email')]),
    await opened.store([answered(1, 90), answered(3, 10), failed(4, 'too long'), answered(6, 50)]),
  ];

  it('a sample and its rest are one table by number, each row with the run that it is from', async () => {
    const runIds = await sampleAndRest();
    const page = await select(runIds);
    const [sample, rest] = runIds;
    expect(page).toMatchObject({ total: 6, there: 6, leftOut: 0, merged: { runIds, rows: 6 } });
    expect(page.rows.map(({ row, runId, position, state }) => [row, runId, position, state])).toEqual([
      [1, rest, 1, 'done'],
      [2, sample, 1, 'done'],
      [3, rest, 2, 'done'],
      [4, rest, 3, 'failed'],
      [5, sample, 2, 'failed'],
      [6, rest, 4, 'done'],
    ]);
    expect(page.rows[4]?.failure).toEqual({ nodeId: 'check', message: 'no email' });
    expect(numbersOf(await select(runIds, {}, { from: 3, count: 2 }))).toEqual([3, 4]);
  });

  it('filters, order, groups and statistics look at the rows of all runs', async () => {
    const runIds = await sampleAndRest();
    const above = { of: 'column', column: { of: 'output', name: 'score' } } as const;
    const page = await select(runIds, { ...sort('score', true), conditions: [] });
    expect(numbersOf(page)).toEqual([1, 6, 2, 3, 4, 5]);
    const filtered = { conditions: [{ ...above, test: { is: 'between', min: 20 } as const }] };
    expect(numbersOf(await select(runIds, filtered))).toEqual([1, 2, 6]);
    expect(await select(runIds, filtered, { count: 1 })).toMatchObject({ total: 3, merged: { rows: 6 } });
    const state = { conditions: [{ of: 'state', states: ['failed'] } as const] };
    expect(numbersOf(await select(runIds, state))).toEqual([4, 5]);
    const text = { conditions: [{ of: 'text', text: '90' } as const] };
    expect(numbersOf(await select(runIds, text))).toEqual([1]);
    const rows = { conditions: [{ of: 'rows', numbers: [2, 3] } as const] };
    expect(numbersOf(await select(runIds, rows))).toEqual([2, 3]);
    const numbers = await opened.stores.queries.selectNumbers(runIds, {
      selection: state,
      from: 1,
      count: 10,
    });
    expect(numbers).toMatchObject({ isReady: true, numbers: Uint32Array.from([4, 5]) });
    const groups = await select(runIds, { groupBy: { of: 'output', name: 'score' } });
    expect(groups.groups).toHaveLength(5);
    expect(await opened.stores.queries.columns(runIds)).toEqual([
      { of: 'input', name: 'n' },
      { of: 'output', name: 'score' },
    ]);
    const [statistics] = await statisticsOf(runIds, 'score');
    expect(statistics).toMatchObject({ rows: 6, filled: 4, numbers: { min: 10, max: 90 } });
  });

  async function statisticsOf(runIds: readonly string[], name: string) {
    for (;;) {
      const step = await opened.stores.queries.statistics(runIds, [{ of: 'output', name }]);
      if (step.isReady) return step.statistics;
    }
  }

  it('a row has its newest output, else its newest failure, and names later attempts', async () => {
    const runIds = [
      await opened.store([answered(1, 1), failed(2, 'first'), failed(3, 'first'), answered(4, 1)]),
      await opened.store([answered(2, 2), failed(3, 'second'), failed(4, 'second')]),
      await opened.store([failed(2, 'third'), waiting(3)]),
    ];
    const { rows } = await select(runIds);
    expect(
      rows.map(({ row, output, failure, attempt, failedAgain, takenBy }) => [
        row,
        output[0]?.text ?? failure?.message,
        attempt,
        failedAgain,
        takenBy,
      ]),
    ).toEqual([
      [1, '1', 1, undefined, undefined],
      [2, '2', 2, 3, undefined],
      [3, 'second', 2, undefined, 3],
      [4, '1', 1, 2, undefined],
    ]);
  });

  it('rows that end meanwhile come into the table, but not into an answer as of an earlier one', async () => {
    const sample = await opened.store([answered(2, 20)]);
    const ended = [answered(1, 30), answered(3, 10)];
    const rest = await opened.store([waiting(1), waiting(3)]);
    const runIds = [sample, rest];
    expect((await select(runIds)).rows.map(({ state }) => state)).toEqual([undefined, 'done', undefined]);
    const first = await select(runIds, sort('score'));
    expect([numbersOf(first), first.there]).toEqual([[2], 1]);
    await commitResults(opened.stores, rest, ended, 1);
    expect(numbersOf(await select(runIds, sort('score'), { asOf: 1 }))).toEqual([2]);
    const now = await select(runIds, sort('score'));
    expect([numbersOf(now), now.there]).toEqual([[3, 2, 1], 3]);
    expect((await select(runIds)).rows.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('any runs agree with a simple merge of their rows', async () => {
    const random = seededRandom(21);
    const runs = Array.from({ length: 4 }, () =>
      Array.from({ length: 300 }, (__, index) => index + 1)
        .filter(() => random() < 0.5)
        .map((number) =>
          random() < 0.3 ? failed(number, 'no') : answered(number, Math.floor(random() * 1_000)),
        ),
    );
    const runIds: string[] = [];
    for (const rows of runs) runIds.push(await opened.store(rows, { rowsInCommit: 11 }));
    const newest = new Map<number, StoredRow>();
    for (const row of runs.flat())
      if (row.state === 'done' || newest.get(row.number)?.state !== 'done') newest.set(row.number, row);
    const byNumber = [...newest.values()].toSorted((one, other) => one.number - other.number);
    expect(numbersOf(await select(runIds))).toEqual(byNumber.map(({ number }) => number));
    const scoreOf = ({ output }: StoredRow): number => (output?.['score'] as number | undefined) ?? Infinity;
    const sorted = byNumber.toSorted((one, other) => scoreOf(one) - scoreOf(other) || 0);
    const page = await select(runIds, { ...sort('score') });
    expect(numbersOf(page).slice(0, 100)).toEqual(sorted.slice(0, 100).map(({ number }) => number));
  });
});
