import { describe, expect, it } from 'vitest';
import type { RowSelection } from '../../../../src-main/domain/query/row-selection.ts';
import type { ExportOptions } from '../../../../src-main/domain/rows/export/export-options.ts';
import type { RowStore } from '../../../../src-main/services/results/latest-rows.ts';
import {
  exportRun,
  type ExportProgress,
  type RunExport,
} from '../../../../src-main/services/results/run-export.ts';
import { queriesOf, storeOf, type StoredRows } from '../../../builders/export-store.ts';

async function textOf(request: RunExport): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportRun(request)) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString();
}

const csv = (store: RowStore, options: Omit<ExportOptions, 'format'>, more: Partial<RunExport> = {}) =>
  textOf({ store, queries: queriesOf([]), runId: 'a', options: { format: 'csv', ...options }, ...more });

describe('the columns of an export', () => {
  it('keep apart fields of rows and outputs, whatever their names are', async () => {
    const store = storeOf({
      a: { rows: [[1, { x: 1, y: 2 }, { 'input.x': 3, row: 4, 'failed.node': 5, x: 6 }]] },
    });
    expect(await csv(store, { inputColumns: true, failedRows: true })).toBe(
      '_row,_input.x,_input.y,input.x,row,failed.node,x,_failed.node,_failed.message\n1,1,2,3,4,5,6,,\n',
    );
  });

  it('are those of all rows, not of the first one alone', async () => {
    const store = storeOf({
      a: {
        rows: [
          [1, { b: 1 }, { v: 1 }],
          [2, { a: 2, b: null }, { v: 2, w: [1, { c: '=x' }] }],
        ],
      },
    });
    expect(await csv(store, { inputColumns: true })).toBe(
      'row,input.b,input.a,v,w\n1,1,,1,\n2,,2,2,"[1,{""c"":""=x""}]"\n',
    );
    expect(
      await textOf({
        store,
        queries: queriesOf([]),
        runId: 'a',
        options: { format: 'json', inputColumns: true },
      }),
    ).toBe(
      '[\n{"row":1,"input.b":1,"v":1},\n{"row":2,"input.b":null,"input.a":2,"v":2,"w":[1,{"c":"=x"}]}\n]\n',
    );
  });
});

describe('an export of latest answers', () => {
  const runs = {
    a: {
      rows: [
        [1, { n: 1 }, { v: 1 }],
        [2, { n: 2 }],
        [3, { n: 3 }],
        [5, { n: 5 }, { v: 5 }],
      ],
    },
    b: {
      rows: [
        [2, { n: 20 }, { v: 20 }],
        [3, { n: 30 }],
      ],
    },
    c: {
      rows: [
        [2, { n: 200 }],
        [3, { n: 300 }],
      ],
    },
    d: { rows: [[5, { n: 50 }, { v: 50 }]] },
  } satisfies Record<string, StoredRows>;

  it('has of each row the newest output, else the newest failure, over all reruns', async () => {
    const options = { inputColumns: true, failedRows: true, latest: true };
    expect(await csv(storeOf(runs), options)).toBe(
      'row,input.n,v,failed.node,failed.message\n' + '1,1,1,,\n2,20,20,,\n3,300,,check,bad in c\n5,50,50,,\n',
    );
  });

  it('is that of the whole chain from each of its runs', async () => {
    const whole = await csv(storeOf(runs), { latest: true });
    for (const runId of ['b', 'c', 'd'])
      expect(await csv(storeOf(runs), { latest: true }, { runId })).toBe(whole);
  });

  it('refuses a chain of more than 100 attempts', async () => {
    const reruns = Array.from({ length: 120 }, (_, index) => [`r${index}`, { rows: [] }] as const);
    const store = storeOf({ a: { rows: [] }, ...Object.fromEntries(reruns) });
    await expect(csv(store, { latest: true })).rejects.toThrow('more than 100 attempts');
  });
});

describe('an export', () => {
  const store = storeOf({
    a: {
      rows: [
        [1, {}, { v: 1 }],
        [2, {}, { v: 2 }],
        [3, {}, { v: 3 }],
      ],
    },
  });

  it('has only the rows of a selection, in its order', async () => {
    const queries = queriesOf([1, 3]);
    const conditions = [{ of: 'text', text: 'any' }] as const;
    const options = { rowNumbers: true };
    expect(await csv(store, options, { queries, selection: { conditions } })).toBe('row,v\n1,1\n3,3\n');
    const sort = { column: { of: 'output', name: 'v' }, descending: true } as const;
    expect(await csv(store, options, { queries, selection: { conditions, sort } })).toBe('row,v\n3,3\n1,1\n');
  });

  it('is sorted by input columns and states, whether or not the file has them, over the latest answers', async () => {
    const rerun = storeOf({
      a: {
        rows: [
          [1, { city: 'Rome' }, { v: 1 }],
          [2, { city: 'bern' }],
          [3, { city: 'Oslo' }],
        ],
      },
      b: { rows: [[2, { city: 'Zug' }, { v: 2 }]] },
    });
    const city = { column: { of: 'input', name: 'city' }, descending: false } as const;
    const sorted = (sort: RowSelection['sort'], options: Omit<ExportOptions, 'format'>) =>
      csv(
        rerun,
        { rowNumbers: true, columns: ['row'], failedRows: true, ...options },
        {
          selection: { conditions: [], sort },
        },
      );
    expect(await sorted(city, {})).toBe('row\n2\n3\n1\n');
    expect(await sorted(city, { latest: true })).toBe('row\n3\n1\n2\n');
    expect(await sorted({ column: 'state', descending: true }, { latest: true })).toBe('row\n3\n1\n2\n');
  });

  it('is sorted by how long rows took', async () => {
    const times = storeOf({
      a: {
        rows: [
          [1, {}, { v: 1 }, 30],
          [2, {}, undefined, 9],
          [3, {}, { v: 3 }, 100],
        ],
      },
    });
    const selection = { conditions: [], sort: { column: 'took', descending: true } } as const;
    const options = { rowNumbers: true, columns: ['row'], failedRows: true };
    expect(await csv(times, options, { selection })).toBe('row\n3\n1\n2\n');
  });

  it('reports the rows that it has read and written', async () => {
    const progress: ExportProgress[] = [];
    await csv(store, { rowNumbers: true }, { onProgress: (step) => progress.push(step) });
    expect(progress).toEqual([
      { phase: 'checking', done: 0, total: 3 },
      { phase: 'writing', done: 0, total: 3, lines: 3 },
      { phase: 'ended', done: 3, total: 3, lines: 3 },
    ]);
  });

  it('ends with the reason of its signal', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(csv(store, { rowNumbers: true }, { signal })).rejects.toThrow('cancelled');
  });

  it('of the latest answers of too many runs is refused, and says so', async () => {
    const reruns = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`r${index}`, { rows: [[1, {}, { v: 2 }]] }]),
    );
    const many = storeOf({ a: { rows: [[1, {}, { v: 1 }]] }, ...reruns });
    await expect(csv(many, { latest: true })).rejects.toThrow('more than 100 attempts');
    expect(await csv(many, {})).toBe('v\n1\n');
  });

  it('of an unknown run is refused', async () => {
    await expect(csv(store, {}, { runId: 'z' })).rejects.toThrow('Workflow run not found');
  });

  it('names the cell that Excel cannot hold before it writes anything', async () => {
    const long = storeOf({
      a: {
        rows: [
          [1, {}, { v: 'x' }],
          [7, {}, { v: 'x'.repeat(32_768), w: 1 }],
        ],
      },
    });
    const pieces = exportRun({
      store: long,
      queries: queriesOf([]),
      runId: 'a',
      options: { format: 'xlsx' },
    });
    await expect(pieces.next()).rejects.toThrow(
      'A cell of Excel holds 32,767 characters, and "v" of row 7 has 32,768. Export as CSV, or export fewer columns or rows',
    );
    const others = exportRun({
      store: long,
      queries: queriesOf([]),
      runId: 'a',
      options: { format: 'xlsx', columns: ['w'] },
    });
    expect((await others.next()).done).toBe(false);
    await others.return(undefined);
  });
});
