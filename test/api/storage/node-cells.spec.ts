// The port of questions over rows: how nodes ended in each row, and conditions on that.
import { describe, expect, it } from 'vitest';
import { allRows, type Condition, type RowSelection } from '../../../src-main/domain/query/row-selection.ts';
import type { StoredTableRequest, TablePage } from '../../../src-main/domain/query/table-page.ts';
import type { StoredCell } from '../../../src-main/domain/results/node-cell.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { done, type StoredRow } from '../../builders/rows-with-results.ts';
import { backends } from '../../builders/store-backends.ts';

type Page = Extract<TablePage, { readonly isReady: true }>;

const skipped = [2, 0, 0] as const;
const traced = (
  number: number,
  cells: readonly StoredCell[],
  values: NonNullable<StoredRow['values']> = [],
): StoredRow => ({
  ...done(number, {}, { number }),
  ms: number,
  cells,
  values,
});

/** Rows of the nodes `fetch`, `alert` and `out`. */
const rows: readonly StoredRow[] = [
  traced(1, [1_000, skipped, 2_000], [[0, { name: 'Ada' }]]),
  { ...traced(2, [[0, 3_000, 2], 4_000, 5_000]), retries: 1 },
  {
    number: 3,
    input: {},
    state: 'failed',
    failure: { nodeId: 'alert', message: 'no' },
    cells: [
      [3, 1_000, 1],
      [1, 2_500, 3],
      [4, 0, 0],
    ],
  },
  { number: 4, input: {}, state: 'failed', failure: { nodeId: 'alert', message: 'crash' } },
  done(5, {}, {}),
  { number: 6, input: {}, state: 'unfinished' },
  { number: 7, input: {}, state: undefined },
];

describe.each(backends)('cells of nodes in %s', (_, create) => {
  const opened = queriedStores(create);
  const nodeIds = ['fetch', 'alert', 'out'];

  async function select(
    runIds: readonly string[],
    selection: Partial<RowSelection>,
    request: Partial<StoredTableRequest> = {},
  ): Promise<Page> {
    for (;;) {
      const page = await opened.stores.queries.select(runIds, {
        selection: { ...allRows, ...selection },
        from: 1,
        count: 100,
        nodeIds: runIds.map(() => nodeIds),
        ...request,
      });
      if (page.isReady) return page;
    }
  }

  it('each row that has ended has the cells of the requested nodes, in their order', async () => {
    const runId = await opened.store(rows, { rowsInCommit: 2 });
    const page = await select([runId], {}, { nodes: ['out', 'gone', 'fetch'] });
    const notReached = { end: 'not reached', attempts: 0 };
    expect(page.rows.map(({ cells }) => cells)).toEqual([
      [{ end: 'done', ms: 2, attempts: 1 }, notReached, { end: 'done', ms: 1, attempts: 1 }],
      [{ end: 'done', ms: 5, attempts: 1 }, notReached, { end: 'done', ms: 3, attempts: 2 }],
      [{ ...notReached, ms: 0 }, notReached, { end: 'replaced', ms: 1, attempts: 1 }],
      [notReached, notReached, { end: 'not kept', attempts: 0 }],
      [null, notReached, null],
      [null, notReached, null],
      undefined,
    ]);
    expect(page.rows.map(({ ms, retries }) => [ms, retries])).toEqual([
      [1, undefined],
      [2, 1],
      ...Array.from({ length: 4 }, () => [0.001, undefined]),
      [undefined, undefined],
    ]);
    expect(page.rows[0]).not.toHaveProperty('values');
  });

  it('values of nodes come with them if they are requested', async () => {
    const runId = await opened.store(rows);
    const page = await select([runId], {}, { nodes: ['fetch', 'out'], values: true });
    expect(page.rows.slice(0, 2).map(({ values }) => values)).toEqual([
      [{ kind: 'object', text: '{"name":"Ada"}' }, null],
      undefined,
    ]);
  });

  it.each<readonly [name: string, Omit<Extract<Condition, { of: 'node' }>, 'of'>, number[], leftOut: number]>(
    [
      ['a node was skipped', { nodeId: 'alert', ends: ['skipped'] }, [1], 1],
      ['any node was skipped', { ends: ['skipped'] }, [1], 2],
      ['a node failed', { nodeId: 'alert', ends: ['failed'] }, [3, 4], 1],
      ['a node was tried again', { nodeId: 'fetch', ends: ['retried'] }, [2], 2],
      ['a node was replaced or skipped', { ends: ['replaced', 'skipped'] }, [1, 3], 2],
      ['a node that the run does not have failed', { nodeId: 'gone', ends: ['failed'] }, [], 1],
    ],
  )('a condition finds rows in which %s', async (__, condition, found, leftOut) => {
    const runId = await opened.store(rows, { rowsInCommit: 3 });
    const page = await select([runId], { conditions: [{ of: 'node', ...condition }] });
    expect([page.rows.map(({ row }) => row), page.leftOut]).toEqual([found, leftOut]);
  });

  it('rows of attempts with other nodes keep their own cells', async () => {
    const runIds = [await opened.store(rows), await opened.store([traced(5, [7_000], [[0, 'new']])])];
    const ids = [nodeIds, ['alert']];
    const page = await select(runIds, {}, { nodes: ['alert', 'out'], values: true, nodeIds: ids });
    expect(page.rows.find(({ row }) => row === 5)).toMatchObject({
      attempt: 2,
      cells: [{ end: 'done', ms: 7 }, { end: 'not reached' }],
      values: [{ kind: 'text', text: 'new' }, null],
    });
    const failedAtAlert = { of: 'node', nodeId: 'alert', ends: ['done'] } as const;
    const done = await select(runIds, { conditions: [failedAtAlert] }, { nodeIds: ids });
    expect(done.rows.map(({ row }) => row)).toEqual([2, 5]);
  });
});
