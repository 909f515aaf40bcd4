// The port of questions over all rows of runs: the columns, their statistics, and what differs between two runs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src-main/base/json-value.ts';
import type { Column } from '../../../src-main/domain/query/column.ts';
import {
  changedFields,
  pairOutcomes,
  type ComparisonOptions,
  type PairOutcome,
} from '../../../src-main/domain/query/compare-runs.ts';
import { rowStateBytes, writeRowState, type RowState } from '../../../src-main/domain/run/row-state.ts';
import type { OpenedStores } from '../../builders/run-stores.ts';
import { seededRandom } from '../../builders/seeded-random.ts';
import { backends, type Backend } from '../../builders/store-backends.ts';
import { runIdOf, runOf } from '../../builders/stored-rows.ts';

/** A row with what came of it: an output, a failure, or nothing. */
type StoredRow = {
  readonly number: number;
  readonly input: JsonObject;
  readonly output?: JsonObject;
  readonly state: RowState['state'] | undefined;
};

const done = (number: number, input: JsonObject, output: JsonObject): StoredRow => ({
  number,
  input,
  output,
  state: 'done',
});

const options: ComparisonOptions = { matching: 'number', rules: [], maxListed: 1_000 };

/** Names that are hard for SQL and JSON paths. */
const hostileNames = [
  'plain',
  'a.b',
  '$',
  '$.a',
  '"',
  "'; drop table runs --",
  '[0]',
  '',
  '\u0000',
  '\ud800',
  '__proto__',
];

describe.each(backends)('questions over the rows of runs in %s', (_, create) => {
  let backend: Backend;
  let stores: OpenedStores;
  let lastRun = 0;

  beforeAll(async () => {
    backend = await create();
    stores = await backend.open();
    await stores.database.write('putSnapshot', 'a'.repeat(64), 'workflow', 'rowbench: 1');
  });

  afterAll(async () => {
    await stores.close();
    await backend.remove();
  });

  /** Stores a run with its results, committed a few rows at a time. Returns the run's id. */
  async function stored(rows: readonly StoredRow[], rowsInCommit = 7): Promise<string> {
    const run = runOf((lastRun += 1), rows.length);
    const writer = await stores.runs.openRunWriter();
    if (rows.some(({ number }, index) => number !== index + 1))
      writer.setNumbers(rows.map(({ number }) => number));
    const lines = Buffer.from(rows.map(({ input }) => `${JSON.stringify(input)}\n`).join(''));
    // As a request arrives: in chunks that end anywhere.
    for (let at = 0; at < lines.length; at += 65_536)
      await writer.append({ bytes: lines.subarray(at, at + 65_536) });
    await writer.commit(run);
    const results = await stores.runs.openResults(run.runId, true);
    const ended = rows.filter(({ state }) => state !== undefined);
    for (let first = 0; first < ended.length; first += rowsInCommit) {
      const batch = ended.slice(first, first + rowsInCommit);
      const states = new Uint8Array(batch.length * rowStateBytes);
      for (const [index, { state = 'done' }] of batch.entries())
        writeRowState(new DataView(states.buffer), index * rowStateBytes, {
          state,
          retries: 0,
          durationMicros: 1,
        });
      const outputs = batch.map(({ output }) =>
        output === undefined ? '\n' : `${JSON.stringify(output)}\n`,
      );
      await results.commit({
        rows: batch.length,
        outputs: Buffer.from(outputs.join('')),
        states,
        trace: new Uint8Array(),
        nodes: [],
      });
    }
    return run.runId;
  }

  const statisticsOf = async (runId: string, of: Column['of'], name: string) => {
    const [statistics] = await stores.queries.statistics(runId, [{ of, name }]);
    if (statistics === undefined) throw new Error('no statistics');
    return statistics;
  };

  it('columns are those of rows and of outputs, whatever their names', async () => {
    const row = Object.fromEntries(hostileNames.map((name) => [name, name]));
    const runId = await stored([
      done(1, { id: 1 }, {}),
      done(2, row, JSON.parse('{"__proto__":1,"score":2}') as JsonObject),
      { number: 3, input: {}, state: 'failed' },
    ]);
    const columns = await stores.queries.columns(runId);
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
    const { counts } = await stores.queries.compare(runId, runId, options);
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
    expect((await stores.queries.compare(runId, other, options)).counts).toMatchObject({
      changed: 1,
      same: 1,
    });
  });

  it('a run that does not exist is not found', async () => {
    const columns = [{ of: 'input', name: 'a' }] as const;
    const runId = await stored([done(1, {}, {})]);
    await expect(stores.queries.columns(runIdOf(0))).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(stores.queries.statistics(runIdOf(0), columns)).rejects.toMatchObject({
      code: 'run_not_found',
    });
    for (const pair of [[runId, runIdOf(0)] as const, [runIdOf(0), runId] as const])
      await expect(stores.queries.compare(...pair, options)).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it('a rerun of some rows is compared by their numbers', async () => {
    const first = await stored([1, 2, 3, 4].map((n) => done(n, { n }, { n })));
    const second = await stored([
      done(2, { n: 2 }, { n: 2 }),
      { number: 4, input: { n: 4 }, state: 'failed' },
    ]);
    const { counts, rows } = await stores.queries.compare(first, second, options);
    expect(counts).toMatchObject({ same: 1, newlyFailing: 1, onlyInFirst: 2, onlyInSecond: 0 });
    expect(rows).toEqual([
      { outcome: 'onlyInFirst', firstNumber: 1 },
      { outcome: 'onlyInFirst', firstNumber: 3 },
      { outcome: 'newlyFailing', firstNumber: 4, secondNumber: 4 },
    ]);
  });

  it('the answer stays small if each row has large outputs and field names of its own', async () => {
    const rowsOf = (mark: string) =>
      stored(
        Array.from({ length: 30 }, (__, row) => {
          const fields = Array.from({ length: 50 }, (___, index) => [`${row} ${index}`, mark] as const);
          const output = new Map([...fields, ['text', mark.repeat(400_000)] as const]);
          return done(row + 1, {}, Object.fromEntries(output));
        }),
        1,
      );
    const [first, second] = [await rowsOf('a'), await rowsOf('b')];
    const { counts, fields, rows } = await stores.queries.compare(first, second, options);
    expect(counts.changed).toBe(30);
    expect(fields).toHaveLength(1_000);
    expect(fields[0]).toEqual({ name: 'text', rows: 30 });
    expect(rows.length).toBeGreaterThan(5);
    expect(JSON.stringify(rows).length).toBeLessThan(10_000_000);
  });

  it('rows are matched by values that differ only after a long beginning', async () => {
    const keys = ['a', 'b', 'c'].map((end) => 'x'.repeat(5_000) + end);
    const first = await stored(keys.map((key, index) => done(index + 1, { key }, { key })));
    const second = await stored(keys.toReversed().map((key, index) => done(index + 1, { key }, { key })));
    const matching = { of: 'input', name: 'key' } as const;
    expect((await stores.queries.compare(first, second, { ...options, matching })).counts.same).toBe(3);
  });

  it('of rows that share a key, each is compared with one row only', async () => {
    const ofKeys = (keys: readonly string[]) =>
      stored(keys.map((key, index) => done(index + 1, { key }, { key, index })));
    const first = await ofKeys(['a', 'b', 'a', 'a']);
    const second = await ofKeys(['c', 'a', 'a']);
    const matching = { of: 'input', name: 'key' } as const;
    const { counts, repeatedKeys } = await stores.queries.compare(first, second, { ...options, matching });
    expect(counts).toMatchObject({ same: 1, changed: 1, onlyInFirst: 2, onlyInSecond: 1 });
    expect(repeatedKeys).toBe(3);
  });

  it.each(['number', 'position', 'column'] as const)(
    'by %s, two random runs differ as an independent comparison says',
    async (kind) => {
      const random = seededRandom(kind.length);
      const matching = kind === 'column' ? ({ of: 'output', name: 'key' } as const) : kind;
      const rules = [
        { name: 'noise', rule: 'ignore' },
        { name: 'score', rule: 'tolerance', tolerance: 1 },
        { name: 'label', rule: 'ignoreCase' },
      ] as const;
      for (let trial = 0; trial < 25; trial += 1) {
        const [before, after] = [randomRows(random), randomRows(random)];
        const [first, second] = [await stored(before), await stored(after, 1 + Math.floor(random() * 20))];
        const found = await stores.queries.compare(first, second, { matching, rules, maxListed: 5 });
        const expected = naiveComparison(before, after, { matching, rules, maxListed: 5 });
        expect(found.counts).toEqual(expected.counts);
        expect(new Map(found.fields.map(({ name, rows }) => [name, rows]))).toEqual(expected.fields);
        expect(found.rows).toHaveLength(Math.min(5, expected.differing));
      }
    },
  );
});

function randomRows(random: () => number): StoredRow[] {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1).filter(() => random() < 0.8);
  const unfinishedFrom = random() < 0.3 ? Math.floor(random() * numbers.length) : numbers.length;
  return numbers.map((number, index) => {
    const input = { key: pick(['a', 'b', 'c', number]) };
    if (index >= unfinishedFrom) return { number, input, state: undefined };
    if (random() < 0.2) return { number, input, state: 'failed' };
    const score = pick([1, 1.5, 4, null]);
    return done(number, input, { ...input, noise: random(), score, label: pick(['x', 'X', 'y']) });
  });
}

/** The same by the simplest means: every pair is looked for in a list. */
function naiveComparison(before: readonly StoredRow[], after: readonly StoredRow[], by: ComparisonOptions) {
  const counts = Object.fromEntries(pairOutcomes.map((outcome) => [outcome, 0])) as Record<
    PairOutcome,
    number
  >;
  const fields = new Map<string, number>();
  const left = [...after];
  const rules = new Map(by.rules.map((rule) => [rule.name, rule]));
  const keyOf = (row: StoredRow, position: number): unknown => {
    if (by.matching === 'number') return row.number;
    return by.matching === 'position' ? position : row.output?.['key'];
  };
  const positions = new Map(after.map((row, index) => [row, index]));
  for (const [index, row] of before.entries()) {
    const key = keyOf(row, index);
    const at = left.findIndex(
      (other) => key !== undefined && keyOf(other, positions.get(other) ?? -1) === key,
    );
    const [match] = at < 0 ? [] : left.splice(at, 1);
    counts[outcomeOf(row, match)] += 1;
  }
  counts.onlyInSecond = left.length;
  const { changed, newlyFailing, fixed, onlyInFirst, onlyInSecond } = counts;
  return { counts, fields, differing: changed + newlyFailing + fixed + onlyInFirst + onlyInSecond };

  function outcomeOf(row: StoredRow, match: StoredRow | undefined): PairOutcome {
    if (match === undefined) return 'onlyInFirst';
    if (row.state === 'failed')
      return match.state === 'failed' ? 'bothFailed' : match.state === 'done' ? 'fixed' : 'notCompared';
    if (row.state !== 'done' || match.state === undefined) return 'notCompared';
    if (match.state === 'failed') return 'newlyFailing';
    const changes = changedFields(row.output ?? {}, match.output ?? {}, rules);
    for (const { name } of changes) fields.set(name, (fields.get(name) ?? 0) + 1);
    return changes.length === 0 ? 'same' : 'changed';
  }
}
