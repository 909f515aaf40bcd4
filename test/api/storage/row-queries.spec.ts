// The port of questions over all rows of a run: the columns and their statistics.
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-main/base/json-value.ts';
import type { Column } from '../../../src-main/domain/query/column.ts';
import type { ComparisonOptions } from '../../../src-main/domain/query/compare-runs.ts';
import { commitResults, done, hostileNames, type StoredRow } from '../../builders/rows-with-results.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { queriedStores } from '../../builders/queried-stores.ts';
import { backends } from '../../builders/store-backends.ts';
import { runIdOf } from '../../builders/stored-rows.ts';

const options: ComparisonOptions = { matching: 'number', rules: [] };

describe.each(backends)('questions over the rows of runs in %s', (_, create) => {
  const opened = queriedStores(create);
  const stored = (rows: readonly StoredRow[], rowsInCommit = 7): Promise<string> =>
    opened.store(rows, { rowsInCommit });

  const statisticsOf = async (runId: string, of: Column['of'], name: string) => {
    for (;;) {
      const step = await opened.stores.queries.statistics([runId], [{ of, name }]);
      if (step.isReady) return step.statistics[0]!;
    }
  };

  it('columns are those of rows and of outputs, whatever their names', async () => {
    const row = Object.fromEntries(hostileNames.map((name) => [name, name]));
    const runId = await stored([
      done(1, { id: 1 }, {}),
      done(2, row, JSON.parse('{"__proto__":1,"score":2}') as JsonObject),
      { number: 3, input: {}, state: 'failed' },
    ]);
    const columns = await opened.stores.queries.columns([runId]);
    expect(columns.filter(({ of }) => of === 'input').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['id', ...hostileNames.filter((name) => name !== '__proto__')]),
    );
    expect(columns.filter(({ of }) => of === 'output').map(({ name }) => name)).toEqual([
      '__proto__',
      'score',
    ]);
  });

  it.each(hostileNames)('a column is found by its exact name: %j', async (name) => {
    const line = JSON.parse(
      `{${JSON.stringify(name)}:"found","other":"wrong","a":{"b":"wrong"}}`,
    ) as JsonObject;
    const runId = await stored([done(1, line, line)]);
    for (const of of ['input', 'output'] as const)
      expect(await statisticsOf(runId, of, name)).toMatchObject({
        filled: 1,
        top: [{ type: 'text', text: 'found', rows: 1 }],
      });
    expect(await statisticsOf(runId, 'input', 'toString')).toMatchObject({ filled: 0, missing: 1 });
  });

  it('statistics tell filled, empty, null and missing values apart, and types', async () => {
    const values: (JsonValue | undefined)[] = ['', null, undefined, 'a', 'a', 1, true, [1], { b: 2 }];
    const rows = values.map((value, index) => done(index + 1, value === undefined ? {} : { value }, {}));
    const runId = await stored([...rows, { number: 10, input: {}, state: 'failed' }]);
    expect(await statisticsOf(runId, 'input', 'value')).toMatchObject({
      rows: 10,
      filled: 6,
      empty: 1,
      nulls: 1,
      missing: 2,
      large: 0,
      types: { text: 2, number: 1, boolean: 1, list: 1, object: 1 },
      distinct: 5,
    });
  });

  it('values are distinct by type and by what comes after a long beginning', async () => {
    const long = 'x'.repeat(500);
    const values = ['1', 1, true, 'true', `${long}a`, `${long}b`, `${long}a`, '1'];
    const runId = await stored(values.map((value, index) => done(index + 1, { value }, {})));
    const { distinct, top } = await statisticsOf(runId, 'input', 'value');
    expect(distinct).toBe(6);
    expect(top).toHaveLength(6);
    expect(top.slice(0, 2)).toEqual(
      expect.arrayContaining([
        { type: 'text', text: '1', rows: 2 },
        { type: 'text', text: long.slice(0, 160), rows: 2 },
      ]),
    );
  });

  it('numbers have a distribution that agrees with a sorted list of them', async () => {
    const random = seededRandom(7);
    const numbers = Array.from({ length: 501 }, () => Math.round((random() - 0.5) * 1e6) / 10);
    const runId = await stored(
      numbers.map((n, index) => done(index + 1, {}, { n })),
      100,
    );
    const { numbers: found } = await statisticsOf(runId, 'output', 'n');
    const sorted = [...numbers].sort((a, b) => a - b);
    expect(found).toMatchObject({ min: sorted[0], max: sorted[500], median: sorted[250] });
    expect(found?.mean).toBeCloseTo(numbers.reduce((sum, n) => sum + n, 0) / 501, 6);
    expect(found?.histogram).toHaveLength(10);
    expect(found?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(501);
    for (const [index, { from, to, rows }] of found?.histogram.entries() ?? []) {
      const isLast = index === 9;
      expect(numbers.filter((n) => n >= from && (isLast ? n <= to : n < to)).length, `${from}`).toBe(rows);
    }
  });

  it('extreme numbers have statistics without an overflow', async () => {
    const numbers = [Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53 + 2, 5e-324, -0];
    const runId = await stored(numbers.map((n, index) => done(index + 1, { n }, {})));
    const { numbers: found } = await statisticsOf(runId, 'input', 'n');
    expect(found).toMatchObject({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE });
    expect(Number.isFinite(found?.mean)).toBe(true);
    expect(found?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(5);
  });

  it('the frequent values of a column with many distinct ones have their exact counts', async () => {
    const rows = Array.from({ length: 30_000 }, (__, index) =>
      done(index + 1, { value: index % 3 === 0 ? 'frequent' : `once ${index}` }, {}),
    );
    const { distinct, top } = await statisticsOf(await stored(rows, 5_000), 'input', 'value');
    expect(distinct).toBe(20_001);
    expect(top[0]).toEqual({ type: 'text', text: 'frequent', rows: 10_000 });
  });

  it('statistics of a long run say how far they are, and stop when the caller does not ask again', async () => {
    const text = 'x'.repeat(500);
    const rows = Array.from({ length: 30_000 }, (__, index) => done(index + 1, { n: index, text }, { text }));
    const runId = await stored(rows, 1_000);
    const ask = (columns: readonly Column[]) =>
      opened.stores.database.read('readStatistics', [runId], columns);
    const columns = [
      { of: 'input', name: 'n' },
      { of: 'output', name: 'text' },
    ] as const;
    const seen: number[] = [];
    for (let step = await ask(columns); !step.isReady; step = await ask(columns)) {
      expect(step.rows).toBe(60_000);
      seen.push(step.rowsRead);
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen.every((rowsRead) => rowsRead > 0 && rowsRead <= 60_000)).toBe(true);
    // One that is not asked again, and a later one.
    await ask([{ of: 'input', name: 'text' }]);
    expect(await statisticsOf(runId, 'input', 'n')).toMatchObject({ rows: 30_000, distinct: 30_000 });
  });

  it('statistics that were begun while a run went on count the rows that have ended since', async () => {
    const text = 'x'.repeat(500);
    const rows = Array.from({ length: 20_000 }, (__, index) => done(index + 1, {}, { text, n: index }));
    const unended = rows.slice(10_000).map((row) => ({ ...row, state: undefined }));
    const runId = await stored([...rows.slice(0, 10_000), ...unended], 1_000);
    const columns = [{ of: 'output', name: 'n' }] as const;
    await opened.stores.database.read('readStatistics', [runId], columns);
    await commitResults(opened.stores, runId, rows.slice(10_000), 1_000);
    expect(await statisticsOf(runId, 'output', 'n')).toMatchObject({ rows: 20_000, filled: 20_000 });
  });

  it('rows that are too large are left out and counted', async () => {
    const large = 'x'.repeat(2_000_000);
    const runId = await stored(
      [done(1, { large }, { large }), done(2, { large: 'small' }, { large: 'small' })],
      1,
    );
    for (const of of ['input', 'output'] as const)
      expect(await statisticsOf(runId, of, 'large')).toMatchObject({
        rows: 2,
        filled: 1,
        large: 1,
        missing: 0,
      });
    const request = { first: [runId], second: [runId], options, slice: { from: 1, count: 0 } };
    const { counts } = await opened.stores.queries.compare(request);
    expect(counts).toMatchObject({ same: 1, notCompared: 1 });
  });

  it('a value nested 1,000 levels deep counts as any other', async () => {
    const deep = JSON.parse(`${'['.repeat(999)}1${']'.repeat(999)}`) as JsonValue;
    const runId = await stored([done(1, { deep: 1 }, { deep }), done(2, { deep: 1 }, { deep: 2 })]);
    expect(await statisticsOf(runId, 'output', 'deep')).toMatchObject({
      filled: 2,
      types: { list: 1, number: 1 },
    });
    const other = await stored([done(1, { deep: 1 }, { deep: [deep] }), done(2, { deep: 1 }, { deep: 2 })]);
    const request = { first: [runId], second: [other], options, slice: { from: 1, count: 0 } };
    expect((await opened.stores.queries.compare(request)).counts).toMatchObject({ changed: 1, same: 1 });
  });

  it('a run that does not exist is not found', async () => {
    const columns = [{ of: 'input', name: 'a' }] as const;
    await expect(opened.stores.queries.columns([runIdOf(0)])).rejects.toMatchObject({
      code: 'run_not_found',
    });
    await expect(opened.stores.queries.statistics([runIdOf(0)], columns)).rejects.toMatchObject({
      code: 'run_not_found',
    });
  });
});
